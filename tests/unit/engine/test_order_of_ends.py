"""ENDs of one instant go in the order of dispatch, wherever anybody can tell."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.engine.immediate import platforms as immediate

from echelon.engine import compiled, reference
from echelon.engine.contract import CYCLES, Scenario
from echelon.engine.nodes.rules import NodeRules
from echelon.engine.system_model import NodeLevelMachine, tree_of_sites
from echelon.execution import Execution
from echelon.model import (
    Cluster,
    Core,
    Hardware,
    Instance,
    Node,
    Platform,
    Processor,
    SharedCluster,
    Workload,
    Workstation,
)
from echelon.policies import (
    Average,
    Policy,
    Preempt,
    Start,
    StartAt,
    Wake,
    broker_named,
    placement_named,
    policy,
)
from echelon.testing.multiclusters import cluster_case

ENGINES = {"reference": reference.simulate, "compiled": compiled.simulate}
EVENTFUL = ("event", "pyss")


def table(*rows):
    """Return jobs given as (submit, run, processors, request)."""
    submit, run, size, request = zip(*rows, strict=True)
    return Workload.from_columns(submit_time=submit, run_time=run, processors=size, requested_time=request)


class Hearer:
    """Write down whose start and whose end is told, in order."""

    def __init__(self):
        self.starts, self.ends = [], []
        self.submitted = self.decided = lambda *_: None

    def started(self, time, job, place):
        self.starts.append((time, job.position))

    def ended(self, time, job, place):
        self.ends.append((time, job.position))


# Both running jobs end at 10, before their plan; the first in the file was started last. Once the other has
# given back its 3 processors, the 4 that the head needs are not free, but the 3 for the job behind it.
LATER_FIRST = table((2, 8, 2, 20), (0, 10, 3, 30), (3, 5, 4, 5), (4, 5, 3, 5))
# The same, but both start at 2, when the largest waits first: the second of the file.
TOGETHER = table((1, 8, 2, 20), (1, 8, 3, 20), (3, 5, 4, 5), (4, 5, 3, 5), (0, 2, 5, 2))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("cycles", EVENTFUL)
@pytest.mark.parametrize("backfill", ["first-fit", "easy", "conservative"])
def test_who_started_first_ends_first(engine, cycles, backfill):
    """The pass between the two ENDs sees 3 processors free, those of the job that started at 0."""
    scenario = Scenario(Instance.of(LATER_FIRST, 5), policy(backfill), cycles=cycles)
    assert ENGINES[engine](scenario).start_time.tolist() == [2, 0, 15, 10]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("cycles", EVENTFUL)
@pytest.mark.parametrize("backfill", ["first-fit", "easy"])
def test_of_equal_starts_who_was_started_first(engine, cycles, backfill):
    """Two jobs start in one pass, in queue order, and end in it, not in that of the file."""
    scenario = Scenario(Instance.of(TOGETHER, 5), policy(f"{backfill}:largest-first"), cycles=cycles)
    assert ENGINES[engine](scenario).start_time.tolist() == [2, 2, 15, 10, 0]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("cycles", EVENTFUL)
def test_on_nodes_too(engine, cycles):
    """The same jobs on the cores of a node."""
    node = Node((Processor((Core(1.0, dynamic_power=1.0),) * 5),))
    instance = Instance.of(LATER_FIRST, Hardware((Cluster((node,)),), name="small"))
    rules = NodeRules(placement_named("first-fit"), Execution(fixed=True))
    scenario = Scenario(instance, policy("easy"), cycles=cycles, system_model=NodeLevelMachine(rules))
    assert ENGINES[engine](scenario).start_time.tolist() == [2, 0, 15, 10]


class Pausing:
    """First-fit that takes the processors of the first job back at 2 s, and gives them back at 3 s."""

    name = "pausing"

    def decide(self, view):
        if view.now == 2:
            yield Preempt(view.running[0].job)
            yield Wake(3)
            return
        for job in view.queue:
            if job.processors <= view.free:
                yield Start(job)


@pytest.mark.parametrize("cycles", EVENTFUL)
def test_a_preempted_job_counts_from_its_last_start(cycles):
    """It started at 0 and at 3, the other at 1: that one ends first, and 2 processors stay free."""
    jobs = table((0, 9, 3, 11), (1, 9, 2, 30), (2, 1, 5, 1), (4, 5, 4, 5), (5, 5, 3, 5))
    hearer = Hearer()
    scenario = Scenario(
        Instance.of(jobs, 5), Policy.of(backfill=Pausing()), cycles=cycles, observers=[hearer]
    )
    schedule = reference.simulate(scenario)
    assert schedule.segments.start.tolist()[:2] == [0, 3]
    assert hearer.ends[:2] == [(10, 1), (10, 0)]
    assert schedule.start_time.tolist()[3:] == [11, 16]


@pytest.mark.parametrize("cycles", CYCLES)
def test_estimators_learn_in_the_order_of_dispatch(cycles):
    """The last job to end is that which started last, and whose run time is predicted."""
    jobs = table((2, 8, 2, 20), (0, 10, 3, 30), (11, 5, 1, 50)).with_columns(user=[7, 7, 7])
    scenario = Scenario(Instance.of(jobs, 5), policy("fcfs"), cycles=cycles, estimator=Average(1))
    assert reference.simulate(scenario).predicted_time.tolist() == [20, 30, 8]


def test_observers_hear_it_under_every_rule():
    """Under instant, too, although no pass comes between."""
    for cycles in CYCLES:
        hearer = Hearer()
        scenario = Scenario(Instance.of(LATER_FIRST, 5), policy("easy"), cycles=cycles, observers=[hearer])
        reference.simulate(scenario)
        assert hearer.ends[:2] == [(10, 1), (10, 0)]


def test_on_a_grid_dispatches_are_counted_over_all_sites():
    """At 0 the larger site decides last; of two jobs that started at 3, that of the lower site ends first."""
    hearer = Hearer()
    jobs = table((3, 7, 4, 7), (3, 7, 2, 7), (2, 8, 1, 8), (0, 10, 1, 10), (10, 5, 1, 50))
    scenario = Scenario(
        Instance.of(jobs.with_columns(user=[7] * 5), Platform.of_sizes([3, 6])),
        policy("fcfs"),
        system_model=tree_of_sites(broker_named("mpl")),
        estimator=Average(1),
        observers=[hearer],
    )
    schedule = reference.simulate(scenario)
    assert schedule.start_time.tolist() == [3, 3, 2, 0, 10]
    assert schedule.site.tolist()[:4] == [1, 0, 1, 0]
    assert hearer.starts[:4] == [(0, 3), (2, 2), (3, 1), (3, 0)]
    assert hearer.ends[:4] == [(10, 3), (10, 2), (10, 1), (10, 0)]
    assert schedule.predicted_time[4] == 7


class Scripted:
    """Start every job at once at the site that it is told, the last of the queue first."""

    name = "scripted"
    latency, refresh = 5.0, 0.0

    def __init__(self, sites, homes):
        self._sites, self._homes = sites, homes

    def homes(self, sizes, size, submitted):
        return np.array(self._homes)

    def decide(self, view):
        for job in reversed(view.queue):
            yield StartAt(job, self._sites[job.position])


def heard_of(jobs, sites, homes):
    """Return the observer of a run without a broker."""
    hearer = Hearer()
    instance = Instance.of(jobs, Platform.of_sizes([4, 8]))
    arrangement = Scripted(sites, homes)
    reference.simulate(
        Scenario(instance, policy("fcfs"), system_model=tree_of_sites(arrangement), observers=[hearer])
    )
    return hearer


def test_without_a_broker_who_arrived_first_ends_first():
    """A job on its way starts when it is there; of equal starts that which was sent first ends first."""
    hearer = heard_of(table((5, 10, 2, 10), (0, 10, 2, 10), (2, 13, 2, 13)), [0, 1, 1], [0, 0, 1])
    assert hearer.starts == [(2, 2), (5, 1), (5, 0)]
    assert hearer.ends == [(15, 2), (15, 1), (15, 0)]


def test_transfers_arrive_in_the_order_in_which_they_left():
    """Two jobs that are sent at one instant start, and end, as they were sent."""
    hearer = heard_of(table((1, 10, 2, 10), (1, 10, 3, 10)), [1, 1], [0, 0])
    assert hearer.starts == [(6, 1), (6, 0)]
    assert hearer.ends == [(16, 1), (16, 0)]


def test_on_a_multicluster():
    """In two clusters, of which the second has the job that was started first."""
    hearer = Hearer()
    clusters = [SharedCluster((Workstation(),)), SharedCluster((Workstation(),))]
    simulated = cluster_case([(2, 8, 1), (0, 10, 1)], clusters).scenario(observers=[hearer])
    schedule = reference.simulate(simulated)
    assert schedule.start_time.tolist() == [2, 0]
    assert hearer.ends == [(10, 1), (10, 0)]


def test_on_machines_without_queues():
    """On two machines; of copies that end together the first dispatch of their job counts."""
    hearer = Hearer()
    given = immediate.instance((2, 8, 1), (0, 10, 1), on=((1, 1.0), (1, 1.0)))
    immediate.run(given, observers=[hearer])
    assert hearer.ends == [(10, 1), (10, 0)]
