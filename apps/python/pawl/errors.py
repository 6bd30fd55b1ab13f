"""What goes wrong, with its places in the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Iterable, Optional, Tuple

if TYPE_CHECKING:
    from .result import Result

Record = Tuple[str, str, int, int, str]


@dataclass(frozen=True)
class Diagnostic:
    """A message and its place. Line and column count from 1; line 0: no place is known."""

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
    """The base of the errors of this package; `diagnostics` are the messages with their places."""

    def __init__(self, diagnostics: Iterable[Diagnostic], message: str = ""):
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(map(str, self.diagnostics)) or message)


class ModelError(PawlError):
    """A model, or a value that was given for it, is wrong."""


class AssemblyError(PawlError):
    """The bodies of a model cannot be put together."""


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
