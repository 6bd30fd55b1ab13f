"""Runs the recipes of docs/python.md and of the README, and compares what they print."""

import contextlib
import io
import os
import re
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def recipes():
    """(title, code, what it prints) of each section that has code."""
    pages = [(ROOT / page).read_text(encoding="utf-8") for page in ("docs/python.md", "README.md")]
    for section in re.split(r"^## ", "\n".join(pages), flags=re.M)[1:]:
        code = re.findall(r"^```python\n(.*?)^```", section, flags=re.M | re.S)
        printed = re.findall(r"^```text\n(.*?)^```", section, flags=re.M | re.S)
        if code:
            yield section.splitlines()[0], "\n".join(code), "".join(printed)


RECIPES = list(recipes())


def test_there_are_ten_recipes():
    assert len([title for title, _, _ in RECIPES if re.match(r"\d+\.", title)]) == 10


@pytest.mark.parametrize("title, code, printed", RECIPES, ids=[title for title, _, _ in RECIPES])
def test_a_recipe_prints_what_the_page_shows(title, code, printed, tmp_path, monkeypatch):
    shutil.copytree(ROOT / "models", tmp_path / "models")
    monkeypatch.chdir(tmp_path)
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code, title, "exec"), {"__name__": "recipe"})
    assert output.getvalue() == printed
    assert os.getcwd() == str(tmp_path)
