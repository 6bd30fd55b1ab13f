"""Sweeps on a cluster of processes on this computer."""

import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys

import numpy as np
import pytest

import pawl
from conftest import DOUBLE_PENDULUM
from pawl import _core, cluster, sweeps

distributed = pytest.importorskip(
    "distributed", reason="sweeps on a cluster need Dask: apt-get install python3-distributed")

VARY = {"first": "0.1 rad:3 rad:60", "second": "0.2 rad:2 rad:4"}
OF = ["upper.angle", "lower.angle"]


@pytest.fixture(scope="module")
def client():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True,
                                  host="127.0.0.1", dashboard_address=None,
                                  silence_logs=50) as local:
        with distributed.Client(local) as client:
            yield client


@pytest.fixture
def model():
    return pawl.Model(DOUBLE_PENDULUM, file="pendulum.toml")


def rows(path, table="runs"):
    with sqlite3.connect(path) as connection:
        return connection.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()


def pawl_program(*arguments, cwd, **environment):
    program = pathlib.Path(os.environ["PAWL_BUILD"]) / "pawl"
    return subprocess.run([program, *map(str, arguments)], cwd=cwd, text=True, capture_output=True,
                          env={**os.environ, **environment})


def test_a_worker_that_is_killed_loses_nothing(client, model, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "BATCH_SECONDS", 0.02)  # so that there is a middle
    given = sweeps._plan_arguments(model, VARY, OF, "", 0, None)
    file = tmp_path / "cluster.sqlite"
    store, problem = _core.SweepStore.open(str(file), model._core, sweeps.read_plan(model, given),
                                           False)
    assert not problem
    killed = []

    def kill(done, all):
        if done >= 30 and not killed:
            victim = next(iter(client.run(os.getpid).values()))
            os.kill(victim, signal.SIGKILL)
            killed.append((done, all))

    cluster.run_into(store, client, model, given, kill)
    del store
    assert killed and killed[0][0] < killed[0][1] == 240, "it was killed in the middle"
    model.sweep(VARY, of=OF, file=tmp_path / "threads.sqlite")
    assert rows(file) == rows(tmp_path / "threads.sqlite") and len(rows(file)) == 240
    assert rows(file, "workers") == [(1, *cluster.about())]
    assert [run for run, _ in rows(file, "made_by")] == list(range(240))


def test_a_sweep_without_a_file_is_that_of_threads(client, model):
    here, there = (model.sweep(VARY, of=OF, client=c) for c in (None, client))
    assert there.status == here.status and there.events == here.events
    assert all(np.array_equal(here[name], there[name]) for name in here.columns)


def test_batches_grow_until_they_are_worth_their_way(client, model, monkeypatch):
    assert cluster.BATCH_SECONDS >= 0.5
    monkeypatch.setattr(cluster, "BATCH_SECONDS", 0.1)
    sizes = []
    given = sweeps._plan_arguments(model, {"first": "0.1 rad:3 rad:2000"}, OF, "", 0, None)
    dispatch = cluster.Dispatch(client, cluster._job(model, given), range(600),
                                lambda records, worker: sizes.append(len(records)))
    dispatch.run()
    assert sum(sizes) == 600 and sizes[0] == 1
    each = dispatch._seconds / 600
    assert max(sizes) * each > 0.05


def test_the_program_hands_over(client, model, tmp_path):
    (tmp_path / "m.toml").write_text(DOUBLE_PENDULUM)
    arguments = ["sweep", "m.toml", "--vary", "first=0.1 rad:3 rad:40", "--of", "upper.angle", "-q"]
    for name, more in (("threads", []), ("cluster", ["--cluster", client.scheduler.address])):
        ended = pawl_program(*arguments, *more, "-o", f"{name}.sqlite", "--csv", f"{name}.csv",
                             cwd=tmp_path)
        assert ended.returncode == 0, ended.stderr
    assert rows(tmp_path / "cluster.sqlite") == rows(tmp_path / "threads.sqlite")
    assert (tmp_path / "cluster.csv").read_bytes() == (tmp_path / "threads.csv").read_bytes()


def test_without_a_scheduler_the_rows_are_kept_and_the_way_out_is_named(model, tmp_path):
    (tmp_path / "m.toml").write_text(DOUBLE_PENDULUM)
    ended = pawl_program("sweep", "m.toml", "--vary", "first=0.1 rad:3 rad:4", "--of", "upper.angle",
                         "--cluster", "tcp://127.0.0.1:9", "-q", cwd=tmp_path)
    assert ended.returncode == 2
    assert "--cluster tcp://127.0.0.1:9:" in ended.stderr and "--resume" in ended.stderr


def test_a_program_whose_python_is_missing_says_so(model, tmp_path):
    (tmp_path / "m.toml").write_text(DOUBLE_PENDULUM)
    ended = pawl_program("sweep", "m.toml", "--vary", "first=0.1 rad:3 rad:4", "--of", "upper.angle",
                         "--cluster", "tcp://127.0.0.1:9", "-q", cwd=tmp_path,
                         PAWL_PYTHON="/no/python3")
    assert ended.returncode == 2 and "PAWL_PYTHON" in ended.stderr


def test_another_version_is_refused(client, model, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(_core, "version", lambda: "9.9.9")
        with pytest.raises(cluster.ClusterError, match="all workers need Pawl 9.9.9"):
            model.sweep(VARY, of=OF, client=client)
    # Also by a worker that joins later.
    with pytest.raises(cluster.ClusterError, match="same version"):
        cluster.run_batch(cluster._job(model, ([], OF, "", 0, None)), "9.9.9", [0])
    order = json.dumps({"version": "9.9.9", "cluster": "tcp://127.0.0.1:9"})
    ended = subprocess.run([sys.executable, "-m", "pawl.cluster"], input=order, text=True,
                           capture_output=True)
    assert ended.returncode == 2 and "install the same version of both" in ended.stderr


def test_functions_of_this_program_do_not_travel(client):
    model = pawl.Model("format = 1\ninputs.push = '0 N'\nbody.m = { mass = 1, inertia = 1 }\n"
                       "force.F = { type = 'force', point = 'm', x = 'push' }\n"
                       "run = { analysis = 'dynamics', end = 1, step = 0.1 }\n")
    model.compute("push", lambda t: 1.0)
    with pytest.raises(cluster.ClusterError, match="stay in this program"):
        model.sweep({"body.m.mass": [1, 2]}, of="m.x", client=client)


def test_a_run_that_kills_its_workers_is_a_row(model, monkeypatch):
    """The last of its deaths makes the row; those before try it again alone."""
    taken, tried = [], []
    dispatch = cluster.Dispatch.__new__(cluster.Dispatch)
    given = sweeps._plan_arguments(model, {"first": [1, 2, 3]}, OF, "", 0, None)
    dispatch._job, dispatch._deaths = cluster._job(model, given), {}
    dispatch._alone = tried
    dispatch._take = lambda records, worker: taken.extend(records)
    dispatch._lost([0, 1, 2], RuntimeError("killed"))
    assert tried == [0, 1, 2] and not taken
    for _ in range(cluster.MOST_DEATHS):
        dispatch._lost([1], RuntimeError("killed"))
    assert tried == [0, 1, 2] + [1] * (cluster.MOST_DEATHS - 1)
    (run, values, status, message, responses, _), = taken
    assert (run, values, status) == (1, ["2 rad"], "error") and "died" in message
    assert np.isnan(responses).all()
