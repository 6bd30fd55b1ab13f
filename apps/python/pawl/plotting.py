"""Plots of results with Matplotlib."""

from __future__ import annotations

import fnmatch
from typing import TYPE_CHECKING, Sequence

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .result import Result

_MOST_EVENTS = 200


def chosen(result: Result, names: Sequence[str]) -> list[str]:
    """The columns that match the names; without names, the most informative ones."""
    columns = [name for name in result.columns if name != "t"]
    if names:
        found = [c for c in columns if any(fnmatch.fnmatchcase(c, name) for name in names)]
        for name in names:
            if not any(fnmatch.fnmatchcase(c, name) for c in columns):
                result[name]  # raises, with what it may have meant
        return found
    measures = [name for name in columns if name + ".rate" in result]
    poses = [name for name in columns if name.endswith((".x", ".y", ".angle"))
             and result[name].max() - result[name].min() > 1e-9]
    return measures or poses


def plot(result: Result, names: Sequence[str], events: bool) -> Figure:
    from matplotlib import pyplot

    columns = chosen(result, names)
    units = list(dict.fromkeys(result.units[name] for name in columns))
    figure, panels = pyplot.subplots(len(units) or 1, 1, sharex=True, squeeze=False,
                                     figsize=(8, 1 + 2.2 * (len(units) or 1)))
    for panel, unit in zip(panels[:, 0], units):
        for name in columns:
            if result.units[name] == unit:
                panel.plot(result.t, result[name], label=name)
        panel.set_ylabel(unit)
        panel.legend(loc="best", fontsize="small")
        panel.grid(alpha=0.3)
        if events and len(result.events) <= _MOST_EVENTS:
            for t in sorted({event.t for event in result.events}):
                panel.axvline(t, color="0.6", linewidth=0.6, zorder=0)
    panels[-1, 0].set_xlabel("t [s]")
    figure.tight_layout()
    return figure
