"""Results in Python: arrays without copies, events with facts, pandas, plots, notebooks."""

import dataclasses
import gc
import json
import math
import warnings

import numpy as np
import pytest

import pawl

CRANK = """format = 1
[body.crank]
mass = 2
inertia = 0.1
centre = [0.1, 0]
points = { A = [0.2, 0] }
[joint.O]
type = "revolute"
a = "ground"
b = "crank"
[driver.motor]
joint = "O"
type = "speed"
speed = 3
[force.weight]
type = "gravity"
[measure.turn]
type = "joint"
joint = "O"
unit = "deg"
[run]
end = 1
step = 0.1
"""


def test_arrays_are_the_memory_of_the_run(ball):
    result = ball.run()
    assert result.values.ctypes.data == result._core.address()
    assert result.values.shape == (len(result), len(result.columns))
    place = result.columns.index("ball.y")
    assert result["ball.y"].ctypes.data == result._core.address() + 8 * place
    assert np.shares_memory(result["ball.y"], result.values)
    assert not result["ball.y"].flags.writeable
    with pytest.raises(ValueError):
        result["ball.y"][0] = 3


def test_arrays_outlive_their_result(ball):
    y = ball.run()["ball.y"]
    gc.collect()
    assert y[0] == 1 and np.all(np.isfinite(y))


def test_columns_are_found_by_name(ball):
    result = ball.run()
    assert result.units["ball.vy"] == "m/s" and "ball.vy" in result and "ball.z" not in result
    falling = result.t < 0.4
    assert result["ball.y"][falling] == pytest.approx(1 - 9.81 / 2 * result.t[falling] ** 2, abs=1e-9)
    with pytest.raises(KeyError, match="did you mean ball.x"):
        result["ball.xx"]


def test_events_have_typed_facts(ball):
    result = ball.changed({"contact.C.restitution": 0.8}).run(end=5)
    impacts = result.events_of("impact")
    first = impacts[0]
    assert first.element == "C#1" and first.causes == ("gap_closes",)
    assert first.normal_velocity_before == pytest.approx(-math.sqrt(2 * 9.81 * 0.9), rel=1e-9)
    assert first.normal_velocity_after == pytest.approx(0.8 * math.sqrt(2 * 9.81 * 0.9), rel=1e-9)
    last = next(e for e in impacts if e.find(pawl.facts.Accumulation))
    fact = last.find(pawl.facts.Accumulation)
    assert isinstance(fact.skipped, int) and fact.until > last.t
    assert fact.units == {"until": "s"}
    assert "impacts accumulate" in last.text
    state = result.events_of("contact_formed")[0].find(pawl.facts.ContactState)
    assert state == pawl.facts.ContactState(2, ("ground-ball-ground",))
    assert first.find(pawl.facts.Rebound) is None


def test_every_kind_of_fact_has_a_class():
    from pawl import _core

    for name, fields in _core.fact_fields():
        kind = pawl.facts.KINDS[name]
        assert [field.name for field in dataclasses.fields(kind)] == [field for field, _, _ in fields]


def test_the_audit_is_a_record(ball):
    audit = ball.run().audit
    assert audit.passed and audit["energy residual"].passed
    assert audit["energy residual"].value <= audit["energy residual"].limit
    lines = {line.element: line for line in audit.ledger}
    assert lines["C"].work < 0 and audit.kinetic_change + lines["weight"].stored == pytest.approx(
        lines["C"].work, rel=1e-6)


def test_kinematics_inverse_and_statics():
    model = pawl.Model(CRANK)
    motion = model.kinematics()
    assert motion["turn"] == pytest.approx(np.degrees(3 * motion.t), rel=1e-12)
    torque = model.inverse()["motor.torque" if "motor.torque" in model.inverse() else "motor.force"]
    assert torque == pytest.approx(2 * 9.81 * 0.1 * np.cos(3 * motion.t), abs=1e-9)
    hanging = pawl.Model(CRANK.split("[driver")[0] + '[force.weight]\ntype = "gravity"\n')
    rest = hanging.statics(vibrations=True)
    assert np.cos(rest["crank.angle"][0] + math.pi / 2) == pytest.approx(1, abs=1e-9)
    frequency = math.sqrt(2 * 9.81 * 0.1 / (0.1 + 2 * 0.01)) / (2 * math.pi)
    modes = rest.summary["modes"]
    assert modes[0]["frequency_Hz"] == pytest.approx(frequency, rel=1e-6)
    along = model.statics(along=True)
    assert len(along) == 11


def test_masses_that_are_missing_are_named():
    model = pawl.Model(CRANK.replace("mass = 2\ninertia = 0.1\ncentre = [0.1, 0]\n", ""))
    with pytest.raises(pawl.ModelError) as caught:
        model.dynamics()
    assert caught.value.diagnostics[0].line == 2


class FailedCore:
    def __init__(self, core):
        self._core = core

    def __getattr__(self, name):
        return getattr(self._core, name)

    def audit_passed(self):
        return False


def test_a_failed_audit_is_a_warning(ball, monkeypatch):
    class Failing(pawl.Result):
        audit = pawl.Audit(False, (pawl.AuditCheck("energy residual", 2, 1, "J", 0, "", "", False),),
                           (), 0)

    failing = Failing(ball._core.dynamics())
    monkeypatch.setattr(failing, "_core", FailedCore(failing._core))
    with pytest.warns(pawl.AuditWarning, match="energy residual"):
        failing._checked()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ball.run()


def test_pandas_shows_the_same_memory(ball):
    result = ball.run()
    table = result.to_pandas()
    assert table.index.name == "t" and table.attrs["units"]["ball.y"] == "m"
    assert list(table["ball.y"]) == list(result["ball.y"])
    events = result.events_to_pandas()
    assert list(events["kind"]) == [event.kind for event in result.events]


def test_plots_have_a_panel_per_unit(ball):
    figure = ball.run().plot("ball.y", "ball.v?")
    assert [panel.get_ylabel() for panel in figure.axes] == ["m", "m/s"]
    assert [line.get_label() for line in figure.axes[1].lines][:2] == ["ball.vx", "ball.vy"]
    with pytest.raises(KeyError):
        ball.run().plot("nothing")
    turn = pawl.Model(CRANK).kinematics().plot()
    assert [panel.get_ylabel() for panel in turn.axes] == ["deg"]


def test_drawings_and_reports_show_themselves(ball, tmp_path):
    assert ball._repr_svg_().startswith("<svg") or "<svg" in ball._repr_svg_()
    result = ball.run()
    assert "t = 0.5 s" in result.drawing(0.5)
    assert "t = 1 s" in result.drawing()
    frame = result._repr_html_()
    assert frame.startswith("<iframe srcdoc=") and 'sandbox="allow-scripts"' in frame
    assert frame.count("<") == 2  # the report is escaped
    result.report().save(tmp_path / "ball.html")
    assert (tmp_path / "ball.html").read_text().startswith("<!doctype html>")


def test_results_are_written_as_the_program_writes_them(ball, tmp_path):
    ball.run().write(tmp_path / "ball.result")
    assert json.loads((tmp_path / "ball.result/result.json").read_text())["status"] == "completed"
    (tmp_path / "other").mkdir()
    (tmp_path / "other/mine.txt").write_text("keep")
    with pytest.raises(OSError):
        ball.run().write(tmp_path / "other")
