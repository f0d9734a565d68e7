"""Brokers of the M-CISNE thesis that look at nodes, or at nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

import echelon as ec
from echelon.model import Application, Applications, SharedCluster, SocialContract, Workstation

GB = 1e9


def _two(first: Workstation, second: Workstation) -> ec.Platform:
    contract = SocialContract(mpl=4)
    return ec.Platform(
        (
            ec.Site("a", SharedCluster((first,) * 2, contract)),
            ec.Site("b", SharedCluster((second,) * 2, contract)),
        )
    )


def _jobs(*jobs: tuple[int, float]) -> ec.Workload:
    """Return jobs of (nodes, memory of a task) that come at seconds 0, 1, 2 ... and run for long."""
    table = ec.Workload.from_columns(
        submit_time=range(len(jobs)), run_time=[100] * len(jobs), processors=[nodes for nodes, _ in jobs]
    )
    return replace(table, applications=Applications.of([Application(memory=memory) for _, memory in jobs]))


@pytest.mark.parametrize(
    ("broker", "sites"),
    [
        # One task in a, one in b, whose memory is less used then than that of a.
        ("least-memory", ["a", "b", "b"]),
        # a has one task in its fullest node after the first job, so b is next; then both have one.
        ("least-mpl", ["a", "b", "a"]),
        ("first-site", ["a", "a", "a"]),
    ],
)
def test_each_goes_by_its_own(broker, sites):
    """Three jobs of one task: of 1 GB, 0.5 GB and 0.25 GB, on nodes of 4 GB in a and 8 GB in b."""
    platform = _two(Workstation(memory=4 * GB), Workstation(memory=8 * GB))
    jobs = _jobs((1, 1 * GB), (1, 0.5 * GB), (1, 0.25 * GB))
    result = ec.simulate(jobs, platform=platform, broker=broker)
    assert result.jobs["site"].to_list() == sites


def test_owners_use_memory_too(tmp_path):
    """An owner who holds half of the memory of a's nodes sends the job to b."""
    trace = tmp_path / "owners.csv"
    trace.write_text("time,site,node,cpu,memory,network\n0,a,0,0.1,0.5,0\n0,a,1,0.1,0.5,0\n")
    platform = _two(Workstation(memory=4 * GB), Workstation(memory=4 * GB))
    result = ec.simulate(_jobs((1, GB)), platform=platform, broker="least-memory", local_users=str(trace))
    assert result.jobs["site"].to_list() == ["b"]


@pytest.mark.parametrize("broker", ["least-memory", "least-mpl", "first-site"])
def test_sites_without_shared_nodes_are_all_alike(broker):
    """On a grid of processors the lowest site that can hold a job is chosen."""
    table = ec.Workload.from_columns(submit_time=[0, 1], run_time=[10, 10], processors=[2, 5])
    result = ec.simulate(table, platform=[4, 8], broker=broker)
    assert result.jobs["site"].to_list() == ["site-1", "site-2"]
