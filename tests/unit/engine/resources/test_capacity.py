"""Three of four processors or nodes are down from 5 s to 20 s: their jobs wait again, from the beginning."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from echelon.engine.clock import simulation
from echelon.engine.contract import Scenario
from echelon.engine.controllers import Controller, QueueRules
from echelon.engine.immediate.rules import ImmediateRules
from echelon.engine.multicluster.rules import MulticlusterRules
from echelon.engine.nodes.rules import NodeRules
from echelon.engine.reference import system_of
from echelon.engine.resources.capacity import Capacity, Outage
from echelon.engine.system_model import (
    LeafRules,
    NodeLevelMachine,
    TreeOfSites,
    tree_of_sites,
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
from echelon.model.schedules.attempts import EndReason
from echelon.policies import broker_named, placement_of, policy
from echelon.policies.broker.admissible import Admissible
from echelon.policies.coallocation.registry import co_allocation_named
from echelon.policies.global_queue.registry import global_queue, queue_limit

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


def last_attempts(spec):
    """Return when jobs 1 to 3 run to their ends: in order, or past job 1, which needs two processors."""
    if spec == "none":
        return (20, 28), (20, 28), (20, 24)
    # Without reservations for what comes later, as beside a job of three processors that ends at 20.
    return (20, 28), (10, 18), (20, 24) if spec == "node-backfill" else (18, 22)


@pytest.mark.parametrize("spec", POLICIES)
def test_counted_processors(spec):
    """The jobs that started last lose theirs, and every policy plans around the outage."""
    schedule = run(Scenario(Instance.of(workload(), 4), policy(spec)), Outage(5, 20, processors=3))
    assert attempts_of(schedule) == expected(*last_attempts(spec))


def on_nodes(spec, execution="fixed", estimates="raise"):
    instance = Instance.of(workload(), FOUR, estimates=estimates)
    model = NodeLevelMachine(NodeRules(placement_of("first-fit"), execution_of(execution)))
    return Scenario(instance, policy(spec), system_model=model)


@pytest.mark.parametrize("execution", ["fixed", "speed"])
@pytest.mark.parametrize("estimates", ["raise", "kill"])
@pytest.mark.parametrize("spec", ["none", "first-fit", "easy", "slack", "relaxed"])
def test_nodes(spec, execution, estimates):
    """The jobs in these nodes lose them; what each task held is kept of every attempt."""
    schedule = run(on_nodes(spec, execution, estimates), Outage(5, 20, nodes=(1, 2, 3)))
    attempts = expected(*last_attempts(spec))
    assert attempts_of(schedule) == attempts
    assert schedule.instance.run_time.tolist() == [10, 8, 8, 4]
    held = schedule.holdings
    rows = zip(held.job.tolist(), held.start.tolist(), held.release.tolist(), strict=True)
    assert set(rows) == {attempt[:3] for attempt in attempts}


@pytest.mark.parametrize("spec", ["none", "easy", "conservative", "plan"])
def test_no_job_starts_in_a_node_that_is_down(spec):
    """Many jobs, two overlapping outages of the same nodes: no core of these is held meanwhile."""
    rng = np.random.default_rng(7)
    table = Workload.from_columns(
        submit_time=np.sort(rng.integers(0, 90, 40)),
        run_time=rng.integers(1, 9, 40),
        processors=(sizes := rng.integers(1, 5, 40)),
    )
    demands = Demands.of([Demand((TaskGroup(int(size), 1.0),)) for size in sizes])
    instance = Instance.of(replace(table, demands=demands), FOUR)
    model = NodeLevelMachine(NodeRules(placement_of("worst-fit"), execution_of("fixed")))
    down = (
        Outage(10, 30, nodes=(1, 2)),
        Outage(20, 45, nodes=(2, 3)),
        Outage(25, 35, nodes=(3,)),  # all of it within another
        Outage(60, 61, nodes=(0, 1, 2, 3)),
    )
    held = run(Scenario(instance, policy(spec), system_model=model), *down).holdings
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


def shared(spec, *more):
    """Return a scenario of a cluster of four shared workstations, and perhaps other sites."""
    platform = Platform((Site("a", SharedCluster((Workstation(),) * 4)), *more))
    rules = MulticlusterRules(global_queue("fcfs"), queue_limit("unlimited"))
    instance = Instance.of(replace(workload(), demands=None), platform)
    return Scenario(instance, policy(spec), system_model=tree_of_sites(broker_named("ml"), rules=rules))


@pytest.mark.parametrize("spec", ["none", "first-fit", "easy"])
def test_shared_nodes(spec):
    """The jobs in these nodes wait in the queue of their cluster; no job starts there before 20."""
    watch = Watch()
    schedule = run(replace(shared(spec), observers=[watch]), Outage(5, 20, nodes=(1, 2, 3)))
    assert attempts_of(schedule) == expected(*last_attempts(spec))
    assert not any(5 <= time < 20 and nodes & {1, 2, 3} for time, nodes in watch.starts)
    assert len(watch.starts) == 6


@pytest.mark.parametrize("spec", ["none", "easy", "conservative"])
@pytest.mark.parametrize("resource", [4, FOUR])
def test_leaves_of_a_tree(spec, resource):
    """At a leaf under two levels of brokers the same happens as on that machine alone."""
    if resource is FOUR:
        alone, outage = on_nodes(spec), Outage(5, 20, nodes=(1, 2, 3))
    else:
        alone, outage = Scenario(Instance.of(workload(), 4), policy(spec)), Outage(5, 20, processors=3)
    platform = Platform((Site("grid/a", resource),))
    rules = LeafRules(nodes=NodeRules(placement_of("first-fit"), execution_of("fixed")))
    brokers = dict.fromkeys(("", "grid"), Controller(broker_named("ml"), Admissible()))
    tree = Scenario(Instance.of(workload(), platform), policy(spec), system_model=TreeOfSites(brokers, rules))
    assert attempts_of(run(tree, outage)) == attempts_of(run(alone, outage))


def test_the_order_of_pyss_is_refused():
    """It is that of a simulator whose machines never go down."""
    scenario = Scenario(Instance.of(workload(), 4), policy("none"), cycles="pyss")
    with pytest.raises(InputError, match="is 'instant' or 'event' where capacity changes"):
        run(scenario, Outage(5, 20, processors=3))


@pytest.mark.parametrize("spec", POLICIES)
def test_with_a_cycle_after_every_event(spec):
    """Each change is an event with a cycle of its own, as if nothing else happened then."""
    scenario = Scenario(Instance.of(workload(), 4), policy(spec), cycles="event")
    assert attempts_of(run(scenario, Outage(5, 20, processors=3))) == expected(*last_attempts(spec))


@pytest.mark.parametrize(("cycles", "starts"), [("event", [0, 5, 10]), ("instant", [0, 10])])
def test_what_comes_back_comes_before_what_goes_down(cycles, starts):
    """Of two changes at 5 each is an event: job 1 starts on what is back, and loses it at once."""
    table = Workload.from_columns(submit_time=[0, 1], run_time=[10, 4], processors=[1, 2])
    watch, down = Watch(), (Outage(1, 5, processors=3), Outage(5, 20, processors=2))
    scenario = Scenario(Instance.of(table, 4), policy("none"), cycles=cycles, observers=[watch])
    assert attempts_of(run(scenario, *down)) == [(0, 0, 10, "completed"), (1, 10, 14, "completed")]
    assert [time for time, _ in watch.starts] == starts


def time_shared(*jobs):
    """Return a scenario of a time-shared machine of four cores; jobs are (submit time, run time)."""
    submit, run_time = zip(*jobs, strict=True)
    table = Workload.from_columns(submit_time=submit, run_time=run_time, processors=[1] * len(jobs))
    instance = Instance.of(table, Platform((Site("a", TimeSharedMachine(4)),)))
    return Scenario(
        instance, policy("none"), system_model=tree_of_sites(broker_named("ml"), rules=ImmediateRules())
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


def test_brokers_count_jobs_that_wait_for_a_machine_to_come_back():
    """Least-loaded by jobs: two wait at a, which is down from 5 to 20, so that the one at 6 goes to b."""
    table = Workload.from_columns(
        submit_time=[0, 0, 0, 6, 30], run_time=[10, 10, 40, 5, 5], processors=[1] * 5
    )
    platform = Platform((Site("a", TimeSharedMachine(4)), Site("b", TimeSharedMachine(4))))
    model = tree_of_sites(broker_named("ml"), rules=ImmediateRules())
    system = system_of(Scenario(Instance.of(table, platform), policy("none"), system_model=model))
    system.ledger.capacity = Capacity([Outage(5, 20, processors=4, site=0)])
    schedule = simulation.run(system)
    assert schedule.end_time.tolist() == [30, 10, 30 + 30, 11, 35]
    for leaf in system._actual.leaves:
        known = [sums.sites[place] for sums, place in leaf.above]
        assert [(site.jobs, site.time_sum) for site in known] == [(0, 0.0)]


def dispatched(spec, *jobs):
    """Return a scenario of two time-shared machines of one core; jobs are (submit time, run time)."""
    submit, run_time = zip(*jobs, strict=True)
    table = Workload.from_columns(submit_time=submit, run_time=run_time, processors=[1] * len(jobs))
    instance = Instance.of(table, Platform(tuple(Site(name, TimeSharedMachine(1)) for name in "ab")))
    return Scenario(
        instance, policy("none"), system_model=tree_of_sites(broker_named(spec), rules=ImmediateRules())
    )


def copies_of(schedule):
    """Return all copies: job, site, start, end, and why it ended."""
    return [
        (job, site, *rest)
        for (job, *rest), site in zip(attempts_of(schedule), schedule.attempts.site, strict=True)
    ]


def test_a_job_that_loses_its_only_copy_is_dispatched_again():
    """Job 0 had run at a for 5 s, and begins again beside job 1 at b, the machine that is up."""
    schedule = run(dispatched("min-min", (0, 10), (0, 30)), Outage(5, 20, processors=1))
    assert copies_of(schedule) == [
        (0, 0, 0, 5, "requeued"), (0, 1, 5, 25, "completed"), (1, 1, 0, 40, "completed"),
    ]  # fmt: skip


def test_a_job_goes_on_where_it_has_another_copy():
    """The copy at a is lost; that at b completes the job, and a is used again when it is back."""
    schedule = run(dispatched("wqr:replicas=2", (0, 10), (30, 4)), Outage(5, 20, processors=1))
    assert copies_of(schedule) == [
        (0, 0, 0, 5, "requeued"), (0, 1, 0, 10, "completed"),
        (1, 0, 30, 34, "completed"), (1, 1, 30, 34, "canceled"),
    ]  # fmt: skip
    assert schedule.attempts.cpu_time.tolist() == [5, 10, 4, 4]


@pytest.mark.parametrize("spec", ["min-min", "max-min", "sufferage", "fpltf", "wqr:replicas=2"])
def test_dispatchers_wait_while_all_machines_are_down(spec):
    """No copy runs at a machine that is down; from 20, where a is back, all jobs are done once."""
    down = Outage(5, 20, processors=1), Outage(7, 25, processors=1, site=1)
    schedule = run(dispatched(spec, (0, 10), (0, 30), (6, 5), (8, 2)), *down)
    copies = copies_of(schedule)
    for _, site, start, end, _ in copies:
        assert end <= down[site].start or start >= down[site].end
    assert sorted(job for job, *_, why in copies if why == "completed") == [0, 1, 2, 3]
    assert any(start == 20 for _, _, start, _, _ in copies)


def in_parts(platform, queue, *, two_phase, spec="none", **model):
    """Return a scenario of two clusters of two nodes; the third job has a task in each of them."""
    spans = co_allocation_named("heuristic")
    rules = MulticlusterRules(global_queue(queue), queue_limit(1), co_allocation=spans, two_phase=two_phase)
    jobs = Workload.from_columns(submit_time=[0, 0, 1], run_time=[50, 50, 10], processors=[1, 1, 2])
    return Scenario(
        Instance.of(jobs, platform, spanning=True),
        policy(spec),
        system_model=tree_of_sites(broker_named("round-robin"), rules=rules),
        **model,
    )


class Diary(Watch):
    """Keeps what observers hear of jobs that lose what they hold."""

    def __init__(self):
        super().__init__()
        self.lost = []

    def preempted(self, time, job, place):
        self.lost.append((time, job.position, job.processors, place.name, [one.name for one in place.others]))


def test_a_job_of_several_clusters_loses_all_parts():
    """One of its nodes goes down at 5: it waits in the global queue until both clusters have nodes at 20."""
    platform = Platform(tuple(Site(name, SharedCluster((Workstation(),) * 2)) for name in "ab"))
    diary = Diary()
    scenario = in_parts(platform, "fcfs", two_phase=True, observers=[diary])
    schedule = run(scenario, Outage(5, 20, nodes=(0, 1)))
    assert attempts_of(schedule) == [
        (0, 0, 5, "requeued"), (0, 20, 70, "completed"), (1, 0, 50, "completed"),
        (2, 1, 5, "requeued"), (2, 20, 30, "completed"),
    ]  # fmt: skip
    assert sorted(diary.lost) == [(5, 0, 1, "a", []), (5, 2, 2, "a", ["b"])]
    assert schedule.instance.run_time.tolist() == [50, 50, 10]


@pytest.mark.slow
@pytest.mark.parametrize("cycles", ["instant", "event"])
@pytest.mark.parametrize("two_phase", [False, True])
@pytest.mark.parametrize("queue", ["fcfs", "nb.rs", "requests"])
def test_parts_of_jobs_and_outages(queue, two_phase, cycles):
    """Of many jobs, some too large for a cluster, none has a task in a node that is down; all are done."""
    rng = np.random.default_rng(11)
    lab = SharedCluster((Workstation(),) * 3)
    platform = Platform((Site("x", 1), Site("labs/a", lab), Site("labs/b", lab)))
    table = Workload.from_columns(
        submit_time=np.sort(rng.integers(0, 200, 40)),
        run_time=rng.integers(1, 15, 40),
        processors=rng.integers(2, 7, 40),
    )
    rules = MulticlusterRules(
        global_queue(queue),
        queue_limit(1),
        co_allocation=co_allocation_named("heuristic"),
        two_phase=two_phase,
    )
    labs = QueueRules(rules.global_queue, rules.limit, two_phase=two_phase)
    controllers = {
        "": Controller(broker_named("ml"), Admissible()),
        "labs": Controller(broker_named("ml"), Admissible(), queue=labs),
    }
    instance = Instance.of(table, platform, spanning=("labs",))
    down = [
        Outage(20, 45, nodes=(0, 2), site=1),
        Outage(30, 60, nodes=(1,), site=2),
        Outage(100, 130, nodes=(0, 1, 2), site=2),
        Outage(140, 150, nodes=(0, 1, 2), site=1),
    ]
    diary = Nodes(platform)
    model = TreeOfSites(controllers, LeafRules(shared=rules))
    system = system_of(Scenario(instance, policy("easy"), cycles, system_model=model, observers=[diary]))
    system.ledger.capacity = Capacity(down)
    schedule = simulation.run(system)
    attempts = schedule.attempts
    assert (attempts.counts(reason=EndReason.COMPLETED) == 1).all()
    assert sum(len(sites) > 1 for _, sites, _ in diary.lost) >= 1
    held = attempts.end - attempts.start
    done = attempts.ended_by(EndReason.COMPLETED)
    assert held[done].tolist() == pytest.approx(table.run_time.tolist())
    for (site, node), spans in diary.held.items():
        spans = sorted(spans)
        assert all(end <= start for (_, end), (start, _) in pairwise(spans))
        for outage in down:
            if outage.site == site and node in outage.nodes:
                assert all(end <= outage.start or start >= outage.end for start, end in spans)
    for leaf in system._actual.leaves:
        assert [sums.sites[place].jobs for sums, place in leaf.above] == [0] * len(leaf.above)


class Nodes:
    """Keeps when each node of shared clusters was held, by site and node, and what was lost."""

    def __init__(self, platform):
        self._site_of = {name: site for site, name in enumerate(platform.names)}
        self._since, self.held, self.lost = {}, {}, []

    def _nodes(self, place):
        return [(self._site_of[one.name], node) for one in (place, *place.others) for node in one.nodes]

    def started(self, time, job, place):
        nodes = self._nodes(place)
        assert len(nodes) == job.processors
        self._since[job.position] = time, nodes

    def ended(self, time, job, place):
        since, nodes = self._since.pop(job.position)
        for node in nodes:
            self.held.setdefault(node, []).append((since, time))

    def preempted(self, time, job, place):
        assert sorted(self._nodes(place)) == sorted(self._since[job.position][1])
        self.lost.append((job.position, {site for site, _ in self._nodes(place)}, time))
        self.ended(time, job, place)

    def submitted(self, time, job, place):
        pass

    def decided(self, time, waiting, free, place):
        pass
