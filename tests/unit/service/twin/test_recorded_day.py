"""A recorded day is what happened, and the same again under the same rules."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

import echelon as ec
from echelon.errors import InputError, UnknownNameError
from echelon.service.rules import ClusterRules, Rules
from echelon.service.store import Store
from echelon.service.twin.recorded_day import recorded_day
from echelon.service.twin.what_if import change_rules

sys.path.insert(0, str(Path(__file__).parent))
from days import RULES, SIZES, START, day_of_jobs, record


@pytest.fixture
def store(tmp_path):
    """Give a store with a day of twelve jobs."""
    record(tmp_path / "day.db", day_of_jobs())
    with Store.open(tmp_path / "day.db", create=False) as store:
        yield store


@pytest.mark.slow
def test_a_store_is_a_workload(store, tmp_path):
    """Its jobs are read with users, sizes, times that happened and asked for, and clusters as partitions."""
    found, given = ec.read_workload(tmp_path / "day.db"), day_of_jobs()
    for name in ("submit_time", "run_time", "requested_time", "processors"):
        assert getattr(found, name).tolist() == getattr(given, name).tolist()
    assert found.header.unix_start_time == START
    assert set(found.names["partition"]) == set(SIZES)
    assert found.columns["status"].tolist() == [1] * 12
    assert found.labels == tuple(job.id for job in store.jobs(limit=12))
    started = [job.started_at - job.submitted_at for job in store.jobs(limit=12)]
    assert found.columns["wait_time"].tolist() == started


@pytest.mark.slow
def test_a_store_that_is_open_is_read_with_its_write_ahead_log(store, tmp_path):
    """Jobs that a running service has just committed are there."""
    late = store.jobs(limit=1)[0].spec
    store.add_jobs("eve", [late], [None], START + 100, ["f" * 32])
    found = ec.read_workload(tmp_path / "day.db")
    assert found.labels[-1] == "f" * 32
    assert found.names["user"][found.user[-1] - 1] == "eve"
    assert (found.run_time[-1], found.columns["status"][-1]) == (-1, -1)


def test_another_database_is_no_workload(tmp_path):
    """A database of SQLite without jobs is an error that says so, and so is an empty store."""
    Store.open(tmp_path / "empty.db").close()
    with pytest.raises(InputError, match="has no job"):
        ec.read_workload(tmp_path / "empty.db")
    import sqlite3

    connection = sqlite3.connect(tmp_path / "other.db")
    connection.execute("CREATE TABLE pictures (name TEXT)")
    connection.commit()
    connection.close()
    with pytest.raises(InputError, match="is not the store of a service: no such table: jobs"):
        ec.read_workload(tmp_path / "other.db")


@pytest.mark.slow
def test_the_same_rules_give_the_same_day(store):
    """What happened and the twin have the same starts at the same clusters, to the last bit."""
    day = recorded_day(store, RULES)
    happened, again = day.happened(RULES), day.replayed(RULES)
    assert again.schedule.start_time.tolist() == happened.schedule.start_time.tolist()
    assert again.schedule.site.tolist() == happened.schedule.site.tolist()
    assert again.metrics == happened.metrics


@pytest.mark.slow
def test_other_rules_give_the_day_that_a_simulation_of_them_gives(store, tmp_path):
    """A what-if is the simulation of the store as a workload under these rules."""
    other = change_rules(RULES, {"broker": "first-site"}, ["alpha=conservative"])
    found = recorded_day(store, RULES).replayed(other)
    platform = ec.Platform((ec.Site("alpha", 8, policy="conservative"), ec.Site("beta", 4)))
    simulated = ec.simulate(tmp_path / "day.db", platform=platform, policy="easy", broker="first-site")
    assert found.schedule.start_time.tolist() == simulated.schedule.start_time.tolist()
    assert found.metrics["mean_wait"] == simulated.metrics["mean_wait"]


@pytest.mark.slow
def test_jobs_of_a_period_are_those_submitted_then(store):
    """From the first time on, and before the second one."""
    day = recorded_day(store, RULES, since=START + 10, until=START + 30)
    assert day.workload.job_id.tolist() == [4, 5, 6, 7, 8]
    with pytest.raises(InputError, match="has no job of that time"):
        recorded_day(store, RULES, since=START + 1000)


@pytest.mark.slow
def test_a_cluster_that_was_never_looked_at_has_no_size(store):
    """The configuration's new cluster is an error that names it."""
    more = replace(RULES, clusters=(*RULES.clusters, ClusterRules("gamma")))
    with pytest.raises(InputError, match="cluster gamma: was never looked at"):
        recorded_day(store, more)


def test_policies_are_changed_for_one_cluster_or_all():
    """A policy with a cluster before it is that cluster's; one with parameters alone is everybody's."""
    two = Rules((ClusterRules("alpha"), ClusterRules("beta")))

    def policies(*choices):
        return [one.policy for one in change_rules(two, {}, choices).clusters]

    assert policies("alpha=fcfs") == ["fcfs", "easy"]
    assert policies("easy:reservations=2", "beta=easy:reservations=3") == [
        "easy:reservations=2",
        "easy:reservations=3",
    ]
    with pytest.raises(UnknownNameError, match="gamma"):
        policies("gamma=fcfs")
