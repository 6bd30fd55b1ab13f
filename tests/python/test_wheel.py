"""The wheel: built from the build folder, installed into an empty environment, and run there."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = """
import pawl
model = pawl.Builder().body("crank").joint("O", "revolute", a="ground", b="crank").driver(
    "motor", "speed", joint="O", speed=6.28).model()
print(pawl.__file__, model.kinematics()["crank.angle"][-1], pawl.__version__)
"""


@pytest.mark.skipif("PAWL_BUILD" not in os.environ, reason="no build folder is named")
def test_the_wheel_works_in_an_empty_environment(tmp_path):
    # The build writes beside the sources: a copy of what it needs keeps them clean.
    source = tmp_path / "source"
    source.mkdir()
    for name in ("pyproject.toml", "setup.py", "README.md", "CMakeLists.txt", "LICENSE"):
        (source / name).write_bytes((ROOT / name).read_bytes())
    subprocess.run([sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir",
                    str(tmp_path), str(source)], check=True, capture_output=True, cwd=tmp_path)
    wheel, = tmp_path.glob("pawl-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {"pawl/__init__.py", "pawl/facts.py", "pawl/builder.py", "pawl/py.typed",
            "pawl/_core.pyi"} <= set(names)
    assert not [name for name in names if name.startswith(("src/", "apps/", "tests/"))]
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", str(tmp_path / "empty")],
                   check=True)
    python = tmp_path / "empty/bin/python"
    clean = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    subprocess.run([python, "-m", "pip", "install", "--no-index", "--no-deps", str(wheel)], check=True,
                   capture_output=True, env=clean)
    told = subprocess.run([python, "-c", PROGRAM], check=True, capture_output=True, text=True,
                          env=clean, cwd=tmp_path).stdout.split()
    assert told[0].startswith(str(tmp_path / "empty"))
    assert float(told[1]) == pytest.approx(6.28, rel=1e-12)
