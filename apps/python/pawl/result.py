"""Results: columns as arrays, events as records, the audit."""

from __future__ import annotations

import difflib
import json
import os
import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Iterable, Optional, Type, TypeVar, Union

import numpy as np
import numpy.typing as npt

from . import _core, facts
from .errors import (AssemblyError, AuditWarning, Diagnostic, ModelError, RunError, diagnostics_of)
from .pictures import Report, Svg

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

Array = npt.NDArray[np.float64]
F = TypeVar("F", bound=facts.Fact)


@dataclass(frozen=True)
class Event:
    """Something that happened at one time: an impact, a contact that closes, a stick, a snap.

    Times in s, velocities in m/s, impulse in N s, energy in J. `facts` are values of the classes in
    `pawl.facts`; `causes` are words; `text` is the whole event in words."""

    t: float
    kind: str
    element: str
    from_: str
    to: str
    normal_velocity_before: float
    normal_velocity_after: float
    impulse: float
    energy_change: float
    text: str
    causes: tuple[str, ...]
    facts: tuple[facts.Fact, ...]

    def find(self, kind: Type[F]) -> Optional[F]:
        """The fact of a class: `event.find(pawl.facts.Rebound)`."""
        return next((fact for fact in self.facts if isinstance(fact, kind)), None)


def events_of(records: Iterable[tuple[Any, ...]]) -> tuple[Event, ...]:
    def values(*plain: Any) -> list[Any]:
        return [*plain[:-1], tuple(facts.KINDS[name](*fields) for name, fields in plain[-1])]

    return tuple(Event(*values(*record)) for record in records)


@dataclass(frozen=True)
class AuditCheck:
    """A check of a run: `value <= limit`, with the time and the element of the worst case."""

    name: str
    value: float
    limit: float
    unit: str
    t: float
    element: str
    inequality: str
    passed: bool


@dataclass(frozen=True)
class LedgerLine:
    """The energy that an element stored and the work that it did since the start, J."""

    element: str
    stored: float
    work: float


@dataclass(frozen=True)
class Audit:
    """The checks of a run against the laws of mechanics."""

    passed: bool
    checks: tuple[AuditCheck, ...]
    ledger: tuple[LedgerLine, ...]
    kinetic_change: float
    remarks: tuple[str, ...] = ()  # what no check can see

    def __getitem__(self, name: str) -> AuditCheck:
        return next(check for check in self.checks if check.name == name)


class Result:
    """The result of a run.

    `result["crank.omega"]` is a column as a NumPy array, `result.values` the whole table; both show
    the memory that the run has written, nothing is copied, and they cannot be written to."""

    def __init__(self, core: _core.Result):
        self._core = core

    @property
    def complete(self) -> bool:
        """Whether the run reached its end."""
        return self._core.is_complete()

    @property
    def status(self) -> str:
        """"completed", "jam", "painleve", ..."""
        return self._core.status()

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Why a run ended early, with line and column in the model."""
        return diagnostics_of(self._core.problems())

    @cached_property
    def units(self) -> dict[str, str]:
        """The unit of each column."""
        return dict(self._core.columns())

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.units)

    @cached_property
    def values(self) -> Array:
        """All rows: one per sample, with the columns in their order."""
        return self._core.values()

    @property
    def t(self) -> Array:
        """The times of the rows, s."""
        return self["t"]

    def __getitem__(self, name: str) -> Array:
        try:
            return self.values[:, self._places[name]]
        except KeyError:
            near = difflib.get_close_matches(name, self.columns)
            raise KeyError(f"no column '{name}'" + (f"; did you mean {' or '.join(near)}?" if near
                                                    else "")) from None

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.units)}

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What happened, in the order of time."""
        return events_of(self._core.events())

    def events_of(self, kind: str) -> tuple[Event, ...]:
        """The events of a kind: `result.events_of("impact")`."""
        return tuple(event for event in self.events if event.kind == kind)

    @cached_property
    def audit(self) -> Audit:
        audit = self._core.audit()
        return Audit(audit["passed"], tuple(AuditCheck(*c) for c in audit["checks"]),
                     tuple(LedgerLine(*line) for line in audit["ledger"]), audit["kinetic_change"],
                     audit["remarks"])

    @cached_property
    def summary(self) -> dict[str, Any]:
        """What result.json says: options, statistics, warnings, vibrations and more."""
        summary: dict[str, Any] = json.loads(self._core.summary())
        return summary

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a DataFrame over t; the units are in its `attrs["units"]`."""
        import pandas

        table = pandas.DataFrame(self.values, columns=list(self.columns), copy=False)
        table = table.set_index("t")
        table.attrs["units"] = self.units
        return table

    def events_to_pandas(self) -> pandas.DataFrame:
        """The events as a DataFrame, without their facts."""
        import pandas

        names = [name for name in Event.__dataclass_fields__ if name not in ("facts", "causes")]
        return pandas.DataFrame([[getattr(event, name) for name in names] for event in self.events],
                                columns=names)

    def plot(self, *names: str, events: bool = True) -> Figure:
        """Columns over time with Matplotlib, one panel per unit; `*` and `?` stand for letters.
        Without names: the measures, or else the poses of the bodies that move."""
        from .plotting import plot

        return plot(self, names, events)

    def drawing(self, t: Optional[float] = None) -> Svg:
        """The mechanism in the last row that is not later than t (s); not given: the last row."""
        return Svg(self._core.drawing(np.inf if t is None else t))

    def report(self) -> Report:
        """One HTML file with moving picture, events and plots."""
        return Report(self._core.report())

    def write(self, folder: Union[str, os.PathLike[str]]) -> None:
        """Writes a result folder, as `pawl run` does. Raises OSError."""
        problem = self._core.write(os.fspath(folder))
        if problem:
            raise OSError(problem)

    def _repr_html_(self) -> Optional[str]:
        report = self.report()
        return report._repr_html_() if report else None

    def __repr__(self) -> str:
        return (f"Result({self.status}, {len(self)} rows of {len(self.columns)} columns, "
                f"{len(self.events)} events, audit {'passed' if self.audit.passed else 'FAILED'})")

    def _checked(self) -> Result:
        if not self.complete:
            if self.status == "not_assembled":
                raise AssemblyError(self.diagnostics)
            if not len(self):
                raise ModelError(self.diagnostics, self.status)
            raise RunError(self.diagnostics, self.status, self)
        if not self._core.audit_passed():
            failed = ", ".join(c.name for c in self.audit.checks if not c.passed)
            warnings.warn(f"the audit failed: {failed}", AuditWarning, stacklevel=3)
        return self
