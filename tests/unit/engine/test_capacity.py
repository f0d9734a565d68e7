"""Three of four processors or nodes are down from 5 s to 20 s: their jobs wait again, from the beginning."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from echelon.engine import simulation
from echelon.engine.assembly import system_of
from echelon.engine.capacity import Capacity, Outage
from echelon.engine.contract import Scenario
from echelon.engine.controllers import Controller
from echelon.engine.immediate.rules import ImmediateRules
from echelon.engine.multicluster.rules import MulticlusterRules
from echelon.engine.nodes.rules import NodeRules
from echelon.engine.worlds import (
    LeafRules,
    NodeLevelMachine,
    TreeOfSites,
    world_of_sites,
)
from echelon.errors import InputError
from echelon.execution import execution_of
from echelon.model import (
    Cluster,
    Core,
    Demand,
    Demands,
    Hardware,
    Instance,
    Node,
    Platform,
    Processor,
    SharedCluster,
    Site,
    TaskGroup,
    TimeSharedMachine,
    Workload,
    Workstation,
)
from echelon.policies import broker_named, placement_of, policy
from echelon.policies.broker.admissible import Admissible
from echelon.policies.coallocation.registry import co_allocation_named
from echelon.policies.upper_queue.registry import queue_limit, upper_queue

FOUR = Hardware((Cluster((Node((Processor((Core(1.0),)),)),) * 4),))
POLICIES = [
    "none",
    "first-fit",
    "easy",
    "conservative",
    "plan",
    "slack",
    "selective",
    "relaxed",
    "node-backfill",
]


def workload():
    """Job 0 runs on. Jobs 1 and 2 started later, and lose their processors at 5. Job 3 comes at 6."""
    table = Workload.from_columns(
        submit_time=[0, 1, 2, 6],
        run_time=[10, 8, 8, 4],
        requested_time=[10, 8, 8, 4],
        processors=[1, 2, 1, 1],
    )
    sizes = ((1, 10.0), (2, 8.0), (1, 8.0), (1, 4.0))
    return replace(table, demands=Demands.of([Demand((TaskGroup(*size),)) for size in sizes]))


def run(scenario, *outages):
    """Return the schedule of a run in which these outages happen."""
    system = system_of(scenario)
    system.ledger.capacity = Capacity(outages)
    return simulation.run(system)


def attempts_of(schedule):
    table = schedule.attempts
    columns = (table.job, table.start, table.end)
    return list(zip(*(column.tolist() for column in columns), table.reason_names.tolist(), strict=True))


def expected(one, two, three):
    """Return all attempts, of which the last ones of jobs 1 to 3 are at these times."""
    return [
        (0, 0, 10, "completed"), (1, 1, 5, "requeued"), (1, *one, "completed"), (2, 2, 5, "requeued"),
        (2, *two, "completed"), (3, *three, "completed"),
    ]  # fmt: skip


def last_attempts(words):
    """Return when jobs 1 to 3 run to their ends: in order, or past job 1, which needs two processors."""
    if words == "none":
        return (20, 28), (20, 28), (20, 24)
    # Without reservations for what comes later, as beside a job of three processors that ends at 20.
    return (20, 28), (10, 18), (20, 24) if words == "node-backfill" else (18, 22)


@pytest.mark.parametrize("words", POLICIES)
def test_counted_processors(words):
    """The jobs that started last lose theirs, and every policy plans around the outage."""
    schedule = run(Scenario(Instance.of(workload(), 4), policy(words)), Outage(5, 20, processors=3))
    assert attempts_of(schedule) == expected(*last_attempts(words))


def on_nodes(words, execution="fixed", estimates="raise"):
    instance = Instance.of(workload(), FOUR, estimates=estimates)
    world = NodeLevelMachine(NodeRules(placement_of("first-fit"), execution_of(execution)))
    return Scenario(instance, policy(words), world=world)


@pytest.mark.parametrize("execution", ["fixed", "speed"])
@pytest.mark.parametrize("estimates", ["raise", "kill"])
@pytest.mark.parametrize("words", ["none", "first-fit", "easy", "slack", "relaxed"])
def test_nodes(words, execution, estimates):
    """The jobs in these nodes lose them; what each task held is kept of every attempt."""
    schedule = run(on_nodes(words, execution, estimates), Outage(5, 20, nodes=(1, 2, 3)))
    attempts = expected(*last_attempts(words))
    assert attempts_of(schedule) == attempts
    assert schedule.instance.run_time.tolist() == [10, 8, 8, 4]
    held = schedule.holdings
    rows = zip(held.job.tolist(), held.start.tolist(), held.release.tolist(), strict=True)
    assert set(rows) == {attempt[:3] for attempt in attempts}


@pytest.mark.parametrize("words", ["none", "easy", "conservative", "plan"])
def test_no_job_starts_in_a_node_that_is_down(words):
    """Many jobs, two overlapping outages of the same nodes: no core of these is held meanwhile."""
    rng = np.random.default_rng(7)
    table = Workload.from_columns(
        submit_time=np.sort(rng.integers(0, 90, 40)),
        run_time=rng.integers(1, 9, 40),
        processors=(sizes := rng.integers(1, 5, 40)),
    )
    demands = Demands.of([Demand((TaskGroup(int(size), 1.0),)) for size in sizes])
    instance = Instance.of(replace(table, demands=demands), FOUR)
    world = NodeLevelMachine(NodeRules(placement_of("worst-fit"), execution_of("fixed")))
    down = Outage(10, 30, nodes=(1, 2)), Outage(20, 45, nodes=(2, 3)), Outage(60, 61, nodes=(0, 1, 2, 3))
    held = run(Scenario(instance, policy(words), world=world), *down).holdings
    for outage in down:
        for row in range(len(held.job)):
            cores = held.cores[held.first_core[row] : held.first_core[row + 1]].tolist()
            beside = held.release[row] <= outage.start or outage.end <= held.start[row]
            assert beside or not set(cores) & set(outage.nodes)


class Watch:
    """Keeps when jobs start, and in which nodes."""

    def __init__(self):
        self.starts = []

    def submitted(self, time, job, place):
        pass

    def started(self, time, job, place):
        self.starts.append((time, set(place.nodes)))

    def ended(self, time, job, place):
        pass

    def decided(self, time, waiting, free, place):
        pass


def shared(words, *more):
    """Return a scenario of a cluster of four shared workstations, and perhaps other sites."""
    platform = Platform((Site("a", SharedCluster((Workstation(),) * 4)), *more))
    rules = MulticlusterRules(upper_queue("fcfs"), queue_limit("unlimited"))
    instance = Instance.of(replace(workload(), demands=None), platform)
    return Scenario(instance, policy(words), world=world_of_sites(broker_named("ml"), rules=rules))


@pytest.mark.parametrize("words", ["none", "first-fit", "easy"])
def test_shared_nodes(words):
    """The jobs in these nodes wait in the queue of their cluster; no job starts there before 20."""
    watch = Watch()
    schedule = run(replace(shared(words), observers=[watch]), Outage(5, 20, nodes=(1, 2, 3)))
    assert attempts_of(schedule) == expected(*last_attempts(words))
    assert not any(5 <= time < 20 and nodes & {1, 2, 3} for time, nodes in watch.starts)


@pytest.mark.parametrize("words", ["none", "easy", "conservative"])
@pytest.mark.parametrize("resource", [4, FOUR])
def test_leaves_of_a_tree(words, resource):
    """At a leaf under two levels of brokers the same happens as on that machine alone."""
    if resource is FOUR:
        alone, outage = on_nodes(words), Outage(5, 20, nodes=(1, 2, 3))
    else:
        alone, outage = Scenario(Instance.of(workload(), 4), policy(words)), Outage(5, 20, processors=3)
    platform = Platform((Site("grid/a", resource),))
    rules = LeafRules(nodes=NodeRules(placement_of("first-fit"), execution_of("fixed")))
    brokers = dict.fromkeys(("", "grid"), Controller(broker_named("ml"), Admissible()))
    tree = Scenario(Instance.of(workload(), platform), policy(words), world=TreeOfSites(brokers, rules))
    assert attempts_of(run(tree, outage)) == attempts_of(run(alone, outage))


def test_a_cycle_after_every_event_is_refused():
    """What else happens at the instant of a change is one cycle."""
    scenario = Scenario(Instance.of(workload(), 4), policy("none"), passes="event")
    with pytest.raises(InputError, match="is 'instant' where capacity changes"):
        run(scenario, Outage(5, 20, processors=3))


def time_shared(*jobs):
    """Return a scenario of a time-shared machine of four cores; jobs are (submit time, run time)."""
    submit, run_time = zip(*jobs, strict=True)
    table = Workload.from_columns(submit_time=submit, run_time=run_time, processors=[1] * len(jobs))
    instance = Instance.of(table, Platform((Site("a", TimeSharedMachine(4)),)))
    return Scenario(
        instance, policy("none"), world=world_of_sites(broker_named("ml"), rules=ImmediateRules())
    )


def test_time_shared_cores():
    """Four processes of 10 s: 5 s at full speed, 15 s at a quarter, 1.25 s at full speed; all run on."""
    schedule = run(time_shared(*[(0, 10)] * 4), Outage(5, 20, processors=3))
    assert schedule.end_time.tolist() == [21.25] * 4


def test_a_time_shared_machine_that_is_all_down():
    """Two jobs lose all at 5; with one that comes at 6 they begin at 20. One that had ended is left alone."""
    schedule = run(time_shared((0, 4), (0, 10), (1, 8), (6, 3)), Outage(5, 20, processors=4))
    assert attempts_of(schedule) == [
        (0, 0, 4, "completed"), (1, 0, 5, "requeued"), (1, 20, 30, "completed"), (2, 1, 5, "requeued"),
        (2, 20, 28, "completed"), (3, 20, 23, "completed"),
    ]  # fmt: skip
    assert schedule.instance.run_time.tolist() == [4, 10, 8, 3]


def test_a_job_of_several_clusters_is_not_requeued():
    """No queue of one cluster could start it again."""
    platform = Platform(tuple(Site(name, SharedCluster((Workstation(),) * 2)) for name in "ab"))
    spans = co_allocation_named("heuristic")
    rules = MulticlusterRules(upper_queue("fcfs"), queue_limit(1), co_allocation=spans, two_phase=True)
    jobs = Workload.from_columns(submit_time=[0, 0, 1], run_time=[50, 50, 10], processors=[1, 1, 2])
    world = world_of_sites(broker_named("round-robin"), rules=rules)
    scenario = Scenario(Instance.of(jobs, platform), policy("none"), world=world)
    with pytest.raises(InputError, match="job 3 runs in several clusters"):
        run(scenario, Outage(5, 20, nodes=(0, 1)))
