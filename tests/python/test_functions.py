"""Forces written in Python: inputs as functions."""

import math
import os
import pickle
import signal
import threading
import time
import traceback

import numpy as np
import pytest

import pawl

OSCILLATOR = """format = 1
inputs.push = "0 N"
parameters.m = "1 kg"
body.m = {{ mass = "m", inertia = 1, position = [0.3, 0] }}
joint.G = {{ type = "prismatic", a = "ground", b = "m" }}
measure.x = {{ type = "joint", joint = "G", unit = "mm" }}
force.F = {{ type = "joint_force", joint = "G", value = "{}" }}
run = {{ analysis = "dynamics", end = 2, step = 0.01, rtol = 1e-11, atol = 1e-11 }}
"""
EXPRESSION = "-40*x*(1 + 3*x^2) - 0.3*x.rate + 8*sin(5*t)"


def force(t, x, x_rate):
    return -40 * x * (1 + 3 * x**2) - 0.3 * x_rate + 8 * math.sin(5 * t)


@pytest.fixture
def model():
    return pawl.Model(OSCILLATOR.format("push"))


def test_a_function_moves_as_the_expression_does(model):
    model.compute("push", force)
    by_text = pawl.Model(OSCILLATOR.format(EXPRESSION)).run()
    by_function = model.run()
    assert by_function.audit.passed
    assert np.abs(by_function["m.x"] - by_text["m.x"]).max() < 1e-9


def test_a_decorator_leaves_the_function_as_it_is(model):
    @model.compute("push")
    def push(t, x, x_rate):
        return force(t, x, x_rate)

    assert push(0, 0, 0) == 0
    assert model.run()["m.x"][-1] == pytest.approx(
        pawl.Model(OSCILLATOR.format(EXPRESSION)).run()["m.x"][-1], abs=1e-9)


def test_arguments_can_be_named(model):
    seen = []
    model.compute("push", lambda *values: seen.append(values) or 0.0,
                  of=["t", "x.rate"])
    model.run(end=0.1)
    assert seen[0] == (0.0, 0.0)


def test_the_audit_says_what_it_cannot_see(model):
    assert model.run().audit.remarks == ()
    model.compute("push", force)
    result = model.run()
    assert "'push'" in result.audit.remarks[0] and "not located" in result.audit.remarks[0]
    assert result.summary["audit"]["remarks"] == list(result.audit.remarks)


def test_a_jump_in_the_function_keeps_the_accuracy_of_the_steps(model):
    model.compute("push", lambda t: 1.0 if t > 0.37 else 0.0)
    result = model.run(end=1)
    assert result["m.x"][-1] == pytest.approx(0.3 + 0.5 * 0.63**2, abs=1e-7)


def test_what_a_function_raises_comes_through_with_its_traceback(model):
    def burst(t):
        if t > 1.5:
            raise ArithmeticError("the pipe has burst")
        return 1.0

    for integrator in ("dop853", "stiff"):
        changed = model.changed({"run.integrator": integrator})
        changed.compute("push", burst)
        with pytest.raises(ArithmeticError, match="burst") as caught:
            changed.run()
        assert "burst" in [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
        simulation = pawl.Simulation(changed)
        with pytest.raises(ArithmeticError):
            simulation.advance_to(2)
        simulation.restart()
        assert simulation.advance_to(0.2)


def test_what_is_no_number_is_refused(model):
    model.compute("push", lambda t: "far")
    with pytest.raises(TypeError):
        model.run()
    model.compute("push", lambda t: math.nan)
    with pytest.raises(pawl.PawlError):
        model.run()


def test_a_function_with_a_memory_is_refused(model):
    calls = []
    model.compute("push", lambda t: calls.append(t) or 0.01 * len(calls))
    with pytest.raises(RuntimeError, match="for the same arguments"):
        model.run()


def test_mistakes_are_reported(model):
    with pytest.raises(pawl.ModelError, match="no input 'pull'"):
        model.compute("pull", force)
    with pytest.raises(pawl.ModelError, match="did you mean 'x'"):
        model.compute("push", lambda xx: 0.0)
    with pytest.raises(TypeError, match="of="):
        model.compute("push", lambda *values: 0.0)
    with pytest.raises(TypeError, match="needs a function"):
        model.compute("push", 3.0)
    model.compute("push", force)
    with pytest.raises(pawl.ModelError, match="cannot be set"):
        pawl.Simulation(model).set("push", 1.0)


def test_a_function_stays_with_its_model(model):
    model.compute("push", force)
    expected = pawl.Model(OSCILLATOR.format(EXPRESSION), m=2).run()["m.x"][-1]
    assert model.changed(m=2).run()["m.x"][-1] == pytest.approx(expected, abs=1e-9)
    copy = pickle.loads(pickle.dumps(model))
    copy.parameters.m = 2
    assert copy.run()["m.x"][-1] == pytest.approx(expected, abs=1e-9)
    changed = pickle.loads(pickle.dumps(model.changed(m=2)))
    assert changed.run()["m.x"][-1] == pytest.approx(expected, abs=1e-9)
    sweep = model.sweep({"m": [1, 2]}, of=["m.x"])
    assert sweep["m.x"][1] == pytest.approx(expected, abs=1e-9)


def test_ctrl_c_ends_a_run_inside_a_function(model):
    def slow(t):
        time.sleep(0.001)
        return 0.0

    model.compute("push", slow)
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        model.run(end=1000, largest_step=1e-3)
