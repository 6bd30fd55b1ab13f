"""Errors and warnings, with line and column in the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Iterable, Optional, Tuple

if TYPE_CHECKING:
    from .result import Result

Record = Tuple[str, str, int, int, str]


@dataclass(frozen=True)
class Diagnostic:
    """A message with line and column, counted from 1; line 0: the position is unknown."""

    severity: str
    file: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return f"{place}: {self.severity}: {self.message}"


def diagnostics_of(records: Iterable[Record]) -> tuple[Diagnostic, ...]:
    return tuple(Diagnostic(*record) for record in records)


class PawlError(Exception):
    """The base of the errors of this package; `diagnostics` are the messages with line and column."""

    def __init__(self, diagnostics: Iterable[Diagnostic], message: str = ""):
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(map(str, self.diagnostics)) or message)


class ModelError(PawlError):
    """A model, or a value given for it, is invalid."""


class AssemblyError(PawlError):
    """A model cannot be assembled."""


class RunError(PawlError):
    """A run ended early; `result` holds the motion until then."""

    def __init__(self, diagnostics: Iterable[Diagnostic], message: str = "",
                 result: Optional[Result] = None):
        super().__init__(diagnostics, message)
        self.result = result


class ModelWarning(UserWarning):
    """Something in a model looks like a mistake."""


class AuditWarning(UserWarning):
    """A check of the audit of a run has failed."""
