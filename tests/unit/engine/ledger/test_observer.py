"""Observers hear what happens, and at which site, on which nodes."""

from __future__ import annotations

import pytest

import echelon as ec
from echelon.engine.contract import Scenario
from echelon.engine.immediate.rules import ImmediateRules
from echelon.engine.ledger.observer import Place, QuietObserver, check_observers
from echelon.engine.reference import simulate
from echelon.engine.system_model import tree_of_sites
from echelon.errors import InputError
from echelon.model import (
    Instance,
    Platform,
    SharedCluster,
    Site,
    TimeSharedMachine,
    Workload,
    Workstation,
)
from echelon.policies import Preempt, Start, broker_named, co_allocation_named, policy
from echelon.testing.multiclusters import cluster_case


class Diary:
    """Keeps every event."""

    def __init__(self):
        self.events = []

    def submitted(self, time, job, place):
        self.events.append((time, "submitted", job.position, place))

    def started(self, time, job, place):
        self.events.append((time, "started", job.position, place))

    def ended(self, time, job, place):
        self.events.append((time, "ended", job.position, place))

    def preempted(self, time, job, place):
        self.events.append((time, "preempted", job.position, place))

    def decided(self, time, waiting, free, place):
        self.events.append((time, "decided", (waiting, free), place))

    def of(self, kind):
        """Return the events of one kind, each with its place last."""
        return [(time, what, place) for time, said, what, place in self.events if said == kind]


def jobs_of(*rows, **columns):
    """Return jobs of (submit, run, processors)."""
    submit, run, size = zip(*rows, strict=True)
    return Workload.from_columns(submit_time=submit, run_time=run, processors=size, **columns)


GRID = Platform((Site("west", 8), Site("east", 4)))


def test_on_a_grid_every_event_names_its_site():
    """Two sites that decide at one instant say so each with its own numbers; jobs start and end at a site."""
    diary, east, west = Diary(), Place(1, "east"), Place(0, "west")
    jobs = jobs_of((0, 10, 6), (0, 5, 3), (0, 5, 4))
    simulate(
        Scenario(
            Instance.of(jobs, GRID),
            policy("fcfs"),
            system_model=tree_of_sites(broker_named("ml")),
            observers=[diary],
        )
    )
    assert diary.of("submitted") == [(0, 0, west), (0, 1, east), (0, 2, east)]
    assert diary.of("started") == [(0, 0, west), (0, 1, east), (5, 2, east)]
    assert diary.of("ended") == [(5, 1, east), (10, 0, west), (10, 2, east)]
    decided = [
        (0, (0, 2), west),
        (0, (1, 1), east),
        (5, (0, 0), east),
        (10, (0, 8), west),
        (10, (0, 4), east),
    ]
    assert diary.of("decided") == decided


def test_on_one_machine_there_is_no_site():
    """A preempted job leaves a machine without a name, too."""

    class NewestFirst:
        name, preempts = "newest-first", True

        def decide(self, view):
            newest = max([*view.queue, *(one.job for one in view.running)], key=lambda job: job.position)
            yield from [Preempt(one.job) for one in view.running if one.job != newest]
            yield from [Start(job) for job in view.queue if job == newest]

    diary = Diary()
    jobs = jobs_of((0, 10, 4), (3, 2, 4))
    simulate(Scenario(Instance.of(jobs, 4), policy(NewestFirst()), observers=[diary]))
    assert diary.of("preempted") == [(3, 0, Place())]
    assert diary.of("started") == [(0, 0, Place()), (3, 1, Place()), (5, 0, Place())]
    assert all(place == Place() for *_, place in diary.events)


def test_on_nodes_starts_and_ends_name_them():
    """A job of 6 cores on nodes of 4 holds both at its start and at its end."""
    diary = Diary()
    hardware = ec.read_platform("irmasim-a").hardware
    jobs = jobs_of((0, 10, hardware.cores), (0, 5, 1))
    ec.simulate(jobs, platform="irmasim-a", policy="fcfs", execution="fixed", observers=[diary])
    everywhere = dict(enumerate(hardware.node_cores.tolist()))
    (_, _, first), (_, _, second) = diary.of("started")
    assert dict(first.nodes) == everywhere
    assert list(second.nodes.values()) == [1]
    assert [dict(place.nodes) for _, _, place in diary.of("ended")] == [everywhere, dict(second.nodes)]


def test_in_a_multicluster_jobs_wait_nowhere_and_start_in_a_cluster():
    """The upper queue is no cluster; a start names the cluster and its nodes, and a pass its cluster."""
    diary = Diary()
    clusters = (SharedCluster((Workstation(),) * 2), SharedCluster((Workstation(),) * 3))
    case = cluster_case([(0.0, 10.0, 2), (0.0, 10.0, 3)], clusters)
    simulate(case.scenario(broker="first-site", observers=[diary]))
    assert diary.of("submitted") == [(0, 0, Place()), (0, 1, Place())]
    first, second = Place(0, "c0", {0: 1, 1: 1}), Place(1, "c1", {0: 1, 1: 1, 2: 1})
    assert diary.of("started") == [(0, 0, first), (0, 1, second)]
    assert diary.of("ended") == [(10, 0, first), (10, 1, second)]
    assert {place.name for _, _, place in diary.of("decided")} == {"c0", "c1"}


def test_a_job_of_several_clusters_names_them_all():
    """One with most of its tasks first, the others beside it."""
    diary = Diary()
    clusters = (SharedCluster((Workstation(),) * 2), SharedCluster((Workstation(),) * 3))
    case = cluster_case([(0.0, 10.0, 5)], clusters)
    simulate(case.scenario(co_allocation=co_allocation_named("heuristic"), observers=[diary]))
    [(_, _, place)] = diary.of("started")
    assert (place.name, len(place.nodes)) == ("c1", 3)
    assert [(other.name, len(other.nodes)) for other in place.others] == [("c0", 2)]
    assert diary.of("ended") == [(diary.of("ended")[0][0], 0, place)]


def test_sites_without_a_broker_decide_together():
    """A job is submitted at its home and starts where it is taken; a pass is of all sites."""
    diary = Diary()
    jobs = jobs_of((0, 10, 4), (0, 10, 4))
    scenario = Scenario(
        Instance.of(jobs, GRID),
        policy("fcfs"),
        system_model=tree_of_sites(broker_named("common-pool")),
        observers=[diary],
    )
    simulate(scenario)
    # The smallest site that holds it is the home of a job whose partition names none.
    assert [place.name for _, _, place in diary.of("submitted")] == ["east", "east"]
    assert [place.name for _, _, place in diary.of("started")] == ["east", "west"]
    assert [place.name for _, _, place in diary.of("ended")] == ["east", "west"]
    assert diary.of("decided") == [(0, (0, 4), Place()), (10, (0, 12), Place())]


def test_machines_without_queues_name_the_machine():
    """A job starts and ends at a machine; the deciding rule is at none."""
    diary = Diary()
    machines = Platform((Site("old", TimeSharedMachine(1, 0.5)), Site("new", TimeSharedMachine(2))))
    instance = Instance.of(jobs_of((0, 10, 2), (0, 10, 1)), machines)
    model = tree_of_sites(broker_named("olb"), rules=ImmediateRules())
    simulate(Scenario(instance, policy("fcfs"), observers=[diary], system_model=model))
    assert [place.name for _, _, place in diary.of("started")] == ["new", "old"]
    assert [(time, place.name) for time, _, place in diary.of("ended")] == [(10, "new"), (20, "old")]
    assert all(place == Place() for *_, place in [*diary.of("submitted"), *diary.of("decided")])


class Old(Diary):
    """Starts as they were told before they had a place."""

    def started(self, time, job): ...


class Half:
    """Hears of submissions only."""

    def submitted(self, time, job, place): ...


@pytest.mark.parametrize(
    ("observer", "sentence"),
    [
        (Old(), r"observer Old: must have started\(time, job, place\), got started\(time, job\)"),
        (Half(), r"observer Half: lacks started\(time, job, place\)"),
    ],
)
def test_one_that_can_not_hear_is_refused_before_the_run(observer, sentence):
    """A method that is missing or takes other arguments is named with what it must take."""
    with pytest.raises(InputError, match=sentence):
        Scenario(Instance.of(jobs_of((0, 1, 1)), 4), policy("fcfs"), observers=[observer])


class Ends(QuietObserver):
    """Keeps the ends of jobs."""

    def __init__(self):
        self.heard = []

    def ended(self, time, job, place):
        self.heard.append((time, job.position))


def test_what_is_overridden_is_heard_and_the_rest_is_accepted():
    """An observer of ends alone takes every event of a run, and keeps the ends."""
    ends = Ends()
    check_observers([ends])
    jobs = Workload.from_columns(submit_time=[0, 1], run_time=[10, 5], processors=[3, 2])
    simulate(Scenario(Instance.of(jobs, 4), policy("fcfs"), observers=[ends]))
    assert ends.heard == [(10, 0), (15, 1)]
