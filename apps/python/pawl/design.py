"""Tolerances, optimisation and synthesis."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _core
from .errors import ModelError, diagnostics_of
from .pictures import Report, Svg
from .sweeps import Sweep

if TYPE_CHECKING:
    from .model import Model

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Share:
    """A fraction of runs, with its 95 % confidence interval (Wilson 1927)."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class ToleranceParameter:
    """A parameter that scatters, in its unit."""

    name: str
    unit: str
    nominal: float
    tolerance: float
    distribution: str


@dataclass(frozen=True)
class ToleranceEffect:
    """The effect of a parameter on a response: its slope, its share of the variance by the slopes, and
    by the correlation in the sample."""

    parameter: str
    slope: float
    share: float
    sampled_share: float


@dataclass(frozen=True)
class ToleranceOfResponse:
    """How a response scatters: by the slopes (`linear_...`), in the corners of the tolerances
    (`worst_...`) and in the sample. 99.73 % of the sample lie from `low` to `high`; `good` is the
    share within the limits of the response; `disagreement` says why the slopes do not describe the
    sample."""

    name: str
    unit: str
    nominal: float
    linear_deviation: float
    linear_width: float
    worst_low: float
    worst_high: float
    count: int
    least: float
    mean: float
    greatest: float
    deviation: float
    low: float
    high: float
    effects: tuple[ToleranceEffect, ...]
    good: Optional[Share]
    disagreement: str


@dataclass(frozen=True)
class ToleranceSequence:
    """Runs of the sample in which the same things happen; `values` are those of the example, to be
    given to `Model.changed`."""

    status: str
    events: str
    count: int
    probability: Share
    example: int
    values: dict[str, str]


@dataclass(frozen=True)
class Tolerance:
    """The effect of the tolerances of a model on its responses and on the sequence of events."""

    runs: int
    parameters: tuple[ToleranceParameter, ...]
    responses: tuple[ToleranceOfResponse, ...]
    sequences: tuple[ToleranceSequence, ...]
    good: Optional[Share]
    notes: tuple[str, ...]
    sample: Sweep = field(repr=False)

    def __getitem__(self, name: str) -> ToleranceOfResponse:
        return next(response for response in self.responses if response.name == name)


def tolerance_of(model: Model, of: Sequence[str], runs: int, seed: int, threads: int) -> Tolerance:
    study, problems = _core.tolerance(model._core, list(of), runs, seed, threads)
    if study is None:
        raise ModelError(diagnostics_of(problems))
    (count, parameters, responses, sequences, good, notes), plan, rows = study

    def response(*values: Any) -> ToleranceOfResponse:
        *plain, effects, within, disagreement = values
        fields = [*plain, tuple(ToleranceEffect(*e) for e in effects),
                  Share(*within) if within else None, disagreement]
        return ToleranceOfResponse(*fields)

    return Tolerance(count, tuple(ToleranceParameter(*p) for p in parameters),
                     tuple(response(*r) for r in responses),
                     tuple(ToleranceSequence(status, events, n, Share(*share), example, dict(values))
                           for status, events, n, share, example, values in sequences),
                     Share(*good) if good else None, tuple(notes), Sweep(plan, rows))


@dataclass(frozen=True)
class Derivative:
    """How a response changes with a parameter, in `unit` (of the response per that of the parameter);
    NaN where there is no derivative, and `problem` says why. `relative` is in percent per percent."""

    value: float
    relative: float
    error: float
    unit: str
    problem: str


@dataclass(frozen=True)
class MissingDerivative:
    """From the time `t` (s) on, the run has no derivative: the parameter, the event, the reason."""

    parameter: str
    t: float
    event: str
    reason: str


@dataclass(frozen=True)
class Sensitivity:
    """Derivatives of responses with respect to parameters: `derivatives`, `relative` (percent per
    percent) and `errors` (estimated) have a row for each response and a column for each
    parameter. `sensitivity["liftoff", "speed"]` is one of them. `columns`, if requested, are the
    derivatives of the columns of the run, named "d(follower.y)/d(speed)", with the column "t"."""

    method: str
    parameters: dict[str, tuple[float, str]]
    responses: dict[str, tuple[float, str]]
    derivatives: Array
    relative: Array
    errors: Array
    problems: tuple[str, ...]
    missing: tuple[MissingDerivative, ...]
    notes: tuple[str, ...]
    columns: dict[str, Array] = field(repr=False)

    def __getitem__(self, names: tuple[str, str]) -> Derivative:
        response, parameter = names
        i, j = list(self.responses).index(response), list(self.parameters).index(parameter)
        of, by = self.responses[response][1], self.parameters[parameter][1]
        return Derivative(float(self.derivatives[i, j]), float(self.relative[i, j]),
                          float(self.errors[i, j]), f"{of} per {by}" if by else of,
                          self.problems[i * len(self.parameters) + j])


def sensitivity_of(model: Model, of: Sequence[str], by: Sequence[str], columns: bool,
                   differences: bool, threads: int) -> Sensitivity:
    found, problems = _core.sensitivity(model._core, list(of), list(by), columns, differences, threads)
    if found is None:
        raise ModelError(diagnostics_of(problems))
    (method, parameters, responses, derivatives, relative, errors, why, missing, notes, names,
     cells) = found
    return Sensitivity(method, {name: (value, unit) for name, value, unit in parameters},
                       {name: (value, unit) for name, value, unit in responses}, derivatives,
                       relative, errors, tuple(why),
                       tuple(MissingDerivative(*m) for m in missing), tuple(notes),
                       {name: cells[:, i] for i, (name, _) in enumerate(names)})


@dataclass(frozen=True)
class DesignValue:
    """A design variable or the objective: its start value and its final value."""

    start: float
    value: float
    unit: str


@dataclass(frozen=True)
class DesignConstraint:
    """A constraint, as written in the model, and the value of its response."""

    text: str
    value: float
    unit: str


@dataclass(frozen=True)
class ActiveConstraint:
    """An active constraint or bound, with its (scaled) multiplier."""

    name: str
    multiplier: float


@dataclass(frozen=True)
class Optimisation:
    """The best design that was found. `model` is the model with its values, comments kept; `history`
    has the columns of all runs, `history_units` their units; `residual` is that of the optimality
    (Karush, Kuhn and Tucker) conditions."""

    status: str
    feasible: bool
    variables: dict[str, DesignValue]
    objective: Optional[DesignValue]
    constraints: tuple[DesignConstraint, ...]
    active: tuple[ActiveConstraint, ...]
    residual: Optional[float]
    gradients: str
    runs: int
    warnings: tuple[str, ...]
    model: Model = field(repr=False)
    history: dict[str, Array] = field(repr=False)
    history_units: dict[str, str] = field(repr=False)


def _history(text: str) -> tuple[dict[str, Array], dict[str, str]]:
    head, *rows = csv.reader(io.StringIO(text))
    names = [re.fullmatch(r"(.*?)(?: \[(.*)\])?", column, re.S) for column in head]
    columns = {match[1]: np.array([float(row[i] or "nan") for row in rows])
               for i, match in enumerate(names) if match}
    return columns, {match[1]: match[2] or "" for match in names if match}


def optimise(model: Model, method: str, starts: int, evaluations: int, accuracy: float, seed: int,
             threads: int) -> Optimisation:
    from .model import Model

    text, problems = _core.optimise(model._core, method, starts, evaluations, accuracy, seed, threads)
    if not text:
        raise ModelError(diagnostics_of(problems))
    found = json.loads(text)
    objective = found.get("objective")
    history, units = _history(found["history"])
    return Optimisation(
        found["status"], found["feasible"],
        {name: DesignValue(**value) for name, value in found["variables"].items()},
        DesignValue(objective["start"], objective["value"], objective["unit"]) if objective else None,
        tuple(DesignConstraint(**c) for c in found["constraints"]),
        tuple(ActiveConstraint(**a) for a in found["active"]),
        found["residual"], found["gradients"], found["runs"], tuple(found["warnings"]),
        Model(found["model"], file=model.file), history, units)


@dataclass(frozen=True)
class Linkage:
    """A linkage that was found. Lengths in m, angles in rad; `worst_error` over the tolerance of its
    position; `transmission` is the least transmission angle over the motion."""

    type: str
    origin: str
    worst_error: float
    transmission: float
    size: float
    crank_turns: bool
    defects: tuple[str, ...]
    runs: bool
    numbers: dict[str, float] = field(repr=False)
    text: str = field(repr=False)
    svg: str = field(repr=False)

    @property
    def model(self) -> Model:
        """The linkage as a model that runs."""
        from .model import Model

        return Model(self.text, file="linkage.toml")

    def drawing(self) -> Svg:
        """Its first position, its path and the task."""
        return Svg(self.svg)

    def _repr_svg_(self) -> str:
        return self.svg


@dataclass(frozen=True)
class Synthesis:
    """Linkages that fulfil the task, the best first; `atlas` shows them side by side."""

    kind: str
    mechanism: str
    starts: int
    solved: int
    distinct: int
    solutions: tuple[Linkage, ...]
    atlas: Report = field(repr=False)

    def _repr_html_(self) -> str:
        return self.atlas._repr_html_()


Task = Union[str, os.PathLike[str], Sequence[Sequence[float]], Array]
_HEADS = {"path": ["x [m]", "y [m]"], "motion": ["x [m]", "y [m]", "angle [rad]"],
          "function": ["input [rad]", "output [rad]"]}


def _task(kind: str, task: Task, mechanism: str, tolerance: Optional[float],
          any_order: bool) -> _core.Task:
    if isinstance(task, str):
        text, is_table = task, False
    elif isinstance(task, os.PathLike):
        text, is_table = Path(task).read_text(encoding="utf-8"), Path(task).suffix == ".csv"
    else:
        head = list(_HEADS.get(kind, []))
        if kind == "function" and mechanism == "slider-crank":
            head[1] = "output [m]"
        table = np.asarray(task, dtype=float)
        if table.ndim != 2 or (head and table.shape[1] != len(head)):
            raise ValueError(f"a {kind} needs an array with the columns {', '.join(head)}")
        rows = [",".join(repr(float(x)) for x in row) for row in table]
        text, is_table = "\n".join([",".join(head), *rows]) + "\n", True
    asked = _core.Task(kind, text, is_table, mechanism, tolerance, any_order)
    if isinstance(task, os.PathLike):
        asked.file = os.fspath(task)
    return asked


def _found(task: _core.Task, starts: int, keep: int, seed: int, threads: int) -> Synthesis:
    text, problems = _core.synthesise(task, starts, keep, seed, threads)
    if not text:
        raise ModelError(diagnostics_of(problems))
    found = json.loads(text)
    solutions = tuple(
        Linkage(s["type"], s["origin"], s["worst_error"], s["transmission_rad"], s["size_m"],
                s["crank_turns"], tuple(name for name, is_there in s["defects"].items() if is_there),
                s["runs"], s["numbers"], s["model"], s["svg"]) for s in found["solutions"])
    return Synthesis(found["kind"], found["mechanism"], found["starts"], found["solved"],
                     found["distinct"], solutions, Report(found["atlas"]))


def synthesise(kind: str, task: Task, *, mechanism: str = "", tolerance: Optional[float] = None,
               any_order: bool = False, starts: int = 2000, keep: int = 12, seed: int = 1,
               threads: int = 0) -> Synthesis:
    """Linkages that fulfil a task (docs/analyses/synthesis.md).

    kind: "path", "function" or "motion".
    task: an array in m and rad (path: x, y; motion: x, y, angle; function: input, output), the path
        of a TOML or CSV file as a `pathlib.Path`, or the text of a TOML file.
    mechanism: "four-bar", "slider-crank", "six-bar" or "six-bar-watt"; not given: as the file says,
        or a four-bar.
    tolerance: the allowed error of a point, m. any_order: the positions need not follow each other."""
    return _found(_task(kind, task, mechanism, tolerance, any_order), starts, keep, seed, threads)


def synthesise_from(model: Model, kind: str, task: Task, point: str, output: str, fix_pivots: bool,
                    tolerance: Optional[float], any_order: bool,
                    search: tuple[int, int, int, int]) -> Synthesis:
    asked = _task(kind, task, "", tolerance, any_order)
    asked.from_model(model._core, point, output, not fix_pivots)
    return _found(asked, *search)
