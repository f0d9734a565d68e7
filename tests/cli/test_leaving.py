"""Ways to leave early: Ctrl-C, and a reader that has gone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import numpy as np
import pytest

from echelon import Workload, write_workload

if TYPE_CHECKING:
    from pathlib import Path

RULES = """
import pathlib
import time

from echelon import order

marker = pathlib.Path(__file__).with_name("started")


@order("slow", source="none")
def slow(job, view):
    \"\"\"Submit order, slowly.\"\"\"
    marker.touch()
    time.sleep(0.02)
    return float(view.now >= 0)


@order("marked", source="none")
def marked(job, view):
    \"\"\"Submit order, and a mark that the run is about to begin.\"\"\"
    marker.touch()
    return 0.0
"""


@pytest.fixture
def overloaded(tmp_path: Path) -> Path:
    """Return a log of 8,000 jobs at three times the machine's capacity: a place for each takes a minute."""
    rng = np.random.default_rng(1)
    run, size = rng.integers(1, 100_000, 8000), rng.integers(1, 128, 8000)
    submit = np.sort(rng.integers(0, int((run * size).sum() / 128 / 3), 8000))
    request = run * rng.integers(1, 9, 8000)
    jobs = Workload.from_columns(submit_time=submit, run_time=run, processors=size, requested_time=request)
    write_workload(jobs, tmp_path / "overloaded.swf")
    (tmp_path / "rules.py").write_text(RULES)
    return tmp_path / "overloaded.swf"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
@pytest.mark.parametrize(
    ("engine", "policy"), [("reference", "easy:{}:slow"), ("compiled", "easy:{}:marked:reservations=8000")]
)
def test_ctrl_c(overloaded: Path, engine: str, policy: str):
    """A run that is stopped says so in a word, exits with 130 and leaves no file, whole or half."""
    folder = overloaded.parent
    command = [sys.executable, "-m", "echelon.cli", "run", str(overloaded), "--processors", "128"]
    command += [
        "--policy",
        policy.format(folder / "rules.py"),
        "--engine",
        engine,
        "--out",
        str(folder / "out"),
    ]
    before = {path.name for path in folder.iterdir()} | {"started", "__pycache__"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        deadline = time.monotonic() + 60
        while not (folder / "started").exists() and running.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(0.3)
        assert running.poll() is None, running.communicate()
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "echelon: stopped"
    assert "Traceback" not in err
    assert {path.name for path in folder.iterdir()} <= before


WATCHED = """
import atexit
import sys
import threading
import time

from echelon.cli import program

atexit.register(print, "registered before")


def late():
    time.sleep(0.5)
    atexit.register(print, "registered while it ran")
    print("thread")


threading.Timer(0.0, late).start()
sys.argv = ["echelon", *sys.argv[1:]]
program()
"""


@pytest.mark.parametrize(("arguments", "code"), [(["policies"], 0), (["policies", "nothing"], 2)])
def test_a_command_is_the_last_thing_that_its_process_does(arguments: list[str], code: int):
    """Threads end and callbacks of the command are called, all is printed and the code is told; no more."""
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == code
    lines = done.stdout.splitlines()
    assert lines[-1] == "registered while it ran"
    assert ("thread" in lines, "registered before" in lines) == (True, False)
    assert ("fcfs" in done.stdout, bool(done.stderr)) == (code == 0, code != 0)


def test_who_watches_a_command_keeps_its_end():
    """Under a tracer, as of coverage, Python ends as ever, with all that was registered before."""
    traced = WATCHED.replace("program()\n", "sys.settrace(lambda *_: None)\nprogram()\n")
    done = subprocess.run(
        [sys.executable, "-c", traced, "policies"], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-2:] == ["registered while it ran", "registered before"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has other pipes")
@pytest.mark.parametrize("arguments", [("info", "kth-sp2", "--json"), ("policies",), ("--help",)])
def test_a_reader_that_has_gone(arguments: tuple[str, ...]):
    """`| head` ends the command without a word."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "echelon.cli", *arguments],
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX")
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("info - <&-", (2, "echelon: standard input: is closed, expected a workload\n")),
        ("policies >&-", (0, "")),
        ("policies nothing 2>&-", (2, "")),
    ],
)
def test_closed_streams(arguments: str, expected: tuple[int, str]):
    """A closed standard input is told, and what would go to a closed output goes nowhere."""
    command = f"{sys.executable} -m echelon.cli {arguments}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == expected


def test_a_terminal_without_stars():
    """An encoding that lacks a letter gets a question mark, not a failure."""
    done = subprocess.run(
        [sys.executable, "-m", "echelon.cli", "compare", "kth-sp2", "--policies", "fcfs,easy"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"easy" in done.stdout
