"""Models: read, changed by their parameters, run."""

from __future__ import annotations

import inspect
import os
import warnings
from dataclasses import dataclass
from numbers import Real
from typing import Any, Callable, Iterator, Mapping, Optional, Sequence, Union

from . import _core
from .design import (Optimisation, Sensitivity, Synthesis, Task, Tolerance, optimise,
                     sensitivity_of, synthesise_from, tolerance_of)
from .errors import AssemblyError, Diagnostic, ModelError, ModelWarning, diagnostics_of
from .pictures import Svg
from .result import Result
from .sweeps import Sweep, Vary, sweep
from .toml import value_text

Function = Callable[..., float]
Functions = dict[str, tuple[Function, list[str]]]
Value = Union[float, str, bool, Sequence[Any]]


@dataclass(frozen=True)
class ParameterInfo:
    """A parameter of a model: its value in SI units (as written where the model gives no unit)."""

    name: str
    value: float
    unit: str
    min: Optional[float]
    max: Optional[float]
    is_input: bool


class Parameters:
    """The parameters and inputs of a model as attributes. A number is in SI units; a text has its
    unit: `model.parameters.height = "20 mm"`."""

    _model: Model

    def __init__(self, model: Model):
        object.__setattr__(self, "_model", model)

    def _all(self) -> dict[str, ParameterInfo]:
        return {p[0]: ParameterInfo(*p) for p in self._model._core.parameters()}

    def info(self, name: str) -> ParameterInfo:
        """Unit and limits of a parameter."""
        return self._all()[name]

    def __getattr__(self, name: str) -> float:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self._all()[name].value
        except KeyError:
            raise AttributeError(f"the model has no parameter '{name}'; it has "
                                 + (", ".join(self) or "none")) from None

    def __setattr__(self, name: str, value: Value) -> None:
        self._model.set(name, value)

    def __getitem__(self, name: str) -> float:
        return self._all()[name].value

    def __setitem__(self, name: str, value: Value) -> None:
        self._model.set(name, value)

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __dir__(self) -> list[str]:
        return [*object.__dir__(self), *self]

    def __repr__(self) -> str:
        rows = (f"{p.name} = {p.value:g} {p.unit}".rstrip() for p in self._all().values())
        return f"Parameters({', '.join(rows)})"


class Settings:
    """The table [run] of a model as attributes, times in seconds: `model.settings.end = 2`."""

    _model: Model

    def __init__(self, model: Model):
        object.__setattr__(self, "_model", model)

    def __getattr__(self, name: str) -> Any:
        settings = self._model._core.settings()
        if name not in settings:
            raise AttributeError(f"no setting '{name}'; there are " + ", ".join(settings))
        return settings[name]

    def __setattr__(self, name: str, value: Value) -> None:
        self._model._change(self._model._settings_as_values({name: value}))

    def __dir__(self) -> list[str]:
        return [*object.__dir__(self), *self._model._core.settings()]

    def __repr__(self) -> str:
        return f"Settings({self._model._core.settings()})"


@dataclass(frozen=True)
class BodyPosition:
    """The position and angle of a body: m, m, rad."""

    x: float
    y: float
    angle: float


@dataclass(frozen=True)
class Check:
    """What `Model.check` finds."""

    degrees_of_freedom: int
    gruebler: int
    redundant: tuple[str, ...]
    notes: tuple[str, ...]
    positions: dict[str, BodyPosition]
    warnings: tuple[Diagnostic, ...]


class Model:
    """A mechanism and its analysis, as described by a model file.

    `Model(text)` reads a text, `Model.from_file(path)` a file, and a `Builder` makes one from
    Python. Keywords replace values of parameters: `Model(text, height="2 m")`. Mistakes raise
    `ModelError` with all places."""

    def __init__(self, text: str, *, file: str = "model.toml", **values: Value):
        self._core = _accepted(_core.Model.read(text, file, []))
        self._functions: Functions = {}
        if values:
            self._change(self._as_values(values))

    @classmethod
    def from_file(cls, path: Union[str, os.PathLike[str]], **values: Value) -> Model:
        """Reads a model file."""
        model = cls._of(_accepted(_core.Model.read_file(os.fspath(path), [])))
        if values:
            model._change(model._as_values(values))
        return model

    @classmethod
    def _of(cls, core: _core.Model, functions: Optional[Functions] = None) -> Model:
        model = cls.__new__(cls)
        model._core = core
        model._functions = functions or {}
        return model

    @property
    def text(self) -> str:
        """The text as it was read, without later changes of values."""
        return self._core.text()

    @property
    def file(self) -> str:
        """The name of the file, for messages."""
        return self._core.file()

    @property
    def parameters(self) -> Parameters:
        """The parameters as attributes: `model.parameters.height = "20 mm"`."""
        return Parameters(self)

    @property
    def settings(self) -> Settings:
        """The table [run] as attributes: `model.settings.rtol = 1e-10`."""
        return Settings(self)

    def set(self, name: str, value: Value) -> None:
        """Sets a parameter, or any value of the file by its path:
        `model.set("body.crank.mass", "2 kg")`."""
        self._change(self._as_values({name: value}))

    def changed(self, values: Optional[Mapping[str, Value]] = None, **more: Value) -> Model:
        """A copy of the model with other values; this one stays as it is."""
        return Model._of(_accepted(self._core.changed(self._as_values({**(values or {}), **more}))),
                         self._functions)

    def check(self) -> Check:
        """Assembles the model and counts its degrees of freedom. Raises AssemblyError."""
        found, problems = self._core.check()
        diagnostics = diagnostics_of(problems)
        if found is None:
            raise AssemblyError(diagnostics)
        degrees, gruebler, redundant, notes, positions = found
        return Check(degrees, gruebler, tuple(redundant), tuple(notes),
                     {name: BodyPosition(*pose) for name, *pose in positions}, diagnostics)

    def kinematics(self, **settings: Value) -> Result:
        """Driven motion: position, velocity, acceleration. Keywords are the keys of [run]."""
        return Result(self._with_settings(settings)._core.kinematics())._checked()

    def inverse(self, **settings: Value) -> Result:
        """Given motion: forces of the drivers and all reactions."""
        return Result(self._with_settings(settings)._core.inverse())._checked()

    def dynamics(self, **settings: Value) -> Result:
        """Motion under forces, with contacts, friction and impacts."""
        return Result(self._with_settings(settings)._core.dynamics())._checked()

    def statics(self, at: float = 0.0, *, vibrations: bool = False, along: bool = False,
                **settings: Value) -> Result:
        """The equilibrium with the drivers and loads of a time (s): one row. With `vibrations` the
        modes are in `result.summary`; with `along` the equilibrium is followed in time."""
        core = self._with_settings(settings)._core
        return Result(core.quasi_static() if along else core.equilibrium(at, vibrations))._checked()

    def run(self, **settings: Value) -> Result:
        """The analysis that the table [run] asks for. Raises AssemblyError, or RunError with the
        motion until then; an audit that failed is an AuditWarning."""
        return Result(self._with_settings(settings)._core.analyse())._checked()

    def compute(self, name: str, function: Optional[Function] = None, *,
                of: Optional[Sequence[str]] = None) -> Any:
        """An input of the model as a function, in place of its value: a force, a torque, a rate.

        The arguments of the function are found by their names: `t`, a measure, its rate as
        NAME_rate, or a state of the model, all in SI units; `of` names them for functions
        whose arguments are called otherwise (`of=["t", "x", "x.rate"]`). Also as a decorator:

            @model.compute("push")
            def push(t, x, x_rate):
                return -40 * x - 0.3 * x_rate

        It is called for trial states, too, so what it returns must depend on its arguments alone; a
        controller with a memory is for `Simulation.drive`. Its jumps are not located, and the audit
        says so. What it raises ends the run and comes through."""
        if function is None:
            return lambda given: self.compute(name, given, of=of) or given
        if not callable(function):
            raise TypeError(f"the input '{name}' needs a function, not {function!r}")
        arguments = _arguments_of(function) if of is None else list(of)
        self._core = _accepted(self._core.with_function(name, arguments, function))
        self._functions = {**self._functions, name: (function, arguments)}
        return None

    def sweep(self, vary: Optional[Vary] = None, of: Union[str, Sequence[str]] = (), *,
              method: str = "", runs: int = 0, seed: Optional[int] = None, threads: int = 0,
              file: Optional[Union[str, os.PathLike[str]]] = None, resume: bool = False,
              client: Any = None) -> Sweep:
        """Many runs with varied values; see `pawl.sweep`."""
        return sweep(self, vary, of, method=method, runs=runs, seed=seed, threads=threads, file=file,
                     resume=resume, client=client)

    def sensitivity(self, of: Union[str, Sequence[str]] = (), by: Union[str, Sequence[str]] = (), *,
                    columns: bool = False, differences: bool = False,
                    threads: int = 0) -> Sensitivity:
        """Derivatives of the responses `of` with respect to the parameters `by` (default: all of the
        model), through impacts and other events. `columns`: also of every column of the run.
        `differences`: from whole runs, as a check."""
        return sensitivity_of(self, [of] if isinstance(of, str) else of,
                              [by] if isinstance(by, str) else by, columns, differences, threads)

    def tolerance(self, of: Union[str, Sequence[str]] = (), *, runs: int = 1000, seed: int = 1,
                  threads: int = 0) -> Tolerance:
        """The effect of the tolerances of the parameters on the responses `of` (default: all of the
        model) and on the events: from slopes, at the corners, and in a sample of `runs` runs."""
        return tolerance_of(self, [of] if isinstance(of, str) else of, runs, seed, threads)

    def optimise(self, *, method: str = "", starts: int = 1, evaluations: int = 200,
                 tolerance: float = 1e-8, seed: int = 1, threads: int = 0) -> Optimisation:
        """The best values of the variables listed in the table [design]. The method ("slsqp", "mma",
        "crs") is that of the model where none is given; each start takes so many evaluations at
        most, without those for gradients."""
        return optimise(self, method, starts, evaluations, tolerance, seed, threads)

    def synthesise(self, kind: str, task: Task, *, point: str = "", output: str = "",
                   fix_pivots: bool = False, tolerance: Optional[float] = None,
                   any_order: bool = False, starts: int = 2000, keep: int = 12, seed: int = 1,
                   threads: int = 0) -> Synthesis:
        """This linkage, changed so that a point ("coupler.P") follows a path or takes given poses, or a
        body is the output of a function; see `pawl.synthesise` for the tasks."""
        return synthesise_from(self, kind, task, point, output, fix_pivots, tolerance, any_order,
                               (starts, keep, seed, threads))

    def drawing(self) -> Svg:
        """The mechanism at its start."""
        return Svg(self._core.drawing())

    def _repr_svg_(self) -> Optional[str]:
        return self._core.drawing() or None

    def __repr__(self) -> str:
        return f"Model({self.file!r}, {self.parameters!r})"

    def __reduce__(self) -> Any:
        return _rebuilt, (self.text, self.file, self._core.overrides(), self._functions)

    def _with_settings(self, settings: Mapping[str, Value]) -> Model:
        if not settings:
            return self
        return Model._of(_accepted(self._core.changed(self._settings_as_values(settings))),
                         self._functions)

    def _settings_as_values(self, settings: Mapping[str, Value]) -> list[tuple[str, str]]:
        return [(f"run.{name}", value_text(value) + " s" if name in _TIMES and not isinstance(value, str)
                 else value_text(value)) for name, value in settings.items()]

    def _as_values(self, values: Mapping[str, Value]) -> list[tuple[str, str]]:
        units = {p[0]: p[2] for p in self._core.parameters()}
        return [(name, f"{value_text(value)} {units.get(name, '')}".rstrip()
                 if isinstance(value, Real) and not isinstance(value, bool)
                 else value_text(value)) for name, value in values.items()]

    def _change(self, values: list[tuple[str, str]]) -> None:
        self._core = _accepted(self._core.changed(values))


_TIMES = {"end", "step", "largest_step", "integrator_step"}


def _accepted(read: tuple[Optional[_core.Model], list[Any]]) -> _core.Model:
    model, problems = read
    diagnostics = diagnostics_of(problems)
    if model is None:
        raise ModelError(diagnostics)
    for diagnostic in diagnostics:
        warnings.warn(str(diagnostic), ModelWarning, stacklevel=4)
    return model


def _rebuilt(text: str, file: str, values: list[tuple[str, str]], functions: Functions) -> Model:
    model = Model._of(_accepted(_core.Model.read(text, file, values)))
    for name, (function, arguments) in functions.items():
        model.compute(name, function, of=arguments)
    return model


def _arguments_of(function: Function) -> list[str]:
    names = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD,
                              parameter.KEYWORD_ONLY):
            raise TypeError(f"'{parameter}' cannot be an argument of an input; name the arguments "
                            "by of=[...]")
        if parameter.default is not parameter.empty:
            continue  # of the program's own
        name = parameter.name
        names.append(name[:-len("_rate")] + ".rate" if name.endswith("_rate") else name.rstrip("_"))
    return names
