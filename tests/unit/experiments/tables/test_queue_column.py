"""The column of jobs.csv that says in which of several global queues a job was."""

from __future__ import annotations

import pytest

import echelon as ec
from echelon.engine.tree.queues.queue_lines import QueueLines
from echelon.experiments.tables.columns import COLUMNS
from echelon.model import SharedCluster, Workstation

LAB = SharedCluster((Workstation(),) * 4)


@pytest.fixture
def jobs():
    """Return two dozen jobs of one to four processors."""
    return ec.read_workload("lublin:jobs=24,processors=4,seed=3")


def platform(resource, *names):
    """Return a platform of sites alike."""
    return ec.Platform(tuple(ec.Site(name, resource) for name in names), "sites")


@pytest.mark.parametrize("resource", [4, LAB], ids=["grid", "multicluster"])
def test_the_queue_of_each_job(jobs, resource):
    """A job is in the first queue that takes it."""
    found = ec.simulate(jobs, platform=platform(resource, "x", "y"), queues="one(tasks(most=1)); more").jobs
    expected = ["one" if size == 1 else "more" for size in found["processors"]]
    assert found["global_queue"].to_list() == expected
    assert {*expected} == {"one", "more"}
    assert found.columns == [one.name for one in COLUMNS if one.name in found.columns]


def test_queues_of_inner_sites_are_told_with_their_path(jobs):
    """Jobs that went elsewhere have none; one that passed two inner sites has a queue of each."""
    sites = platform(4, "a/x", "a/y", "c")
    inner = "@a=one(tasks(most=1)); more"
    alone = ec.simulate(jobs, platform=sites, queues=inner, broker="round-robin").jobs
    for site, size, queue in alone.select("site", "processors", "global_queue").iter_rows():
        assert queue == (None if site == "c" else f"a: {'one' if size == 1 else 'more'}")
    assert {*alone["site"]} > {"c"}
    both = ec.simulate(jobs, platform=sites, queues=f"all{inner}", broker="round-robin").jobs
    assert {*both["global_queue"]} == {"all", "all; a: one", "all; a: more"}


def test_it_is_the_queue_of_the_engine(jobs, monkeypatch):
    """Whatever the criteria, it is where the run had each job wait."""
    told, add = {}, QueueLines.add

    def noted(lines, job):
        add(lines, job)
        told[job.position] = next(k for k, line in enumerate(lines.lines) if job.position in line.view.jobs)

    monkeypatch.setattr(QueueLines, "add", noted)
    queues = "short(time(most=10min)); two(tasks(least=3)); rest"
    found = ec.simulate(jobs, platform=[4, 4], queues=queues, queue_limit=0).jobs["global_queue"].to_list()
    assert found == [("short", "two", "rest")[told[position]] for position in range(len(found))]
    assert {*found} == {"short", "two", "rest"}


@pytest.mark.parametrize("said", [{}, {"global_queue": "fcfs"}])
def test_without_several_queues_there_is_no_such_column(jobs, said):
    """Files of all other runs are as they were."""
    assert "global_queue" not in ec.simulate(jobs, platform=[4, 4], **said).jobs.columns
