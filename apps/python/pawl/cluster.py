"""Sweeps on a cluster: Dask distributed carries batches of runs to its workers and repeats those
that a worker took with it when it died. What a row holds follows from the number of its run alone.

`python3 -m pawl.cluster` is what `pawl sweep --cluster` starts: it reads its order as JSON from
standard input and fills the file of the sweep."""

from __future__ import annotations

import json
import logging
import math
import platform
import sys
import time
from collections import deque
from functools import lru_cache
from typing import Any, Callable, NamedTuple, Optional, Sequence

from . import _core
from .errors import PawlError
from .model import Model
from .sweeps import PlanArguments, read_plan

Record = tuple[int, list[str], str, str, list[float], str]
Take = Callable[[list[Record], "Worker"], None]

BATCH_SECONDS = 0.5  # of work at least in one batch: a task costs the scheduler 1 to 2 ms
IN_FLIGHT = 2  # batches for each thread: one that runs, one that waits
MOST_DEATHS = 2  # how often a run alone may use up all tries of Dask before it counts as failed


def _dask() -> Any:
    import distributed  # only where it is needed: it takes a second

    return distributed


class ClusterError(PawlError):
    """The cluster cannot run the sweep, or the connection is lost."""

    def __init__(self, message: str):
        super().__init__((), message)


class Worker(NamedTuple):
    """The computer of a worker; `version` is that of Pawl."""

    host: str
    version: str
    processor: str


class Batch(NamedTuple):
    """What a worker returns."""

    worker: Worker
    seconds: float
    records: list[Record]


class Job(NamedTuple):
    """A sweep in the form in which it is sent: plain values."""

    text: str
    file: str
    values: tuple[tuple[str, str], ...]
    vary: tuple[str, ...]
    of: tuple[str, ...]
    method: str
    runs: int
    seed: Optional[int]


def about() -> Worker:
    """This computer."""
    return Worker(platform.node(), _core.version(), _processor())


@lru_cache(maxsize=1)
def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


@lru_cache(maxsize=4)
def _prepared(job: Job) -> tuple[Model, _core.SweepPlan]:
    model = Model._of(_model(job))
    return model, read_plan(model, (list(job.vary), list(job.of), job.method, job.runs, job.seed))


def _model(job: Job) -> _core.Model:
    model, problems = _core.Model.read(job.text, job.file, list(job.values))
    if model is None:
        raise ClusterError("\n".join(message for *_, message in problems))
    return model


def run_batch(job: Job, version: str, runs: list[int]) -> Batch:
    """On a worker: the rows of some runs."""
    worker = about()
    if worker.version != version:
        raise ClusterError(_refusal([worker], version))
    model, plan = _prepared(job)
    begin = time.perf_counter()
    records = plan.records(model._core, runs, 1)
    return Batch(worker, time.perf_counter() - begin, records)


def _refusal(workers: Sequence[Worker], version: str) -> str:
    others = ", ".join(sorted({f"{w.host} has {w.version}" for w in workers}))
    return (f"all workers need Pawl {version}, as here: {others}. Install the same version there: "
            "another one may compute other rows")


class Dispatch:
    """Cuts the runs into batches that take about as long as wanted, hands them out, and takes what
    comes back, in whatever order."""

    def __init__(self, client: Any, job: Job, runs: Sequence[int], take: Take):
        self._client, self._job, self._take = client, job, take
        self._waiting = deque(runs)
        self._alone: deque[int] = deque()  # runs of a batch that was lost again and again
        self._deaths: dict[int, int] = {}
        self._batches: dict[Any, list[int]] = {}
        self._completed = _dask().as_completed()
        self._seconds, self._done = 0.0, 0

    def run(self) -> None:
        try:
            self._hand_out()
            for future in self._completed:
                self._receive(future)
                self._hand_out()
        finally:
            self._client.cancel(list(self._batches))

    def _threads(self) -> int:
        workers = self._client.scheduler_info()["workers"]  # changed by another thread
        return sum(worker["nthreads"] for worker in list(workers.values())) or 1

    def _size(self) -> int:
        if not self._done:
            return 1  # to learn how long a run takes
        return max(1, math.ceil(BATCH_SECONDS * self._done / max(self._seconds, 1e-9)))

    def _hand_out(self) -> None:
        room = IN_FLIGHT * self._threads() - len(self._batches)
        while room > 0 and (self._waiting or self._alone):
            if self._alone:
                runs = [self._alone.popleft()]
            else:
                size = min(self._size(), len(self._waiting))
                runs = [self._waiting.popleft() for _ in range(size)]
            future = self._client.submit(run_batch, self._job, _core.version(), runs, pure=False)
            self._batches[future] = runs
            self._completed.add(future)
            room -= 1

    def _receive(self, future: Any) -> None:
        runs = self._batches[future]
        try:
            batch = future.result()
        except _dask().KilledWorker as death:
            del self._batches[future]
            self._lost(runs, death)
            return
        del self._batches[future]
        self._seconds += batch.seconds
        self._done += len(runs)
        self._take(batch.records, batch.worker)

    def _lost(self, runs: list[int], death: Exception) -> None:
        """Workers died with this batch, each time that it was tried. Its runs are tried one by one;
        one that goes on killing workers is a row that says so."""
        if len(runs) > 1:
            self._alone.extend(runs)
            return
        run = runs[0]
        self._deaths[run] = self._deaths.get(run, 0) + 1
        if self._deaths[run] < MOST_DEATHS:
            self._alone.append(run)
            return
        _, plan = _prepared(self._job)
        record: Record = (run, plan.values(run), "error", f"the workers that took it died: {death}",
                          [math.nan] * len(plan.responses()), "")
        self._take([record], about())


def _job(model: Model, given: PlanArguments) -> Job:
    if model._functions:
        raise ClusterError("inputs that are computed by functions ("
                           + ", ".join(model._functions) + ") stay in this program; sweep the model "
                           "on threads")
    vary, of, method, runs, seed = given
    return Job(model.text, model.file, tuple(model._core.overrides()), tuple(vary), tuple(of), method,
               runs, seed)


def check_workers(client: Any) -> None:
    """Raises ClusterError where there is no worker, one has no Pawl, or another version."""
    version = _core.version()
    try:
        client.wait_for_workers(1, timeout=30)
    except TimeoutError:
        raise ClusterError("the scheduler has no workers; start some: dask-worker ADDRESS") from None
    try:
        workers = [Worker(*w) for w in client.run(about).values()]
    except ModuleNotFoundError as missing:
        raise ClusterError(f"a worker has no module '{missing.name}'; install the package pawl "
                           f"{version} on all of them") from missing
    others = [worker for worker in workers if worker.version != version]
    if others:
        raise ClusterError(_refusal(others, version))


def run_on(client: Any, model: Model, given: PlanArguments, runs: Sequence[int], take: Take) -> None:
    """Runs on the workers of a client; `take` gets the rows as they come."""
    from concurrent.futures import CancelledError

    job = _job(model, given)
    check_workers(client)
    try:
        Dispatch(client, job, runs, take).run()
    except (CancelledError, OSError) as lost:
        if isinstance(lost, OSError) and not _is_of_connection(lost):
            raise
        raise ClusterError(f"the scheduler is lost: {lost or type(lost).__name__}") from lost


def _is_of_connection(error: OSError) -> bool:
    return isinstance(error, (_dask().comm.CommClosedError, ConnectionError, TimeoutError))


def run_into(store: _core.SweepStore, client: Any, model: Model, given: PlanArguments,
             progress: Callable[[int, int], None] = lambda done, all: None) -> None:
    """Runs what has no row yet, and keeps the rows as they come."""
    missing = store.missing()
    done = 0

    def take(records: list[Record], worker: Worker) -> None:
        nonlocal done
        problem = store.add(records, *worker)
        if problem:
            raise StoreError(problem)
        done += len(records)
        progress(done, len(missing))

    if missing:
        run_on(client, model, given, missing, take)


class StoreError(OSError):
    """The file of a sweep cannot be written."""


def _show(done: int, all: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done} of {all} runs", end="" if done < all else "\n", file=sys.stderr, flush=True)


def _fill(order: dict[str, Any]) -> None:
    if order["version"] != _core.version():
        raise ClusterError(f"the Python package is Pawl {_core.version()}, the program "
                           f"{order['version']}; install the same version of both")
    values = [(str(name), str(value)) for name, value in order["values"]]
    job = Job(order["text"], order["file"], tuple(values), (), (), "", 0, None)
    model = Model._of(_model(job))
    given = (order["vary"], order["of"], order["method"], order["runs"], order["seed"])
    store, problem = _core.SweepStore.open(order["store"], model._core, read_plan(model, given), True)
    if store is None:
        raise ClusterError(problem)
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is an exception, too
    try:
        client = _dask().Client(order["cluster"], timeout=10)
    except (OSError, TypeError, ValueError) as refused:  # TypeError: no certificates for tls://
        raise ClusterError(f"cannot connect: {refused or type(refused).__name__}") from refused
    with client:
        run_into(store, client, model, given, (lambda done, all: None) if order["quiet"] else _show)


def main() -> int:
    """Exit codes as those of `pawl`."""
    order = json.load(sys.stdin)
    try:
        _fill(order)
    except KeyboardInterrupt:
        return 130
    except ImportError as missing:
        print(f"pawl: --cluster needs the Python module '{missing.name}'; install it: apt-get install "
              "python3-distributed", file=sys.stderr)
        return 2
    except (PawlError, OSError, ValueError) as error:
        what = error or type(error).__name__
        print(f"pawl: --cluster {order['cluster']}: {what}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    from pawl import cluster  # by its name, under which its functions travel to the workers

    sys.exit(cluster.main())
