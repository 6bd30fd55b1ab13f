"""Sweeps: many runs of a model with varied values."""

from __future__ import annotations

import os
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _core
from .errors import ModelError, diagnostics_of

if TYPE_CHECKING:
    import pandas

    from .model import Model, Value

Array = npt.NDArray[np.float64]
Vary = Union[Mapping[str, Union[str, Sequence["Value"]]], Iterable[str]]


class Sweep:
    """The rows of a sweep, in the order of the runs.

    `sweep["k"]` is a column as a NumPy array: what varied, in the unit that it was given in (words
    as an array of texts), or a response; one that a run does not have is NaN. `status`, `events` and
    `messages` give for each run how it ended, what happened, and why it failed."""

    def __init__(self, plan: _core.SweepPlan, table: tuple[Any, ...]):
        runs, numbers, texts, status, messages, responses, events = table
        self.runs: npt.NDArray[np.int64] = runs
        self.status: tuple[str, ...] = tuple(status)
        self.messages: tuple[str, ...] = tuple(messages)
        self.events: tuple[str, ...] = tuple(events)
        self.units: dict[str, str] = {}
        self._columns: dict[str, npt.NDArray[Any]] = {}
        for i, (name, unit, is_number) in enumerate(plan.variables()):
            self.units[name] = unit
            self._columns[name] = (numbers[:, i] if is_number
                                   else np.array([values[i] for values in texts]))
        for i, (name, unit) in enumerate(plan.responses()):
            self.units[name] = unit
            self._columns[name] = responses[:, i]

    @property
    def columns(self) -> tuple[str, ...]:
        """The varied values, then the responses."""
        return tuple(self._columns)

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        try:
            return self._columns[name]
        except KeyError:
            raise KeyError(f"no column '{name}'; there are {', '.join(self._columns)}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __len__(self) -> int:
        return len(self.runs)

    @cached_property
    def failed(self) -> dict[str, int]:
        """How many runs ended early, by their status."""
        return dict(Counter(status for status in self.status if status != "completed"))

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a DataFrame over the number of the run; the units are in its `attrs`."""
        import pandas

        columns: dict[str, Any] = {"status": self.status, **self._columns, "events": self.events,
                                   "message": self.messages}
        table = pandas.DataFrame(columns, index=pandas.Index(self.runs, name="run"))
        table.attrs["units"] = self.units
        return table

    def __repr__(self) -> str:
        failed = "".join(f", {count} {status}" for status, count in self.failed.items())
        return f"Sweep({len(self)} runs of {', '.join(self._columns)}{failed})"


def sweep(model: Model, vary: Optional[Vary] = None, of: Union[str, Sequence[str]] = (), *,
          method: str = "", runs: int = 0, seed: Optional[int] = None, threads: int = 0,
          file: Optional[Union[str, os.PathLike[str]]] = None, resume: bool = False,
          client: Any = None) -> Sweep:
    """Runs a model with varied values, on all cores, and returns the rows.

    vary: what varies, {"k": "100:200:11 N/m", "law": ["newton", "poisson"]}, or texts as those of
        `pawl sweep --vary`. Not given: the table [sweep] of the model.
    of: the responses, by their names in the model or their texts ("max:bolt.x"). Not given: those
        of the table [sweep], or all of the model.
    method: "grid", "random", "latin_hypercube" or "sobol"; `runs` is the number of runs for all
        methods except grid, `seed` selects the random values.
    file: an SQLite file to which the rows are written as they come in. With `resume` it may exist
        already: runs that have a row are not repeated.
    client: a `distributed.Client`: the runs go to its workers (docs/clusters.md)."""
    given = _plan_arguments(model, vary, of, method, runs, seed)
    plan = read_plan(model, given)
    if file is None:
        if client is None:
            everything = range(plan.runs())
            return Sweep(plan, plan.table(model._core, list(everything), threads))
        from .cluster import run_on

        records = []
        run_on(client, model, given, list(range(plan.runs())),
               lambda rows, _: records.extend(rows))
        return Sweep(plan, plan.table_of(sorted(records)))
    path = os.fspath(file)
    if not resume and os.path.lexists(path):
        raise FileExistsError(f"{path} exists already; continue it with resume=True, or name "
                              "another file")
    store, problem = _core.SweepStore.open(path, model._core, plan, resume)
    if store is None:
        raise OSError(problem)
    if client is None:
        problem = store.fill(model._core, plan, threads)
        if problem:
            raise OSError(f"{path}: {problem}")
    else:
        from .cluster import run_into

        run_into(store, client, model, given)
    return Sweep(plan, store.table(plan))


PlanArguments = tuple[list[str], list[str], str, int, Optional[int]]


def read_plan(model: Model, given: PlanArguments) -> _core.SweepPlan:
    plan, problems = _core.SweepPlan.read(model._core, *given)
    if plan is None:
        raise ModelError(diagnostics_of(problems))
    return plan


def _plan_arguments(model: Model, vary: Optional[Vary], of: Union[str, Sequence[str]], method: str,
                    runs: int, seed: Optional[int]) -> PlanArguments:
    texts: list[str] = []
    if isinstance(vary, Mapping):
        for name, values in vary.items():
            if not isinstance(values, str):
                values = ",".join(text for value in values
                                  for _, text in model._as_values({name: value}))
            texts.append(f"{name}={values}")
    elif vary is not None:
        texts = [vary] if isinstance(vary, str) else list(vary)
    return texts, [of] if isinstance(of, str) else list(of), method, runs, seed
