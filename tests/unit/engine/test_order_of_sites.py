"""Sites keep the order of the platform's file; where a rule goes by size, size decides, then that order."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from echelon.engine import reference
from echelon.engine.compiled import simulate as compiled
from echelon.engine.compiled import supports
from echelon.engine.contract import Scenario
from echelon.engine.immediate.rules import ImmediateRules
from echelon.engine.system_model import tree_of_sites
from echelon.model import (
    Instance,
    Platform,
    SharedCluster,
    Site,
    TimeSharedMachine,
    Workload,
    Workstation,
)
from echelon.policies import STRATEGIES, Admissible, Information, StartAt, broker_named, policy
from echelon.testing.grids import grid_crowd
from echelon.testing.multiclusters import cluster_case

ASCENDING = (("ant", 3), ("bee", 5), ("cat", 8), ("dog", 20))
MIXED = (("dog", 20), ("bee", 5), ("ant", 3), ("cat", 8))
EQUAL = (("dog", 8), ("bee", 4), ("ant", 8), ("cat", 4), ("eel", 20))
PROTOCOLS = ["common-pool", "exchange", "exchange:list", "stealing", "stealing:20:refresh=50:latency=3"]
# In turn means in the order of the file, so another file is another schedule.
BY_SIZE = [kind.name for kind in STRATEGIES if kind.name != "round-robin"]


def platform_of(sites):
    """Return the grid of these sites, names and processors, in this order."""
    return Platform(tuple(Site(name, processors) for name, processors in sites))


def scenario_of(sites, spec, *, seed=5, a=1.0, local="easy"):
    """Return a crowd of jobs, a third of them without a home, on these sites."""
    crowd = grid_crowd(seed, 40, sites=tuple(size for _, size in sites))
    jobs = crowd.workload
    names = tuple(name for name, _ in sorted(ASCENDING))
    jobs = replace(jobs.with_columns(partition=np.arange(40) % 7), names={"partition": names})
    return Scenario(
        Instance.of(jobs, platform_of(sites)),
        policy(local),
        seed=seed,
        system_model=tree_of_sites(broker_named(spec), Admissible(a)),
    )


def names_of(schedule):
    """Return the name of the site and of the home of each job."""
    names = np.array([*schedule.instance.platform.names, ""])
    return names[schedule.site].tolist(), names[schedule.home_site].tolist()


def test_a_platform_keeps_the_order_of_its_file():
    """Names, sizes and places are as given; by_size says the order by size, equal sites as given."""
    platform = platform_of(EQUAL)
    assert platform.names == ("dog", "bee", "ant", "cat", "eel")
    assert platform.sizes.tolist() == [8, 4, 8, 4, 20]
    assert platform.by_size.tolist() == [1, 3, 0, 2, 4]
    assert platform.largest == 20
    assert platform.smallest_sites(np.array([1, 4, 5, 8, 9])).tolist() == [1, 1, 0, 0, 4]


@pytest.mark.parametrize("spec", [*BY_SIZE, *PROTOCOLS])
def test_the_order_of_the_file_moves_no_job(spec):
    """With sites of different sizes another order in the file changes their numbers and nothing else."""
    a = 1.0 if spec in PROTOCOLS else 0.6
    runs = [reference.simulate(scenario_of(sites, spec, a=a)) for sites in (ASCENDING, MIXED)]
    np.testing.assert_array_equal(runs[0].start_time, runs[1].start_time)
    assert names_of(runs[0]) == names_of(runs[1])
    assert len(set(runs[0].site.tolist())) > 1


@pytest.mark.parametrize("sites", [MIXED, EQUAL], ids=["mixed", "equal"])
@pytest.mark.parametrize("spec", [kind.name for kind in STRATEGIES] + PROTOCOLS)
def test_both_engines_agree_whatever_the_order(spec, sites):
    """The kernels, which know sites by size, give every start, site and home of the reference engine."""
    scenario = scenario_of(sites, spec, a=1.0 if spec in PROTOCOLS else 0.7)
    if (reason := supports(scenario)) is not None:
        pytest.skip(reason)
    expected, found = reference.simulate(scenario), compiled(scenario)
    np.testing.assert_array_equal(found.start_time, expected.start_time)
    np.testing.assert_array_equal(found.site, expected.site)
    np.testing.assert_array_equal(found.home_site, expected.home_site)


def test_admissible_sites_are_by_size():
    """F to l are counted by size: of 20, 5, 3 and 8 a job of 4 may go to 5 and 8 before 20, at a = 0.3."""
    sites = Admissible(0.3).sites(platform_of(MIXED), np.array([4, 1, 9]))
    assert [tuple(some) for some in sites] == [(1, 3), (2, 1, 3), (0,)]


def test_ties_go_to_the_smaller_site_then_to_the_first_of_the_file():
    """On an idle grid of sites of 8, 4, 8 and 4 a job of 2 goes to the first 4, one of 6 to the first 8."""
    jobs = Workload.from_columns(submit_time=[0, 1000], run_time=[5, 5], processors=[2, 6])
    scenario = Scenario(
        Instance.of(jobs, platform_of(EQUAL[:4])),
        policy("fcfs"),
        system_model=tree_of_sites(broker_named("ml")),
    )
    assert reference.simulate(scenario).site.tolist() == [1, 0]
    assert compiled(scenario).site.tolist() == [1, 0]


@dataclass(frozen=True)
class Keeps:
    """A user's broker that sends each job to its home if it may."""

    name = "keeps"
    information = Information.SITES
    grid_state = "actual"
    own = None

    def choose(self, job, view):
        assert view.sizes == (20, 5, 3, 8)
        home = view.home(job)
        return home if home in view.allowed else view.allowed[0]


@pytest.mark.parametrize("local", ["easy", "conservative"])
def test_home_is_where_the_partition_says(local):
    """The broker home, in both engines, does what a user's broker with view.home(job) does."""
    scenario = scenario_of(MIXED, "home", a=0.7, local=local)
    expected = reference.simulate(replace(scenario, system_model=tree_of_sites(Keeps())))
    for simulate in (reference.simulate, compiled):
        found = simulate(scenario)
        np.testing.assert_array_equal(found.start_time, expected.start_time)
        np.testing.assert_array_equal(found.site, expected.site)
    known = expected.home_site >= 0
    at_home = expected.site == expected.home_site
    assert 0 < at_home.sum() < known.sum()


def test_a_users_arrangement_sees_the_order_of_the_file():
    """Sites that exchange jobs are numbered as in the file, and so are homes."""
    seen = []

    class First:
        name, latency, refresh = "first", 0.0, 0.0

        def homes(self, sizes, size, submitted):
            seen.append((sizes.tolist(), submitted.tolist()))
            return np.zeros(len(size), dtype=np.int64)

        def decide(self, view):
            for job in view.queue:
                if view.free(0) >= job.processors:
                    yield StartAt(job, 0)

    scenario = scenario_of(MIXED, "common-pool")
    found = reference.simulate(replace(scenario, system_model=tree_of_sites(First())))
    sizes, submitted = seen[0]
    assert sizes == [20, 5, 3, 8]
    assert submitted[:8] == [-1, 2, 1, 3, 0, -1, -1, -1]
    assert set(found.site.tolist()) == {0}


@pytest.mark.parametrize(
    "spec", ["mct", "met", "olb", "random", "min-min", "max-min", "sufferage", "wqr", "fpltf"]
)
def test_the_order_of_machines_without_queues_moves_no_job(spec):
    """Rules for time-shared machines, whose ties go by size, choose the same machine by name."""
    speeds = {"ant": 1.0, "bee": 1.5, "cat": 1.0, "dog": 0.5}
    runs = []
    for sites in (ASCENDING, MIXED):
        machines = tuple(Site(name, TimeSharedMachine(cores, speeds[name])) for name, cores in sites)
        instance = Instance.of(grid_crowd(2, 60, sites=(3, 5, 8, 20)).workload, Platform(machines))
        model = tree_of_sites(broker_named(spec), rules=ImmediateRules())
        runs.append(reference.simulate(Scenario(instance, policy("fcfs"), seed=3, system_model=model)))
    np.testing.assert_array_equal(runs[0].start_time, runs[1].start_time)
    assert names_of(runs[0]) == names_of(runs[1])
    assert len(set(runs[0].site.tolist())) > 1


def test_ties_of_clusters_go_by_size():
    """A broker of a multicluster whose clusters are alike to it takes the one of fewest slots."""
    large, small = (SharedCluster((Workstation(),) * nodes) for nodes in (4, 2))
    jobs = [(0.0, 10.0, 1), (20.0, 10.0, 3)]
    found = reference.simulate(cluster_case(jobs, (large, small)).scenario(broker="first-site"))
    assert found.instance.platform.names == ("c0", "c1")
    assert found.site.tolist() == [1, 0]
