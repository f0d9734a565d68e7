"""What a store has returned outlives whatever dies: the process, a connection, a server's answer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from uuid import uuid4

import pytest

from echelon.errors import InputError, StoreError
from echelon.service.records import ClusterRecord, Event, JobSpec
from echelon.service.store import Store
from servers import postgres_schema

psycopg = pytest.importorskip("psycopg")

PLAIN = JobSpec(command=("true",))

CRASHING = """
import sys
from threading import Thread
from uuid import uuid4
from echelon.service.records import AttemptRecord, AttemptState, Event, JobSpec
from echelon.service.store import Store

store = Store.open(sys.argv[1])
store.lock()

def submit(user):
    while True:
        ids = [uuid4().hex for _ in range(3)]
        kept = store.add_jobs(user, [JobSpec(command=("true",))] * 3, [None] * 3, 1.0, ids)
        attempts = [AttemptRecord(one, 1, 1, "alpha", AttemptState.INTENDED) for one in ids]
        said = store.commit([*attempts, *(Event(2.0, "attempt", one, "INTENDED") for one in ids)])
        for job, _ in kept:
            sys.stdout.write(f"job {job.number} {job.id}\\n")
        sys.stdout.write("".join(f"event {one.number} {one.subject}\\n" for one in said))
        sys.stdout.flush()

for user in range(4):
    Thread(target=submit, args=(f"user{user}",)).start()
"""


@pytest.mark.slow
def test_a_killed_process_loses_nothing_that_was_returned(address):
    """Killed in the middle of commits, twice: every number it printed is there, whole, without gaps."""
    jobs, events = {}, {}
    for lines in (40, 250):
        command = [sys.executable, "-c", CRASHING, address]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            said = [process.stdout.readline().split() for _ in range(lines)]
            os.kill(process.pid, signal.SIGKILL)
            # The last line may be cut where it was killed.
            said += [line.split() for line in process.stdout if line.endswith("\n")]
        jobs.update((int(number), name) for kind, number, name in said if kind == "job")
        events.update((int(number), name) for kind, number, name in said if kind == "event")
    with Store.open(address, create=False) as store:
        store.lock()
        kept = store.jobs(limit=10**6)
        assert [job.number for job in kept] == list(range(1, len(kept) + 1))
        assert jobs.items() <= {job.number: job.id for job in kept}.items()
        happened = store.events(limit=10**6)
        assert [event.number for event in happened] == list(range(1, len(happened) + 1))
        assert events.items() <= {event.number: event.subject for event in happened}.items()
        # Attempts and their events were committed together.
        tried = {attempt.job for attempt in store.read_open_records().attempts}
        assert tried == {event.subject for event in happened if event.kind == "attempt"}
        assert len(tried) % 3 == len(kept) % 3 == 0


@pytest.fixture
def served():
    """Return the address of a store on a server."""
    with postgres_schema("store") as url:
        yield url


def kill_connections(address):
    """End all other connections to the schema of a store, as a server does that is stopped."""
    with psycopg.connect(address, autocommit=True) as admin:
        schema = admin.execute("SELECT current_schema()").fetchone()[0]
        admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid != pg_backend_pid() AND application_name = %s",
            [schema],
        )
        return schema


def named(address):
    """Return the address with the name of its schema as that of the program, by which others find it."""
    return f"{address}&application_name={address.rsplit('%3D', 1)[1]}"


def test_a_lost_connection_is_a_sentence_and_the_next_write_works(served):
    """A server that ends the writer's connection: one write fails whole, readers and later writes go on."""
    with Store.open(named(served)) as store:
        store.lock()
        store.add_jobs("ann", [PLAIN], [None], 1.0, ["1" * 32])
        kill_connections(served)
        assert len(store.jobs()) == 1
        with pytest.raises(StoreError, match="nothing of this was kept") as caught:
            store.add_jobs("ann", [PLAIN], [None], 1.0, ["2" * 32])
        assert "\n" not in str(caught.value)
        assert store.add_jobs("ann", [PLAIN], [None], 1.0, ["2" * 32])[0][0].number == 2
        # The lock went with the connection, and came back with the new one.
        with Store.open(served) as other, pytest.raises(InputError, match="only one service may act"):
            other.lock()


def test_who_has_lost_the_lock_writes_no_more(served):
    """If another service came while the connection was lost, the first one can change nothing any more."""
    with Store.open(named(served)) as first:
        first.lock()
        kill_connections(served)
        with Store.open(served) as second:
            second.lock()
            for _ in range(2):
                with pytest.raises((StoreError, InputError)):
                    first.commit([ClusterRecord("alpha")])
        with pytest.raises(StoreError, match="another service has worked with this store since"):
            first.commit([ClusterRecord("alpha")])
        assert first.clusters() == []


@pytest.mark.parametrize("arrives", [True, False])
def test_a_commit_without_an_answer_is_asked_for(served, monkeypatch, arrives):
    """The connection is lost while it commits: what arrived is answered as kept, what did not as not kept."""
    with Store.open(served) as store:
        store.lock()
        dialect = store._connections.engine.dialect
        commit = dialect.do_commit

        def lost(connection):
            monkeypatch.setattr(dialect, "do_commit", commit)
            if arrives:
                commit(connection)
            connection.dbapi_connection.close()
            raise psycopg.OperationalError("server closed the connection unexpectedly")

        monkeypatch.setattr(dialect, "do_commit", lost)
        ids = [uuid4().hex]
        if arrives:
            assert store.add_jobs("ann", [PLAIN], [None], 1.0, ids)[0][1]
        else:
            with pytest.raises(StoreError, match="nothing of this was kept"):
                store.add_jobs("ann", [PLAIN], [None], 1.0, ids)
        assert [job.id for job in store.jobs()] == ids * arrives
        assert store.commit([Event(1.0, "service", "", "x")])[0].number == 1 + arrives


def test_a_server_that_stays_away_leaves_a_doubt(served, monkeypatch):
    """If nobody can say what became of a commit, the sentence says so; the same jobs may be sent again."""
    monkeypatch.setattr("echelon.service.store.writer.PATIENCE", 0.1)
    with Store.open(served) as store:
        dialect = store._connections.engine.dialect
        commit, connect = dialect.do_commit, dialect.connect

        def lost(connection):
            commit(connection)
            connection.dbapi_connection.close()
            monkeypatch.setattr(dialect, "connect", away)
            raise psycopg.OperationalError("server closed the connection unexpectedly")

        def away(*_, **__):
            raise psycopg.OperationalError("connection refused")

        store.commit([])
        monkeypatch.setattr(dialect, "do_commit", lost)
        with pytest.raises(StoreError, match="it is not known whether this was kept") as caught:
            store.add_jobs("ann", [PLAIN], [None], 1.0, ["1" * 32])
        assert caught.value.is_unclear
        with pytest.raises(StoreError, match="refused; nothing of this was kept"):
            store.commit([])
        monkeypatch.setattr(dialect, "do_commit", commit)
        monkeypatch.setattr(dialect, "connect", connect)
        again = store.add_jobs("ann", [PLAIN], [None], 1.0, ["1" * 32])
        assert [(job.number, is_new) for job, is_new in again] == [(1, False)]


def test_errors_of_reading_are_sentences(tmp_path):
    """A file whose tables were taken away is one sentence with its name, for readers and the writer."""
    with Store.open(tmp_path / "service.db") as store:
        store._writer.write(lambda transaction: transaction.connection.exec_driver_sql("DROP TABLE tokens"))
        with pytest.raises(StoreError, match=r"service\.db: no such table: tokens$"):
            store.tokens()
        with pytest.raises(StoreError, match=r"no such table: tokens; nothing of this was kept$"):
            store.add_token("0" * 64, "ann", ["read"])
