"""The notebooks of docs/notebooks run from top to bottom, and show what they promise."""

import os
import shutil
from pathlib import Path

import pytest

import pawl

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))


def test_there_are_two_notebooks_without_outputs_in_the_sources():
    assert len(NOTEBOOKS) == 2
    for path in NOTEBOOKS:
        cells = nbformat.read(path, as_version=4).cells
        assert all(not cell.get("outputs") for cell in cells), path


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_a_notebook_runs(path, tmp_path):
    shutil.copytree(ROOT / "models", tmp_path / "models")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3",
                            resources={"metadata": {"path": str(tmp_path)}}).execute(
        env={**os.environ, "PYTHONPATH": str(Path(pawl.__file__).parents[1])})
    shown = {kind for cell in notebook.cells for output in cell.get("outputs", [])
             for kind in output.get("data", {})}
    if path.stem == "cam":
        frames = [output["data"]["text/html"] for cell in notebook.cells
                  for output in cell.get("outputs", []) if "text/html" in output.get("data", {})]
        assert "image/svg+xml" in shown and "image/png" in shown
        assert any("srcdoc=" in frame and 'sandbox="allow-scripts"' in frame for frame in frames)
