"""One writer keeps what many want kept: together where it can, each with an answer of its own."""

from __future__ import annotations

import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from uuid import uuid4

import pytest
from sqlalchemy import event

from echelon.errors import InputError, StoreError
from echelon.service.records import AttemptRecord, AttemptState, ClusterRecord, Event, JobSpec
from echelon.service.store import Store
from echelon.service.store.schema import clusters

PLAIN = JobSpec(command=("true",))
STRAY = AttemptRecord("f" * 32, 1, 1, "alpha", AttemptState.INTENDED)


class Held:
    """An operation that keeps the writer busy until it is let go."""

    def __init__(self, store):
        self.go, self.begun = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=store._writer.write, args=(self,))
        self.thread.start()
        assert self.begun.wait(10)

    def __call__(self, transaction):
        self.begun.set()
        assert self.go.wait(10)

    def release(self):
        self.go.set()
        self.thread.join()


def wait_for(store, count):
    """Wait until this many writes wait for the writer."""
    until = time.monotonic() + 10
    while store._writer._waiting.qsize() < count:
        assert time.monotonic() < until
        time.sleep(0.001)


def together(store, writes):
    """Return what came of writes that wait for the writer at the same time, in order."""

    def result(write):
        try:
            return write()
        except (StoreError, InputError, ZeroDivisionError) as error:
            return error

    held = Held(store)
    with ThreadPoolExecutor(len(writes)) as pool:
        waiting = []
        for k, write in enumerate(writes):
            waiting.append(pool.submit(result, write))
            wait_for(store, k + 1)
        held.release()
        return [one.result(10) for one in waiting]


@pytest.fixture
def commits(store):
    """Return a list to which each commit of the store adds an entry."""
    store.commit([])  # which connects the writer
    seen = []
    event.listen(store._connections.engine, "commit", seen.append)
    return seen


def test_what_waits_together_is_one_transaction(store, commits):
    """Twenty submissions that wait at the same time take one commit, and each gets its own job."""
    writes = [lambda: store.add_jobs("ann", [PLAIN], [None], 1.0, [uuid4().hex])[0][0] for _ in range(20)]
    jobs = together(store, writes)
    assert len(commits) == 2  # that of what held the writer, and theirs
    assert [job.number for job in jobs] == list(range(1, 21))
    assert store.jobs() == jobs


def test_an_error_of_one_loses_none_of_the_others(store):
    """Of what waits together, what the database or the program refuses is undone alone."""

    def broken(transaction):
        transaction.connection.execute(clusters.delete())
        return 1 / 0

    store.commit([ClusterRecord("alpha")])
    answers = together(
        store,
        [
            lambda: store.add_jobs("ann", [PLAIN], ["k"], 1.0, ["1" * 32])[0][0].number,
            lambda: store.commit([Event(1.0, "cluster", "alpha", "closed"), STRAY]),
            lambda: store.add_jobs("ann", [replace(PLAIN, retries=1)], ["k"], 1.0, ["2" * 32]),
            lambda: store._writer.write(broken),
            lambda: store.commit([Event(1.0, "cluster", "alpha", "open")])[0].number,
            lambda: store.add_jobs("ann", [PLAIN], [None], 1.0, ["3" * 32])[0][0].number,
        ],
    )
    assert isinstance(answers[1], StoreError)
    assert isinstance(answers[2], InputError)
    assert isinstance(answers[3], ZeroDivisionError)
    assert (answers[0], answers[4], answers[5]) == (1, 2, 2)
    assert [job.number for job in store.jobs()] == [1, 2]
    assert [(one.number, one.state) for one in store.events()] == [(1, "QUEUED"), (2, "open"), (3, "QUEUED")]
    assert len(store.clusters()) == 1


def test_what_waits_is_kept_before_the_store_closes(store, address):
    """To close a store finishes what waits; whoever comes later gets an error, nobody waits for ever."""
    held = Held(store)
    kept = []
    late = threading.Thread(target=lambda: kept.extend(store.commit([Event(1.0, "service", "", "x")])))
    late.start()
    wait_for(store, 1)
    closing = threading.Thread(target=store.close)
    closing.start()
    held.release()
    late.join(10)
    closing.join(10)
    assert [one.number for one in kept] == [1]
    with pytest.raises(StoreError, match="is closed"):
        store.commit([])
    store.close()
    with Store.open(address) as again:
        assert again.last_event() == 1


def fill(store):
    """Submit jobs until the store is full; return the numbers that it gave, and the error."""
    spec, given = JobSpec(script="x" * 3000), []
    for _ in range(2000):
        try:
            given.append(store.add_jobs("ann", [spec], [None], 1.0, [uuid4().hex])[0][0].number)
        except StoreError as error:
            return given, error
    pytest.fail("the disk is never full")


def check_full(store, make_room):
    """Check that a full disk is a sentence, loses nothing that was kept, and is over once there is room."""
    given, error = fill(store)
    assert "full" in str(error)
    assert str(error).endswith("nothing of this was kept")
    assert not error.is_unclear
    assert given == list(range(1, len(given) + 1))
    assert [job.number for job in store.jobs(limit=10_000)] == given
    assert store.last_event() == len(given)
    make_room()
    more = store.add_jobs("ann", [PLAIN] * 3, [None] * 3, 1.0, [uuid4().hex for _ in range(3)])
    assert [job.number for job, _ in more] == [len(given) + 1, len(given) + 2, len(given) + 3]


@pytest.mark.slow
def test_a_full_store_takes_changes_again_when_there_is_room(tmp_path):
    """At the largest size that SQLite may have, changes fail whole, and work again once it may be larger."""

    def set_pages(count):
        pragma = f"PRAGMA max_page_count = {count}"
        store._writer.write(lambda transaction: transaction.connection.exec_driver_sql(pragma).scalar_one())

    with Store.open(tmp_path / "small.db") as store:
        set_pages(100)
        check_full(store, lambda: set_pages(10_000))


@pytest.fixture
def small_disk(tmp_path):
    """Return a folder on a disk of 1 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=10)
    except (OSError, subprocess.SubprocessError):
        pytest.skip("a small disk cannot be mounted here")
    yield folder
    subprocess.run(["umount", folder], check=True, timeout=10)


def test_a_full_disk_is_survived(small_disk):
    """On a disk that fills up, changes fail whole, and work again once a file of somebody else is gone."""
    other = small_disk / "other"
    other.write_bytes(b"x" * 300_000)
    with Store.open(small_disk / "service.db") as store:
        check_full(store, other.unlink)
    with Store.open(small_disk / "service.db") as store:
        assert store.last_event() == store.jobs(newest_first=True, limit=1)[0].number
