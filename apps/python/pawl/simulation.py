"""A dynamic run that is advanced step by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Mapping, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _core
from .errors import Diagnostic, ModelError, diagnostics_of
from .model import Model, Value
from .result import Event, Result, events_of

Array = npt.NDArray[np.float64]
Controller = Callable[[float, "Simulation"], Optional[Mapping[str, Union[float, str]]]]


@dataclass(frozen=True)
class State:
    """Coordinates, velocities and auxiliary states, SI."""

    t: float
    q: Array
    v: Array
    z: Array


class Simulation(_core.Simulation):
    """A dynamic run that can be advanced step by step, read, changed, saved and restored.

    `step()` takes one step of the integrator and returns False when the run is over; `advance_to(t)`
    takes steps until the motion is known at t. The steps do not depend on the requested times."""

    def __init__(self, model: Model):
        super().__init__(model._core)
        self._model = model

    @property
    def now(self) -> State:
        """The state where the last step ends."""
        return State(*self.state())

    def at(self, t: float) -> State:
        """The state at a time inside the last step."""
        return State(*self.state_at(t))

    def measures(self, t: Optional[float] = None) -> dict[str, float]:
        """The measures of the model in their units, at a time inside the last step."""
        readings = self.measures_at(self.time if t is None else t)
        return {name: value for name, (value, _) in readings.items()}

    def rates(self, t: Optional[float] = None) -> dict[str, float]:
        """The rates of the measures."""
        readings = self.measures_at(self.time if t is None else t)
        return {name: rate for name, (_, rate) in readings.items()}

    def set(self, name: str, value: Union[float, str]) -> None:
        """Sets a parameter or an input, from the time on that was advanced to; a number
        is in SI units. Raises ModelError for values that cannot change during the run."""
        problems = (self.set_text(name, value) if isinstance(value, str)
                    else self.set_number(name, float(value)))
        self._accept(problems)

    def drive(self, controller: Controller, every: float, until: Optional[float] = None) -> bool:
        """Calls `controller(t, simulation)` at the sample times 0, every, 2 every, ... and sets the
        inputs that it returns. It may keep a memory of its own; what it sets holds until
        the next one. Returns False when the run is over before `until` (the end, if not given)."""
        if not every > 0:
            raise ValueError("the time between samples must be positive")
        end = float(self._model.settings.end) if until is None else until
        sample = round(self.time / every) if self.time > 0 else 0
        while sample * every < end:
            t = sample * every
            if t >= self.begin_of_step:
                if not self.advance_to(t):
                    return False
                for name, value in (controller(t, self) or {}).items():
                    self.set(name, value)
            sample += 1
        return self.advance_to(end)

    def happened(self) -> tuple[Event, ...]:
        """The events until now."""
        return events_of(self.events())

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Why the run cannot continue; empty if it can."""
        return diagnostics_of(self.problems())

    def restart(self, values: Optional[Mapping[str, Value]] = None, **more: Value) -> None:
        """Starts again, with other values of any parameters."""
        self._accept(self.reset(self._model._as_values({**(values or {}), **more})))

    def result(self) -> Result:
        """The result until now, with its audit. The simulation is then at its beginning."""
        return Result(self.finish())

    def _accept(self, problems: list[tuple[str, str, int, int, str]]) -> None:
        diagnostics = diagnostics_of(problems)
        if any(d.severity == "error" for d in diagnostics):
            raise ModelError(diagnostics)
