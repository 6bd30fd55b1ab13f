"""Writing TOML: enough for model files."""

from __future__ import annotations

import json
import re
from typing import Any, Mapping

import numpy as np


def value_text(value: Any) -> str:
    """A value that replaces one of a model: texts as they are, all else as TOML."""
    return value if isinstance(value, str) else toml_text(value)


def toml_text(value: Any) -> str:
    """A value in TOML, on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int):
        return repr(int(value))
    if isinstance(value, Mapping):
        inside = ", ".join(f"{key_text(k)} = {toml_text(v)}" for k, v in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(toml_text(v) for v in value) + "]"
    try:
        return repr(float(value))
    except (TypeError, ValueError):
        raise TypeError(f"a model has no value like {value!r}: give a number, a text, a list or a "
                        "table") from None


def key_text(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=False)


class Tables:
    """The tables of a model in the order in which they are added."""

    def __init__(self, name: str = ""):
        self._top: dict[str, Any] = {"format": 1}
        if name:
            self._top["name"] = name
        self._sections: dict[str, dict[str, Any]] = {}

    def _add(self, header: str, fields: Mapping[str, Any]) -> None:
        section = self._sections.setdefault(header, {})
        # A name that is a word of Python is given with a _ behind it.
        section.update({k.rstrip("_"): v for k, v in fields.items() if v is not None})

    def text(self) -> str:
        """The model file."""
        lines = [f"{key} = {toml_text(value)}" for key, value in self._top.items()]
        for header, fields in self._sections.items():
            lines += ["", f"[{header}]"]
            lines += [f"{key_text(key)} = {toml_text(value)}" for key, value in fields.items()]
        return "\n".join(lines) + "\n"
