"""New models of common mechanisms from a few numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence, Union

from . import _core
from .errors import Diagnostic, ModelError
from .model import Model
from .toml import value_text

Number = Union[float, str, Sequence[float]]


@dataclass(frozen=True)
class GeneratorNumber:
    """A number that a generator accepts; `standard` is "" if it follows from the others."""

    name: str
    standard: str
    meaning: str
    choices: tuple[str, ...]


@dataclass(frozen=True)
class Generator:
    """A mechanism that `new_model` can write."""

    name: str
    summary: str
    numbers: tuple[GeneratorNumber, ...]


def generators() -> dict[str, Generator]:
    """The mechanisms that `new_model` can write, with their numbers."""
    return {name: Generator(name, summary, tuple(GeneratorNumber(n, standard, meaning, tuple(choices))
                                                 for n, standard, meaning, choices in numbers))
            for name, summary, numbers in _core.generators()}


def new_model(mechanism: str, **numbers: Number) -> Model:
    """A model of a mechanism: `new_model("geneva", slots=6, centres="80 mm")`. A plain number has the
    unit of the default; a name that is a word of Python is given with a _ behind it. Raises
    ModelError with the reasons where the numbers make none."""
    def text(value: Number) -> str:
        if isinstance(value, (str, float, int)):
            return value_text(value)
        return " ".join(repr(float(x)) for x in value)

    made, _, problems = _core.new_model(mechanism, [(name.rstrip("_"), text(value))
                                                    for name, value in numbers.items()])
    if problems:
        raise ModelError(Diagnostic("error", mechanism, 0, 0, problem) for problem in problems)
    return Model(made, file=f"{mechanism}.toml")
