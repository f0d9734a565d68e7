"""Two levels of queues by hand: dispatches, waiting jobs, rejected jobs and reasons."""

from __future__ import annotations

from dataclasses import replace

import pytest

from echelon.engine.reference import simulate
from echelon.errors import DeadlockError, InputError
from echelon.model import (
    AWAY,
    Application,
    LocalChange,
    LocalUse,
    SharedCluster,
    SocialContract,
    Workstation,
)
from echelon.policies.estimators.registry import estimator
from echelon.policies.global_queue import Spread
from echelon.testing.multiclusters import cluster_case

ONE = SharedCluster((Workstation(),))
TWO = SharedCluster((Workstation(),) * 2)


class Told:
    """A broker that sends each job where it is told."""

    name, information, grid_state = "told", 0, "actual"

    def __init__(self, *sites):
        self.sites = sites

    def choose(self, job, view):
        return self.sites[job.position]


class Recorder:
    """Writes down what it hears of jobs."""

    def __init__(self):
        self.heard = []

    def submitted(self, time, job, place):
        self.heard.append((time, "submitted", job.job_id))

    def started(self, time, job, place):
        self.heard.append((time, "started", job.job_id))

    def ended(self, time, job, place):
        self.heard.append((time, "ended", job.job_id))

    def decided(self, time, waiting, free, place):
        pass


@pytest.mark.parametrize(
    ("limit", "delivered"), [("unlimited", [0, 1, 2]), (2, [0, 1, 2]), (1, [0, 1, 10]), (0, [0, 10, 20])]
)
def test_limits(limit, delivered):
    """Three jobs of 10 s for one node start at 0, 10 and 20, wherever they wait."""
    found = simulate(cluster_case([(0, 10, 1), (1, 10, 1), (2, 10, 1)], [ONE]).scenario(limit=limit))
    assert found.delivered.tolist() == delivered
    assert found.start_time.tolist() == [0, 10, 20]


@pytest.mark.parametrize(("upper", "last"), [("b", 10), ("b.rs", 10), ("nb", 3), ("nb.rs", 3)])
def test_who_overtakes(upper, last):
    """The last job is for the idle cluster: under NB it goes there at once, under B after those before it."""
    jobs = [(0, 10, 1), (1, 10, 1), (2, 10, 1), (3, 10, 1)]
    scenario = cluster_case(jobs, [ONE, ONE]).scenario(upper=upper, limit=1, broker=Told(0, 0, 0, 1))
    found = simulate(scenario)
    assert found.start_time.tolist() == [0, 10, 20, last]
    assert found.site.tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize(
    ("upper", "third", "starts"),
    [
        ("fcfs", 5, [0, 10, 20]),
        ("fpfs", 5, [0, 10, 2]),
        ("fpfs", 20, [0, 22, 2]),
        ("backfilling", 8, [0, 10, 2]),
        ("backfilling", 9, [0, 10, 20]),
    ],
)
def test_one_central_queue(upper, third, starts):
    """The second job needs both nodes; the third fits beside the first: which rules let it pass."""
    jobs = [(0, 10, 1), (1, 10, 2), (2, third, 1)]
    found = simulate(cluster_case(jobs, [TWO]).scenario(upper=upper, limit=0, estimator="sdpn"))
    assert found.start_time.tolist() == starts


def test_pull():
    """Clusters take jobs when they can start them: no job ever waits in a cluster."""
    jobs = [(0, 10, 1), (0, 4, 1), (1, 5, 1), (1, 5, 1)]
    found = simulate(cluster_case(jobs, [ONE, ONE]).scenario(upper="pull", broker=Told(0, 0, 0, 0)))
    assert found.start_time.tolist() == found.delivered.tolist() == [0, 0, 4, 9]
    assert found.site.tolist() == [0, 1, 1, 1]


def test_the_first_copy_to_start_cancels_the_others():
    """Copies wait in both queues; each job starts once, where a node is free first."""
    jobs, recorder = [(0, 10, 1), (0, 4, 1), (1, 5, 1), (1, 5, 1)], Recorder()
    found = simulate(cluster_case(jobs, [ONE, ONE]).scenario(upper="requests", observers=[recorder]))
    assert found.start_time.tolist() == [0, 0, 4, 9]
    assert found.site.tolist() == [0, 1, 1, 1]
    assert found.delivered.tolist() == [0, 0, 1, 1]
    starts = [job_id for _, what, job_id in recorder.heard if what == "started"]
    assert sorted(starts) == [1, 2, 3, 4]


def test_the_reservation_of_a_cancelled_copy_serves_others():
    """The third job, reserved at 10 in one cluster, starts at 2 in the other: the fourth need not wait."""
    jobs = [(0, 10, 1), (0, 2, 2), (1, 9, 2), (1, 12, 1)]
    clusters = [TWO, TWO]
    found = simulate(cluster_case(jobs, clusters).scenario("conservative", upper="requests"))
    assert found.start_time.tolist() == [0, 0, 2, 2]
    assert found.site.tolist() == [0, 1, 1, 0]


def test_one_copy_is_the_brokers_choice():
    """With copies=1 a job goes where the broker says."""
    scenario = cluster_case([(0, 5, 1)] * 3, [ONE, ONE]).scenario(
        upper="requests:copies=1", broker=Told(1, 1, 0)
    )
    assert simulate(scenario).site.tolist() == [1, 1, 0]


def test_a_stay_in_queues_has_an_end():
    """Not started 20 s after submission, a job is rejected, also at the instant at which it could start."""
    jobs = [(0, 50, 1), (1, 10, 1), (2, 10, 1), (40, 10, 1)]
    found = simulate(cluster_case(jobs, [ONE]).scenario(longest_stay=20, limit=1))
    assert found.instance.workload.job_id[found.instance.kept].tolist() == [1, 4]
    assert found.start_time.tolist() == [0, 50]
    dropped = found.instance.dropped[-1]
    assert (dropped.reason, dropped.count, dropped.first) == (
        "a stay of 20 s in queues (the longest allowed)", 2, "2",
    )  # fmt: skip
    very_instant = simulate(cluster_case(jobs[:2], [ONE]).scenario(longest_stay=49))
    assert very_instant.start_time.tolist() == [0]


def test_all_rejected():
    """A run in which no job ever started is refused with the reason."""
    away = [LocalChange(0, 0, 0, LocalUse(cpu=1.0)), LocalChange(99, 0, 0, AWAY)]
    with pytest.raises(InputError, match=r"no job is left to simulate: 1 with a stay of 5 s"):
        simulate(cluster_case([(0, 10, 1)], [ONE], changes=away).scenario(longest_stay=5))


def test_what_no_cluster_can_ever_run():
    """Software that is nowhere, memory and bandwidth beyond all nodes: left out with the reason."""
    node = Workstation(memory=100, bandwidth=100)
    cluster = SharedCluster(
        (node,) * 2, SocialContract(memory=0.5, bandwidth=1.0), software=frozenset({"mpi"})
    )
    programs = [
        Application("fine", memory=50, bandwidth=100, library="mpi"),
        Application("old", library="pvm"),
        Application("large", memory=51),
        Application("chatty", bandwidth=101),
        Application("alone", bandwidth=101),
    ]
    jobs = [(0, 5, 2)] * 4 + [(0, 5, 1)]
    found = simulate(cluster_case(jobs, [cluster], applications=programs).scenario())
    assert found.instance.kept.tolist() == [0, 4]
    assert {dropped.reason: (dropped.count, dropped.first) for dropped in found.instance.dropped} == {
        "software that no cluster has": (1, "2"),
        "tasks for more nodes with enough memory and bandwidth than any cluster has": (2, "3"),
    }


def test_every_observer_sees_every_event_once_and_in_order():
    """Ends before submissions, a start when a node is free."""
    recorder = Recorder()
    simulate(cluster_case([(0, 10, 1), (10, 5, 1), (10, 5, 1)], [ONE]).scenario(observers=[recorder]))
    assert recorder.heard == [
        (0, "submitted", 1), (0, "started", 1), (10, "ended", 1), (10, "submitted", 2), (10, "submitted", 3),
        (10, "started", 2), (15, "ended", 2), (15, "started", 3), (20, "ended", 3),
    ]  # fmt: skip


def test_forecasts_are_kept_as_they_were_said():
    """At the hand-out: the second job will wait 10 s and run 5 s; those that only watch are asked, too."""
    scenario = cluster_case([(0, 10, 1), (0, 5, 1)], [ONE]).scenario(
        estimator="sdpn", watched=(estimator("hanzich"), estimator("smith"))
    )
    main, hanzich, smith = simulate(scenario).forecasts
    assert (main.estimator, hanzich.estimator, smith.estimator) == ("sdpn", "hanzich", "smith")
    assert (main.wait.tolist(), main.run.tolist()) == ([0, 10], [10, 5])
    assert (hanzich.wait.tolist(), hanzich.run.tolist()) == ([0, 10], [10, 5])


@pytest.mark.parametrize(("cpu", "slowdown"), [(1.0, 2.0), (0.25, 4 / 3)])
def test_how_long_owners_wait(cpu, slowdown):
    """An owner works until 20 beside a task that comes at 5: each of his calls finds it before itself.

    Where the contract leaves tasks a quarter of the processor, he waits a third longer at most.
    """
    cluster = SharedCluster((Workstation(),), SocialContract(cpu=cpu))
    changes = [LocalChange(0, 0, 0, LocalUse(cpu=0.5)), LocalChange(20, 0, 0, AWAY)]
    delays = simulate(cluster_case([(5, 40, 1)], [cluster], changes=changes).scenario()).owner_delays
    assert delays.active_time.tolist() == [15]
    assert delays.delayed_time.tolist() == pytest.approx([15 * slowdown])


class Lazy:
    """Hands out nothing."""

    name = "lazy"

    def dispatch(self, view):
        return ()


class Asking(Lazy):
    """Asks for nodes of several clusters, again and again."""

    name = "asking"

    def dispatch(self, view):
        while True:
            yield Spread(view.queue[0])


def test_a_rule_that_hands_out_nothing():
    """The run names the jobs that can never start."""
    with pytest.raises(
        DeadlockError, match=r"'lazy': 1 job can never start, with no event left: 1 \(1 nodes\)"
    ):
        simulate(cluster_case([(0, 5, 1)], [ONE]).scenario(upper=Lazy()))


class Restless:
    """An owner who comes and goes every second forever; from the start he leaves nothing on node 0."""

    spec = "restless"

    def __init__(self, *, all_of_it):
        self.all_of_it = all_of_it

    def changes(self, platform, seed):
        if self.all_of_it:
            yield LocalChange(1.0, 0, 0, LocalUse(cpu=1.0))
        second = 2.0
        while True:
            yield LocalChange(second, 0, 1, LocalUse(memory=0.25 * (second % 2)))
            second += 1.0


def test_owners_who_change_for_ever():
    """The run ends with its last job."""
    scenario = cluster_case([(0, 10, 2), (50, 5, 1)], [TWO]).scenario(local_users=Restless(all_of_it=False))
    assert simulate(scenario).end.tolist() == [10, 55]


@pytest.mark.slow
def test_jobs_that_stand_still_while_owners_change_for_ever(monkeypatch):
    """The run is given up in the end."""
    monkeypatch.setattr("echelon.engine.multicluster.shared_group.MOST_IN_VAIN", 1000)
    scenario = cluster_case([(0, 10, 2)], [TWO]).scenario(local_users=Restless(all_of_it=True))
    with pytest.raises(DeadlockError, match=r"1 job can never end: 1 \(2 nodes\); the owners"):
        simulate(scenario)


@pytest.mark.parametrize("clusters", [1, 3])
def test_pyss_is_refused_for_what_is_true_of_one_cluster_too(clusters):
    """Jobs come to clusters through a global queue, however many clusters there are."""
    case = cluster_case([(0.0, 5.0, 1)], (SharedCluster((Workstation(),) * 2),) * clusters)
    with pytest.raises(InputError, match="cycles: pyss is the order of one machine"):
        replace(case.scenario(), cycles="pyss")
