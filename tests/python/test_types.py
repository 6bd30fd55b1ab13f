"""The types of the package: mypy accepts it and finds mistakes, and the stub of _core is true."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pawl

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def mypy(*arguments, cwd):
    package = Path(pawl.__file__).parent
    return subprocess.run([sys.executable, "-m", *arguments], text=True, capture_output=True, cwd=cwd,
                          env={**os.environ, "MYPYPATH": str(package.parent),
                               "PYTHONPATH": str(package.parent)})


def test_mypy_accepts_the_package(tmp_path):
    checked = mypy("mypy", "--config-file", str(ROOT / "pyproject.toml"), "--cache-dir",
                   str(tmp_path), "-p", "pawl", cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_mypy_finds_the_seeded_mistakes_and_no_others(tmp_path):
    program = HERE / "types_check.py"
    checked = mypy("mypy", "--config-file", str(ROOT / "pyproject.toml"), "--cache-dir",
                   str(tmp_path), str(program), cwd=tmp_path)
    found = {(int(line), code) for line, code in
             re.findall(r"types_check\.py:(\d+): error:.*\[([a-z-]+)\]", checked.stdout)}
    wanted = {(number, match[1]) for number, line in enumerate(program.read_text().splitlines(), 1)
              if (match := re.search(r"# error: (\S+)", line))}
    assert found == wanted, checked.stdout + checked.stderr
    assert checked.stdout.count("error:") == len(wanted), checked.stdout


def test_the_stub_of_the_core_names_what_is_there(tmp_path):
    checked = mypy("mypy.stubtest", "pawl._core", "--mypy-config-file",
                   str(ROOT / "pyproject.toml"), cwd=tmp_path)
    # pybind11 has a metaclass of its own, and classes that only it makes refuse __init__.
    problems = [line for line in checked.stdout.splitlines() if line.startswith("error:")
                and "metaclass differs" not in line and ".__init__ is inconsistent" not in line]
    assert "checked 1 module" in checked.stdout and not problems, checked.stdout
