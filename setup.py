"""Builds the wheel: CMake makes the package in its build folder, and the wheel takes it from there.
PAWL_BUILD names a build folder that is there already; otherwise one is made."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent.resolve()


class CMakeBuild(build_ext):
    def run(self):
        build = Path(os.environ.get("PAWL_BUILD") or Path(self.build_temp) / "cmake").resolve()
        if not (build / "CMakeCache.txt").exists():
            subprocess.run(["cmake", "--preset", "release", "-B", build, "-DPAWL_TESTS=OFF",
                            "-DPAWL_BENCH=OFF"], cwd=ROOT, check=True)
        subprocess.run(["cmake", "--build", build, "--target", "pawl_python", "--parallel",
                        str(os.cpu_count())], check=True)
        target = Path(self.build_lib) / "pawl"
        target.mkdir(parents=True, exist_ok=True)
        for file in (build / "python/pawl").iterdir():
            if file.is_file():
                shutil.copy2(file, target)


version = re.search(r"project\(pawl VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
setup(version=version, ext_modules=[Extension("pawl._core", [])], packages=[],
      cmdclass={"build_ext": CMakeBuild})
