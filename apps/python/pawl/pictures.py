"""Pictures and reports that show themselves in a notebook."""

from __future__ import annotations

import html
import os
from pathlib import Path
from typing import Union


class Svg(str):
    """A picture: the text of an SVG file."""

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        Path(path).write_text(self, encoding="utf-8")

    def _repr_svg_(self) -> str:
        return str(self)


class Report(str):
    """A report: the text of a self-contained HTML file."""

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        Path(path).write_text(self, encoding="utf-8")

    def _repr_html_(self) -> str:
        # The scripts of a report run, and reach nothing outside of their frame.
        return (f'<iframe srcdoc="{html.escape(self)}" sandbox="allow-scripts" width="100%" '
                'height="720" style="border: 0"></iframe>')
