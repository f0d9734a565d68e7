"""Machine code, for each kind of processor, and plain Python are the same function, to the last bit."""

from __future__ import annotations

import ctypes
import threading
from contextlib import contextmanager
from functools import cache

import numpy as np
import pytest

import echelon as ec
from echelon.libraries.build import build_libraries
from echelon.libraries.calls import entry_of, library_call
from echelon.libraries.kernel import EntryKernel
from echelon.libraries.names import LIBRARIES
from echelon.libraries.processor import preferred_kinds
from echelon.libraries.python_kernels import in_python
from echelon.model import Cluster, Core, Hardware, Node, Processor
from echelon.model.schedules.allocation import assign_processors

NODES = Hardware((Cluster(tuple(Node((Processor((Core(1e9),) * 8),)) for _ in range(8))),))

ONE_MACHINE = ("fcfs", "first-fit", "easy:wfp3", "conservative", "plan", "selective", "easy:multifactor")
RUNS = [
    *({"policy": policy, "processors": 64} for policy in ONE_MACHINE),
    *({"policy": "easy", "platform": [64, 64, 32], "broker": broker} for broker in ("mpl", "mst", "mct")),
    *({"platform": [64, 64, 32], "broker": broker} for broker in ("exchange:easy", "stealing:50")),
    *({"policy": "easy", "platform": NODES, "place": place} for place in ("first-fit", "best-fit")),
]


@contextmanager
def called_by(make):
    """Have every entry call what `make` returns for it."""
    entries = [entry_of(name) for name in LIBRARIES]
    before = [entry._call for entry in entries]
    for entry in entries:
        entry._call = make(entry)
    try:
        yield
    finally:
        for entry, call in zip(entries, before, strict=True):
            entry._call = call


def from_library(kind):
    """Return a function that makes an entry call its library for this kind of processor."""
    files = files_of(kind)
    return lambda entry: library_call(entry, ctypes.CDLL(str(files[entry.name])))


@cache
def files_of(kind):
    """Return the file of each library, built if need be; to see whether it need takes 0.2 s."""
    return dict(zip(LIBRARIES, build_libraries(kinds=[kind]), strict=True))


def outcome(settings, seed):
    """Return what came of a run: its jobs to the last bit, and its counts."""
    workload = ec.generate("lublin", jobs=60, processors=32, seed=seed)
    result = ec.simulate(workload, engine="compiled", **settings)
    assert result.engine == "compiled"
    return result.jobs.write_csv(), result.schedule.counts


@pytest.mark.slow
@pytest.mark.parametrize("settings", RUNS, ids=str)
def test_all_kinds_and_plain_python_agree(settings, monkeypatch):
    """Every library of the engine, built for each kind of processor, does what stepping through it does."""
    monkeypatch.setattr(EntryKernel, "load", lambda entry: entry._call)
    found = []
    for make in (lambda entry: in_python(entry.function), *map(from_library, preferred_kinds())):
        with called_by(make):
            found += [[outcome(settings, seed) for seed in (1, 2)]]
    assert all(one == found[0] for one in found)


@pytest.mark.slow
def test_reading_and_allocating_agree(tmp_path):
    """So do the libraries by which logs are read and processors get numbers, at several log lengths."""
    log = tmp_path / "log.swf"
    ec.write_swf(ec.generate("lublin", jobs=300, processors=32, seed=3), log)
    rng = np.random.default_rng(4)
    start, length, size = rng.random(400) * 99, rng.random(400), rng.integers(1, 4, 400)
    found = []
    for make in (lambda entry: in_python(entry.function), *map(from_library, preferred_kinds())):
        with called_by(make):
            columns = ec.read_swf(log).columns
            held = assign_processors(start, start + length, size, 900)
            found.append([columns[name].tobytes() for name in columns] + [held.first.tobytes()])
    assert all(one == found[0] for one in found)


def test_a_log_that_fills_up_is_gone_on_with(monkeypatch):
    """Where many short intervals are taken, the walk stops for a longer log and comes to the same end."""
    rng = np.random.default_rng(5)
    start = np.sort(rng.random(60) * 30)
    size = np.where(np.arange(60) % 2, 1, 40)
    end = start + np.where(np.arange(60) % 2, 1.4, 0.2)
    calls = []
    entry = entry_of("allocation")
    call = entry.load()
    monkeypatch.setattr(entry, "_call", lambda *given: calls.append(len(given[7])) or call(*given))
    real = np.empty
    monkeypatch.setattr(
        "echelon.model.schedules.allocation.np.empty", lambda n, *k: real(45 if n > 200 else n, *k)
    )
    processors = 150
    from echelon.model.schedules.allocation import assign_by_definition

    assert assign_processors(start, end, size, processors) == assign_by_definition(
        start, end, size, processors
    )
    assert len(set(calls)) > 1


def test_python_goes_on_meanwhile(monkeypatch):
    """A kernel holds no lock of Python's: another thread counts while it runs."""
    workload, counted, done = (
        ec.generate("lublin", jobs=60_000, processors=64, seed=1),
        [0],
        threading.Event(),
    )

    def count():
        while not done.is_set():
            counted[0] += 1

    entry, within = entry_of("machine"), []
    call = entry.load()

    def watched_call(*arguments):
        before = counted[0]
        call(*arguments)
        within.append(counted[0] - before)

    monkeypatch.setattr(EntryKernel, "load", lambda entry: entry._call)
    monkeypatch.setattr(entry, "_call", watched_call)
    other = threading.Thread(target=count)
    other.start()
    try:
        ec.simulate(workload, policy="easy", processors=64, engine="compiled")
    finally:
        done.set()
        other.join()
    assert within[0] > 1000


@pytest.mark.slow
def test_the_switch_runs_plain_python(monkeypatch):
    """With ECHELON_KERNELS=python an entry runs its own source, where a debugger can stop."""
    entry = entry_of("allocation")
    monkeypatch.setattr(entry, "_call", None)
    monkeypatch.setenv("ECHELON_KERNELS", "python")
    assert entry.load().__wrapped__ is entry.function
