"""Sweeps, tolerances, optimisation and synthesis in Python, beside the program."""

import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import threading

import numpy as np
import pytest

import pawl
from conftest import BALL

ROOT = pathlib.Path(__file__).parents[2]
MODELS = ROOT / "models"
FALLS = {"height": "0.5 m:2.5 m:5", "contact.C.impact": ["newton", "poisson"]}


def program(*arguments, cwd):
    pawl_program = pathlib.Path(os.environ["PAWL_BUILD"]) / "pawl"
    return subprocess.run([pawl_program, *map(str, arguments)], cwd=cwd, text=True,
                          capture_output=True, check=True).stdout


def test_a_sweep_has_its_columns_as_arrays(ball):
    sweep = ball.sweep(FALLS, of=["t@impact:C#1:1", "max:ball.y"])
    assert len(sweep) == 10 and sweep.columns == ("height", "contact.C.impact", "t@impact:C#1:1",
                                                  "max:ball.y")
    assert sweep.units["height"] == "m" and sweep.units["t@impact:C#1:1"] == "s"
    assert sweep["height"].dtype == float and set(sweep["contact.C.impact"]) == {"newton", "poisson"}
    falls = np.sqrt(2 * (sweep["height"] - 0.1) / 9.81)
    assert np.allclose(sweep["t@impact:C#1:1"], falls, rtol=1e-9, equal_nan=False)
    assert not sweep.failed and sweep.events[0].startswith("impact C#1")
    table = sweep.to_pandas()
    assert list(table.index) == list(range(10)) and table.attrs["units"]["height"] == "m"


def test_sensitivities_are_those_of_the_closed_form(ball):
    found = ball.sensitivity(["t@impact:C:2", "ball.y"], by="height", columns=True)
    assert found.method == "along the run" and not found.missing
    fall = 0.9
    once = np.sqrt(2 * fall / 9.81)
    second = found["t@impact:C:2", "height"]
    # The second impact comes at once (1 + 2 e).
    assert second.value == pytest.approx((found.responses["t@impact:C:2"][0]) / (2 * fall), rel=1e-7)
    assert second.unit == "s per m" and second.error < 1e-7 and not second.problem
    assert found.derivatives.shape == (2, 1)
    in_flight = found.columns["t"] < once * 0.99
    assert np.allclose(found.columns["d(ball.y)/d(height)"][in_flight], 1, atol=1e-9)
    with pytest.raises(pawl.ModelError, match="heigth"):
        ball.sensitivity("ball.y", by="heigth")


def test_runs_that_fail_are_rows_with_their_reason(ball):
    sweep = ball.sweep({"body.ball.mass": [1, -1]}, of="max:ball.y")
    assert sweep.status == ("completed", "bad_model") and sweep.failed == {"bad_model": 1}
    assert "mass" in sweep.messages[1] and sweep.messages[0] == ""
    assert np.isnan(sweep["max:ball.y"][1])


def test_a_file_holds_the_rows_of_the_program(ball, tmp_path):
    (tmp_path / "ball.toml").write_text(BALL)
    program("sweep", "ball.toml", "--vary", "height=0.5 m:2.5 m:50", "--of", "max:ball.vy", "-q",
            "-o", "program.sqlite", cwd=tmp_path)
    file = tmp_path / "python.sqlite"
    sweep = ball.sweep({"height": "0.5 m:2.5 m:50"}, of="max:ball.vy", file=file)

    def rows(path):
        with sqlite3.connect(path) as connection:
            return connection.execute("SELECT * FROM runs ORDER BY run").fetchall()

    assert rows(file) == rows(tmp_path / "program.sqlite") and len(rows(file)) == 50
    assert [row[-1] for row in rows(file)] == list(sweep["max:ball.vy"])
    with pytest.raises(FileExistsError, match="resume=True"):
        ball.sweep({"height": "0.5 m:2.5 m:50"}, of="max:ball.vy", file=file)
    with sqlite3.connect(file) as connection:
        connection.execute("DELETE FROM runs WHERE run % 3 = 0")
    again = ball.sweep({"height": "0.5 m:2.5 m:50"}, of="max:ball.vy", file=file, resume=True)
    assert np.array_equal(again["max:ball.vy"], sweep["max:ball.vy"])
    with pytest.raises(OSError, match="a different sweep"):
        ball.sweep({"height": "0.5 m:2.5 m:49"}, of="max:ball.vy", file=file, resume=True)


def test_a_random_sweep_depends_on_its_seed_alone(ball):
    def values(seed, threads):
        return ball.sweep({"height": "0.5 m:2.5 m"}, of="max:ball.y", method="random", runs=20,
                          seed=seed, threads=threads)["height"]

    assert np.array_equal(values(1, 1), values(1, 3)) and not np.array_equal(values(1, 1), values(2, 1))


def test_mistakes_in_a_sweep_are_diagnostics(ball):
    for arguments, message in ((dict(vary={"heigt": "1:2:3"}), "did you mean 'height'"),
                               (dict(vary={"height": "1 m:2 m:3"}, of="max:bal.y"), "bal.y"),
                               (dict(vary={"height": "1 m:2 m:3"}), "no response"),
                               (dict(vary={"height": "1 m:2 m"}, of="max:ball.y", method="gird"),
                                "did you mean 'grid'")):
        with pytest.raises(pawl.ModelError, match=message):
            ball.sweep(**arguments)


def test_ctrl_c_ends_a_sweep_at_once_and_keeps_its_rows(double_pendulum, tmp_path):
    file = tmp_path / "long.sqlite"
    threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        double_pendulum.sweep({"first": "0.1 rad:1 rad:100000"}, of="upper.angle", file=file)
    with sqlite3.connect(file) as connection:
        assert connection.execute("SELECT count(*) FROM runs").fetchone()[0] > 0
    # Inside one long run, too.
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        double_pendulum.changed({"run.end": "100000 s"}).sweep({"first": [1, 2]}, of="upper.angle")


def test_tolerances_are_those_of_the_program():
    path = MODELS / "latch_tolerance.toml"
    said = json.loads(program("tolerance", path, "--runs", "60", "--json", cwd=ROOT))
    study = pawl.Model.from_file(path).tolerance(runs=60)
    assert [p.name for p in study.parameters] == [p["name"] for p in said["parameters"]]
    for one, other in zip(study.responses, said["responses"]):
        assert (one.name, one.nominal, one.deviation) == (
            other["name"], other["nominal"], other["monte_carlo"]["standard_deviation"])
        assert [e.slope for e in one.effects] == [e["slope"] for e in other["effects"]]
    assert [s.count for s in study.sequences] == [s["count"] for s in said["sequences"]]
    assert len(study.sample) > 60 and study[study.responses[0].name] is study.responses[0]
    with pytest.raises(pawl.ModelError, match="tolerance"):
        pawl.Model(BALL).tolerance("max:ball.y")


def test_an_optimisation_is_that_of_the_program(tmp_path):
    path = MODELS / "cam_spring.toml"
    said = json.loads(program("optimise", path, "--json", "-o", tmp_path / "o.toml", cwd=tmp_path))
    best = pawl.Model.from_file(path).optimise()
    assert best.feasible and best.status == said["status"] and best.runs == said["runs"]
    for name, variable in best.variables.items():
        assert variable.value == said["variables"][name]["value"]
        si = {"N/mm": 1000, "N": 1}[variable.unit]
        assert best.model.parameters[name] == pytest.approx(variable.value * si, rel=1e-9)
        assert len(best.history[name]) == best.runs and best.history_units[name] == variable.unit
    with pytest.raises(pawl.ModelError, match="did you mean 'slsqp'"):
        pawl.Model.from_file(path).optimise(method="slsq")


def test_a_synthesis_finds_linkages_that_run():
    found = pawl.synthesise("path", np.array([[0, 0], [0.01, 0.005], [0.02, 0.006]]),
                            mechanism="slider-crank", starts=8, keep=2)
    assert len(found.solutions) == 2 and found.mechanism == "slider-crank"
    best = found.solutions[0]
    assert best.runs and best.model.run().complete and "crank" in best.numbers
    assert best.drawing().startswith("<svg") and "<html" in found.atlas
    from_file = pawl.synthesise("motion", MODELS / "synthesis/stamping.csv", starts=5, keep=1)
    assert from_file.kind == "motion"
    with pytest.raises(pawl.ModelError, match="did you mean 'path'"):
        pawl.synthesise("pth", "")
    with pytest.raises(pawl.ModelError, match="^task:1:1[0-9]: error"):
        pawl.synthesise("path", "points = [[0, 0], [1]]")
    with pytest.raises(ValueError, match="x \\[m\\], y \\[m\\]"):
        pawl.synthesise("path", np.zeros((3, 3)))


def test_a_synthesis_begins_from_a_model():
    model = pawl.Model.from_file(MODELS / "fourbar_coupler.toml")
    found = model.synthesise("path", MODELS / "synthesis/lifted_path.csv", point="coupler.P",
                             starts=4, keep=1)
    assert found.solutions[0].model.text.count("#") == model.text.count("#")
    with pytest.raises(pawl.ModelError, match="coupler.P"):
        model.synthesise("path", MODELS / "synthesis/lifted_path.csv")


def test_ctrl_c_ends_a_synthesis():
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        pawl.synthesise("path", MODELS / "synthesis/nine_points.toml", starts=1_000_000)
