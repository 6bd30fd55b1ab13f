"""Simulations in Python: steps, drives, save and restore; threads, Ctrl-C, speed."""

import math
import os
import signal
import statistics
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import pawl

CART = """format = 1
[inputs]
push = "0 N"
[body.cart]
mass = 2
[joint.rail]
type = "prismatic"
a = "ground"
b = "cart"
[force.motor]
type = "joint_force"
joint = "rail"
value = "push"
[measure.way]
type = "joint"
joint = "rail"
unit = "mm"
[run]
analysis = "dynamics"
end = 1
step = 0.1
"""


def test_steps_are_those_of_a_run(ball):
    simulation = pawl.Simulation(ball)
    steps = 0
    while simulation.step():
        assert simulation.begin_of_step < simulation.time
        steps += 1
    result = simulation.result()
    assert steps > 3 and result.complete and result.audit.passed
    assert np.array_equal(result["ball.y"], ball.run()["ball.y"])


def test_the_state_is_known_inside_the_last_step(ball):
    simulation = pawl.Simulation(ball)
    assert simulation.advance_to(0.2)
    state = simulation.at(0.2)
    assert state.t == 0.2
    values = dict(zip(simulation.coordinates(), state.q))
    assert min(abs(y - (1 - 9.81 / 2 * 0.04)) for y in values.values()) < 1e-9
    assert simulation.now.t == simulation.time >= 0.2
    with pytest.raises(ValueError, match="last step"):
        simulation.at(simulation.time + 1)
    with pytest.raises(ValueError):
        simulation.at(math.nan)


def test_a_restored_simulation_goes_on_with_the_same_bits(ball):
    one, other = pawl.Simulation(ball), pawl.Simulation(ball)
    one.advance_to(0.3)
    saved = one.save()
    assert isinstance(saved, bytes) and other.restore(saved)
    while one.step():
        assert other.step()
    assert np.array_equal(one.result()["ball.y"], other.result()["ball.y"])
    assert not other.restore(b"nothing") and other.time == 0


def test_values_are_set_on_the_way():
    model = pawl.Model(CART)
    simulation = pawl.Simulation(model)
    simulation.advance_to(0.5)
    simulation.set("push", 4)  # N: 2 m/s^2 from now on
    simulation.advance_to(1)
    assert simulation.measures(1)["way"] == pytest.approx(1000 * 0.5**2, rel=1e-9)
    assert simulation.rates(1)["way"] == pytest.approx(1000 * 2 * 0.5, rel=1e-9)
    assert [event.kind for event in simulation.happened()] == ["user"]
    with pytest.raises(pawl.ModelError, match="pull"):
        simulation.set("pull", 4)
    simulation.restart({"body.cart.mass": 4})
    assert simulation.time == 0
    simulation.set("push", "4 N")
    simulation.advance_to(1)
    assert simulation.measures(1)["way"] == pytest.approx(1000 * 0.5, rel=1e-9)


def test_a_controller_with_memory_runs_at_its_samples():
    class Integral:
        def __init__(self):
            self.sum, self.times = 0.0, []

        def __call__(self, t, simulation):
            self.times.append(t)
            self.sum += 1
            return {"push": self.sum}

    controller, simulation = Integral(), pawl.Simulation(pawl.Model(CART))
    assert simulation.drive(controller, every=0.25)
    assert controller.times == [0, 0.25, 0.5, 0.75]
    # By hand: accelerations 0.5, 1, 1.5, 2 m/s^2 for a quarter of a second each.
    way = speed = 0.0
    for push in (1, 2, 3, 4):
        way += speed * 0.25 + push / 2 * 0.25**2 / 2
        speed += push / 2 * 0.25
    assert simulation.measures(1)["way"] == pytest.approx(1000 * way, rel=1e-9)
    assert simulation.result().audit.passed
    with pytest.raises(ValueError):
        simulation.drive(controller, every=0)
    with pytest.raises(ZeroDivisionError):
        simulation.drive(lambda t, s: {"push": 1 / 0}, every=0.1)


def test_threads_run_side_by_side_and_agree(double_pendulum):
    starts = [(0.3 + 0.1 * i, 0.5 + 0.05 * i) for i in range(16)]

    def tip(start):
        return double_pendulum.changed(first=start[0], second=start[1]).run()["lower.angle"][-1]

    alone = [tip(start) for start in starts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(tip, starts)) == alone


def test_the_lock_of_the_interpreter_is_released(double_pendulum):
    ticks, done = [], threading.Event()

    def run():
        double_pendulum.run(end=300, step=1)
        done.set()

    thread = threading.Thread(target=run)
    thread.start()
    while not done.is_set():
        ticks.append(time.perf_counter())
        time.sleep(0.001)
    thread.join()
    assert len(ticks) > 10 and max(np.diff(ticks)) < 0.2


def test_one_simulation_may_be_asked_by_several_threads(ball):
    simulation = pawl.Simulation(ball)

    def ask():
        for _ in range(200):
            simulation.step()
            assert simulation.now.q.shape == (3,)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    while simulation.step():
        pass
    assert simulation.result().audit.passed


def test_ctrl_c_ends_a_run():
    program = textwrap.dedent("""
        import sys, pawl
        sys.path.insert(0, sys.argv[1])
        from conftest import DOUBLE_PENDULUM
        model = pawl.Model(DOUBLE_PENDULUM)
        print("ready", flush=True)
        try:
            model.run(end=1e6, step=1000) if sys.argv[2] == "run" else pawl.Simulation(
                model.changed({"run.end": "1e6 s", "run.step": "1000 s"})).advance_to(1e6)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """)
    for what in ("run", "advance"):
        process = subprocess.Popen([sys.executable, "-c", program, os.path.dirname(__file__), what],
                                   stdout=subprocess.PIPE, text=True)
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=20)[0] == "interrupted\n"


def test_a_step_costs_little_more_from_python():
    # A call that does no work: the run is over.
    simulation = pawl.Simulation(pawl.Model(CART))
    while simulation.step():
        pass

    def per_call():
        begin = time.perf_counter()
        for _ in range(10000):
            simulation.step()
        return (time.perf_counter() - begin) / 10000

    assert statistics.median(per_call() for _ in range(5)) < 2e-6
