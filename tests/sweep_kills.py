"""A sweep of double pendulums that is killed again and again and resumed has the rows of an undisturbed one.

    sweep_kills.py PAWL MODEL RUNS KILLS

RUNS starting angles of the model double_pendulums.toml are swept twice: at once, and with KILLS times kill -9 at random times. Both tables are compared byte
by byte, and the database must hold each run once.
"""
import csv
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def sweep(pawl, model, runs, name, *more):
    angles = "=-1.2853981633974483 rad:-0.2853981633974483 rad"
    return [pawl, "sweep", model, "--vary", "first" + angles, "--vary", "second" + angles, "--method", "sobol",
            "--runs", str(runs), "-o", name + ".sqlite", "--csv", name + ".csv", "-q", *more]


def rows_in(file):
    """How many rows a killed sweep has left; None where it has not begun its file."""
    try:
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as store:
            return store.execute("select count(*) from runs").fetchone()[0]
    except sqlite3.Error:
        return None


def main():
    pawl, model, runs, kills = sys.argv[1], str(Path(sys.argv[2]).resolve()), int(sys.argv[3]), int(sys.argv[4])
    pawl = str(Path(pawl).resolve())
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        begin = time.monotonic()
        subprocess.run(sweep(pawl, model, runs, "whole"), cwd=folder, check=True)
        seconds = time.monotonic() - begin
        whole = (Path(folder) / "whole.csv").read_bytes()
        again = sweep(pawl, model, runs, "killed", "--resume")
        killed, kept, attempts = 0, [], 0
        while killed < kills:
            attempts += 1
            if attempts > 20 * kills:
                sys.exit(f"only {killed} of {kills} kills came before the end of the sweep")
            run = subprocess.Popen(again, cwd=folder)
            try:
                run.wait(timeout=chance.uniform(0.05, 1.5) * seconds / (kills + 1))
            except subprocess.TimeoutExpired:
                run.send_signal(signal.SIGKILL)
                run.wait()
                killed += 1
                kept.append(rows_in(Path(folder) / "killed.sqlite"))
                continue
            if run.returncode != 0:
                sys.exit(f"the sweep ended with exit code {run.returncode}")
            # It came to its end: the next one begins anew.
            (Path(folder) / "killed.sqlite").unlink()
            (Path(folder) / "killed.csv").unlink()
        subprocess.run(again, cwd=folder, check=True)
        if (Path(folder) / "killed.csv").read_bytes() != whole:
            sys.exit("the rows of the killed sweep are not those of the undisturbed one")
        with open(Path(folder) / "killed.csv", newline="") as table:
            numbers = [int(row["run"]) for row in csv.DictReader(table)]
        with sqlite3.connect(Path(folder) / "killed.sqlite") as store:
            count, distinct = store.execute("select count(*), count(distinct run) from runs").fetchone()
        if not len(numbers) == len(set(numbers)) == count == distinct == runs:
            sys.exit(f"{count} rows, {distinct} distinct, {len(numbers)} in the table; {runs} runs")
        print(f"{runs} rows, all equal, after {killed} kills at {kept} rows; undisturbed {runs / seconds:.0f} runs/s")


if __name__ == "__main__":
    main()
