"""Instances on sites some of which have nodes: demands, sizes, and jobs that no site can hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from echelon.errors import InfeasibleJobError, InputError
from echelon.model import (
    Cluster,
    Core,
    Demand,
    Demands,
    Hardware,
    Instance,
    Node,
    NodeLevel,
    Platform,
    Processor,
    SharedCluster,
    Site,
    TaskGroup,
    TimeSharedMachine,
    Workload,
    Workstation,
)


def nodes(count: int, *, cores: int = 4, memory: float = 8e9, speed: float = 1e9) -> Hardware:
    """Return a machine of equal nodes."""
    return Hardware((Cluster((Node((Processor((Core(speed),) * cores),), memory=memory),) * count),))


WEST, EAST = nodes(4, speed=2e9), nodes(2, cores=8, memory=32e9)
GRID = Platform((Site("spain/west", WEST), Site("east", EAST)), "two")
JOBS = Workload.from_columns(
    submit_time=[0.0, 1.0, 2.0],
    run_time=[10.0, 20.0, 30.0],
    processors=[4, 16, 17],
    requested_memory=[1e6, 1e6, 1e6],
)


def asking(*demands: Demand) -> Workload:
    """Return jobs with these demands, all submitted at once."""
    jobs = Workload.from_columns(
        submit_time=[0.0] * len(demands), run_time=[1.0] * len(demands), processors=[d.tasks for d in demands]
    )
    return replace(jobs, demands=Demands.of(demands))


def test_plain_jobs_ask_for_operations_of_a_mean_core():
    """The tasks of a log's jobs do in the run time what a core of mean speed over all sites' nodes does."""
    found = Instance.of(JOBS, GRID)
    assert isinstance(found.machine, NodeLevel)
    assert (found.platform, found.hardware) == (GRID, GRID.all_nodes)
    assert (found.sites, found.processors, len(found)) == (GRID, 32, 2)
    assert found.demands is not None
    assert found.demands.operations.tolist() == [10 * 1.5e9, 20 * 1.5e9]
    assert found.run_time.tolist() == [10, 20]
    assert [drop.reason for drop in found.dropped] == ["more processors than the largest site's 16"]


def test_own_demands_take_as_long_as_on_mean_cores():
    """A workload's own demands stay as they are; run times are those of the longest task alone."""
    jobs = asking(Demand((TaskGroup(4, 3e9), TaskGroup(1, 6e9))))
    found = Instance.of(jobs, GRID)
    assert (found.run_time.tolist(), found.demands) == ([4.0], jobs.demands)


def test_one_site_with_nodes_is_that_machine():
    """A platform of one site with nodes is the same as its nodes: no sites, and today's names of nodes."""
    one = Instance.of(JOBS, Platform((Site("east", EAST),)))
    assert (one.platform, one.hardware) == (None, EAST)
    assert one.hardware is EAST
    assert Instance.of(JOBS, Platform((Site("spain/east", EAST),))).platform is not None


def test_jobs_that_no_site_can_hold_are_left_out():
    """A job stays if the nodes of one site, or processors that are counted, can hold it."""
    jobs = asking(
        Demand((TaskGroup(8, 1.0, 1e9),), sequential=True),
        Demand((TaskGroup(16, 1.0, 2e9),)),
        Demand((TaskGroup(9, 1.0),), sequential=True),
        Demand((TaskGroup(4, 1.0),), nodes=3),
        Demand((TaskGroup(5, 1.0),), nodes=5),
    )
    left = Instance.of(jobs, GRID)
    assert left.kept.tolist() == [0, 1, 3]
    assert [(drop.reason, drop.positions) for drop in left.dropped] == [
        ("a demand that fits on no site", (2, 4))
    ]
    with pytest.raises(InfeasibleJobError, match=r"2 jobs can never start: job 3 needs 9 cores of one node"):
        Instance.of(jobs, GRID, strict=True)
    counted = Platform((*GRID.sites, Site("counted", 5)))
    assert Instance.of(jobs, counted).kept.tolist() == [0, 1, 3, 4]


@pytest.mark.parametrize(
    ("resource", "kept"),
    [(9, [0, 1]), (TimeSharedMachine(5), [1]), (SharedCluster((Workstation(),) * 9), [0, 1])],
)
def test_sites_of_other_kinds_hold_jobs_by_size(resource, kept):
    """Beside nodes too small for all, a site holds jobs up to its largest, whatever they demand of nodes."""
    jobs = asking(Demand((TaskGroup(9, 1.0, 9e9),)), Demand((TaskGroup(5, 1.0, 9e9),)))
    assert Instance.of(jobs, Platform((Site("west", WEST), Site("other", resource)))).kept.tolist() == kept


def test_jobs_that_fit_nowhere_are_refused():
    """If no job is left, or dropping was forbidden, the error says what each asks and what there is."""
    jobs = asking(Demand((TaskGroup(9, 1.0),), sequential=True))
    with pytest.raises(InfeasibleJobError, match=r"two has 2 sites of up to 16 processors, 6 nodes in all"):
        Instance.of(jobs, GRID)


def test_tasks_that_share_cores_fit_more():
    """With two tasks a core a job of twice the cores fits; a job larger than that does not."""
    found = Instance.of(JOBS, GRID, tasks_per_core=2)
    assert (found.kept.tolist(), found.dropped) == ([0, 1, 2], ())


def test_jobs_that_span_shared_nodes():
    """Where jobs may span clusters of shared nodes, all these together hold a job."""
    lab = SharedCluster((Workstation(),) * 12)
    platform = Platform((Site("west", WEST), Site("a", lab), Site("b", lab)))
    assert Instance.of(JOBS, platform).kept.tolist() == [0, 1]
    assert Instance.of(JOBS, platform, spanning=True).kept.tolist() == [0, 1, 2]


def test_sequential_jobs_may_straddle_nodes():
    """With `straddle` a sequential job fits in several nodes of one site."""
    jobs = asking(Demand((TaskGroup(16, 1.0),), sequential=True), Demand((TaskGroup(1, 1.0),)))
    assert Instance.of(jobs, GRID).kept.tolist() == [1]
    assert Instance.of(jobs, GRID, straddle=True).kept.tolist() == [0, 1]


def test_requests_are_kept_on_sites_of_any_kind():
    """A job may run beyond its request wherever it runs, as every site plans it again."""
    for platform in (GRID, Platform((*GRID.sites, Site("counted", 5))), Platform.of_sizes([5])):
        found = Instance.of(
            JOBS.with_columns(requested_time=[1.0] * len(JOBS)), platform, estimates="request"
        )
        assert found.planned_time.tolist() == [1.0] * len(found)
        assert (found.run_time > 1.0).any()


def test_jobs_left_out_later_keep_the_sites():
    """Fewer jobs have fewer demands, on the same sites and nodes."""
    less = Instance.of(JOBS, GRID).without(np.array([0]), "an example")
    assert (less.platform, less.hardware, len(less)) == (GRID, GRID.all_nodes, 1)
    assert less.demands is not None
    assert less.demands.size.tolist() == [16]


def test_nodes_are_those_of_the_sites():
    """A node-level machine of sites has their nodes in their order, and no others."""
    demands = Demands.of([Demand((TaskGroup(1, 1.0),))])
    assert NodeLevel(GRID.all_nodes, demands, GRID).processors == 32
    with pytest.raises(InputError, match="hardware: must be all nodes of platform 'two', got Hardware"):
        NodeLevel(WEST, demands, GRID)


def test_homes_are_paths_or_last_components():
    """A partition that is called like a site's path, or like its last component alone, is a job's home."""
    jobs = replace(
        JOBS,
        columns={**JOBS.columns, "partition": np.array([1, 2, 3])},
        names={"partition": ("west", "spain/west", "north")},
    )
    counted = Platform((Site("east", 32), Site("spain/west", 32)))
    assert Instance.of(jobs, counted).home_site.tolist() == [1, 1, -1]
