"""A history keeps what it is given, on a file and on a server, and gives it back exactly."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from sqlalchemy import create_engine, select, text

from budgets import examples
from echelon import simulate
from echelon.databases.address import Address
from echelon.errors import InputError
from echelon.history import experiences_of, open_history
from echelon.history.schema import SCHEMA, forecasts, job_nodes, jobs, nodes, queue_at_arrive
from echelon.model import Application, Forecasts, Workload


def by_end(schedule):
    found = experiences_of(schedule)
    return [found[k] for k in np.lexsort((np.arange(len(found)), schedule.start_time, schedule.end_time))]


def rows(history, table):
    """Return all rows of a table, as a stranger with SQL would see them."""
    with history._database.reading() as connection:
        return [tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key))]


@pytest.mark.slow
@given(data=st.data())
@examples(25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_experiences_come_back_exactly(address, any_run, data):
    """Whatever the times and names, to the last bit and in the order in which jobs ended."""
    schedule = data.draw(any_run(st.floats(0, 1e12)))
    with open_history(address) as history:
        number = history.record(schedule, policy="fcfs")
        assert history.experiences() == by_end(schedule)
        history.forget(number)
        assert history.experiences() == []


def test_a_history_outlives_its_connection(address, three_jobs):
    """What one process records, the next finds."""
    with open_history(address) as history:
        history.record(three_jobs, policy="fcfs")
    with open_history(address, create=False) as history:
        assert history.experiences() == by_end(three_jobs)


def test_of_jobs_that_ended_together_who_started_first_comes_first(address, make_run):
    """As estimators were taught while the run went on, whatever the places in the file."""
    jobs = [(2, 2, 2, 10, 0, [0]), (0, 0, 1, 10, 1, [0]), (0, 0, 1, 10, 1, [1]), (0, 0, 4, 9, 1, [2])]
    with open_history(address) as history:
        history.record(make_run(jobs), policy="fcfs")
        assert [one.run for one in history.experiences()] == [5, 9, 9, 8]
        assert [one.run for one in history.experiences(last=2)] == [9, 8]


def test_experiences_are_asked_for_by_platform_policy_and_number(address, make_run, three_jobs):
    """Runs follow each other as they were recorded, each by the ends of its jobs; the last are the latest."""
    other = make_run([(0, 0, 0, 100, 1, [0, 2])], name="home")
    with open_history(address) as history:
        history.record(other, policy="fcfs")
        history.record(three_jobs, policy="easy")
        assert history.experiences() == by_end(other) + by_end(three_jobs)
        assert history.experiences(platform="home") == by_end(other)
        assert history.experiences(platform="lab", policy="fcfs") == []
        assert history.experiences(policy="easy", last=2) == by_end(three_jobs)[1:]
        assert history.experiences(last=0) == []
        with pytest.raises(InputError, match="last: must be at least 0, got -1"):
            history.experiences(last=-1)


def test_experiments_are_listed_marked_and_forgotten(address, three_jobs):
    """No estimator learns from an invalid run; the number of a removed run is not used again."""
    with open_history(address) as history:
        first = history.record(three_jobs, policy="tat + fcfs", settings="--seed 3", seed=3)
        second = history.record(three_jobs, policy="tat + fcfs", is_valid=False)
        listed = history.experiments()
        assert [one.number for one in listed] == [first, second]
        assert [one.is_valid for one in listed] == [True, False]
        assert listed[0]._replace(recorded_at=None) == (
            *(first, None, "workload", "lab", "tat + fcfs", "", "--seed 3", 3, True, 3),
        )
        assert len(history.experiences()) == 3
        history.mark(second, is_valid=True)
        assert len(history.experiences()) == 6
        history.forget(second)
        assert history.record(three_jobs, policy="fcfs") > second
        for act in (history.forget, lambda number: history.mark(number, is_valid=True)):
            with pytest.raises(InputError, match=f"holds no experiment {second}"):
                act(second)
        with pytest.raises(
            InputError, match="policy: must be the spec of a policy, such as easy, got an empty text"
        ):
            history.record(three_jobs, policy=" ")


def test_all_tables_tell_what_happened(address, make_run):
    """Times, shared nodes, queues and forecasts of a run by hand can be read in SQL."""
    held = [(0, 0, 0, 3, 0, [0]), (1, 1, 2, 5, 0, [1]), (2, 2, 3, 6, 0, [0, 1]), (2, 2.5, 6, 7, 0, [0])]
    said = Forecasts("sdpn", np.array([0, 1, 2, np.nan]), np.full(4, 3.0), np.full(4, 0.25))
    # An estimator that decides may be watched, too.
    again = Forecasts("sdpn", np.zeros(4), np.zeros(4), np.zeros(4))
    programs = [Application("is", 0.5, 2e9, 1e6, "mpi", ("linux",))] * 3 + [Application("mg")]
    schedule = make_run(held, applications=programs, forecasts=(said, again), user=[5, 6, 7, 5])
    with open_history(address) as history:
        number = history.record(schedule, policy="fcfs", description="first come, first served")
        assert rows(history, jobs)[3] == (
            *(number, 3, "4", 2, "5", "", "c0", 1),
            *(2.0, 2.5, 6.0, 7.0, 4.0, 4.0, 1, 2 * 3.0 * 0.5, 1, ""),
        )
        places = [row[0] for row in rows(history, nodes)[:2]]
        assert rows(history, job_nodes) == [
            (number, 0, 0, places[0], 0.0, 3.0),
            (number, 1, 1, places[1], 2.0, 5.0),
            (number, 1, 2, places[1], 3.0, 5.0),
            *((number, 2, 2, place, 3.0, 6.0) for place in places),
            (number, 3, 3, places[0], 6.0, 7.0),
        ]
        assert rows(history, queue_at_arrive) == [(number, 3, 2, 1)]
        assert rows(history, forecasts)[2:] == [
            (number, 2, "sdpn", 2.0, 3.0, 0.25),
            (number, 3, "sdpn", None, 3.0, 0.25),
        ]
        assert history.experiments()[0].estimator == "sdpn"
        assert len(rows(history, nodes)) == 5
        history.record(schedule, policy="fcfs")
        assert len(rows(history, nodes)) == 5, "nodes that are known are not numbered again"
        assert len(rows(history, SCHEMA.tables["applications"])) == 2
        assert rows(history, SCHEMA.tables["policies"]) == [(1, "fcfs", "first come, first served")]


@given(data=st.data())
def test_queues_are_what_a_look_at_every_other_job_finds(any_run, data):
    """As many jobs as the experience says, in the order in which they joined, cut at the places asked for."""
    from echelon.history.rows import queue_rows
    from echelon.history.stays import Stays

    schedule = data.draw(any_run())
    stays = Stays.of(schedule)
    place = {job: rank for rank, job in enumerate(stays.order.tolist())}
    found = list(queue_rows(stays, places=9))
    for job, one in enumerate(experiences_of(schedule)):
        ahead = [other for joining, other, _ in found if joining == job]
        assert len(ahead) == one.waiting_jobs
        assert ahead == sorted(ahead, key=place.get)
        assert all(place[other] < place[job] and stays.start[other] > stays.joined[job] for other in ahead)
    cut = list(queue_rows(stays, places=2))
    assert sorted(cut) == sorted(row for row in found if row[2] <= 2)


def test_runs_on_one_machine_are_kept_too(address):
    """Without a node-level model, jobs and queues are kept without nodes."""
    workload = Workload.from_columns(submit_time=[0, 1, 1], run_time=[5, 4, 3], processors=[2, 2, 1])
    schedule = simulate(workload, processors=2, engine="reference").schedule
    with open_history(address) as history:
        history.record(schedule, policy="fcfs")
        assert history.experiences(platform="2 processors") == by_end(schedule)
        assert rows(history, job_nodes) == []


def test_names_that_no_database_takes_are_told(address, make_run):
    """Half a character cannot be kept anywhere; nothing of such a run is kept."""
    schedule = make_run([(0, 0, 0, 3, 0, [0])], applications=[Application("half \ud800")])
    with open_history(address) as history:
        with pytest.raises(InputError, match="surrogates not allowed"):
            history.record(schedule, policy="fcfs")
        assert history.experiments() == []


def test_an_error_leaves_nothing_behind(address, three_jobs, monkeypatch):
    """A run whose last table cannot be filled is not there at all."""

    def fail(*_, **__):
        raise RuntimeError("power failure")

    monkeypatch.setattr("echelon.history.store.queue_rows", fail)
    with open_history(address) as history:
        with pytest.raises(RuntimeError, match="power failure"):
            history.record(three_jobs, policy="fcfs")
        assert history.experiments() == []
        assert rows(history, jobs) == []


@pytest.mark.slow
def test_thousands_of_jobs_are_kept_at_once(address, make_run):
    """5,000 jobs, with nodes and queues, come back whole."""
    n = 5_000
    schedule = make_run([(k, k, 3 * k + 1, 3 * k + 4, 0, [k % 2]) for k in range(n)])
    with open_history(address) as history:
        history.record(schedule, policy="fcfs", queue_places=3)
        assert history.experiences() == by_end(schedule)


def test_a_database_of_something_else_is_left_alone(address):
    """Tables of another program, of no program and of a later version are recognized and not touched."""
    engine = create_engine(Address.of(address, field="history").url)
    for made, expected in (
        ("CREATE TABLE cats (name TEXT)", r"holds tables of something else \(cats\)"),
        ("CREATE TABLE history_version (name TEXT)", "is not a history of Echelon"),
    ):
        with engine.begin() as connection:
            connection.execute(text(made))
        with pytest.raises(InputError, match=expected):
            open_history(address)
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE cats"))
        connection.execute(text("DROP TABLE history_version"))
    open_history(address).close()
    for changed, expected in (
        ("version = 7", r"has tables of version 7, this Echelon reads and writes version 1"),
        ("program = 'cats'", "is not a history of Echelon"),
    ):
        with engine.begin() as connection:
            connection.execute(text(f"UPDATE history_version SET {changed}"))
        with pytest.raises(InputError, match=expected):
            open_history(address)
    engine.dispose()


def test_names_that_are_not_text_are_one_sentence(tmp_path):
    """A file of SQLite whose table names were damaged is named, without a traceback."""
    file = tmp_path / "h.db"
    open_history(file).close()
    file.write_bytes(file.read_bytes().replace(b"history_version", b"history_versio\xb1"))
    with pytest.raises(InputError, match=r"h\.db"):
        open_history(file)


def test_nothing_is_made_where_a_history_is_only_read(address):
    """To look into a history that is not there is an error, and makes none."""
    for _ in range(2):
        with pytest.raises(InputError, match=r"no such file|holds no history yet"):
            open_history(address, create=False)


@pytest.mark.slow
def test_several_may_record_at_once(address, three_jobs):
    """Four processes that open one empty place, each by its own connection, all keep their runs."""

    def record(_):
        with open_history(address) as history:
            return [history.record(three_jobs, policy=policy) for policy in ("fcfs", "easy")]

    with ThreadPoolExecutor(4) as pool:
        numbers = [number for pair in pool.map(record, range(4)) for number in pair]
    with open_history(address, create=False) as history:
        assert sorted(numbers) == [one.number for one in history.experiments()]
        assert len(history.experiences()) == 8 * 3
        assert len(rows(history, SCHEMA.tables["policies"])) == 2
        assert len(rows(history, nodes)) == 5


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() == 0, reason="root may write everywhere")
def test_a_history_that_may_only_be_read_is_read(tmp_path, three_jobs):
    """A read-only file gives its experiences, and one sentence when recording."""
    file = tmp_path / "history.db"
    with open_history(file) as history:
        history.record(three_jobs, policy="fcfs")
    file.chmod(0o444)
    with open_history(file, create=False) as history:
        assert len(history.experiences()) == 3
        with pytest.raises(InputError, match="readonly"):
            history.record(three_jobs, policy="fcfs")


def test_a_name_with_a_nul_is_kept_or_refused(address, make_run):
    """SQLite keeps it; PostgreSQL cannot, and says so."""
    schedule = make_run([(0, 0, 0, 3, 0, [0])], applications=[Application("nul \0")])
    with open_history(address) as history:
        if history.address.startswith("postgresql"):
            with pytest.raises(InputError, match="NUL"):
                history.record(schedule, policy="fcfs")
            assert history.experiments() == []
        else:
            history.record(schedule, policy="fcfs")
            assert history.experiences()[0].application == "nul \0"
