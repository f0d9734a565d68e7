"""How fast jobs run on shared nodes, by hand: whole numbers, exactly."""

from __future__ import annotations

import numpy as np
import pytest

import echelon as ec
from echelon.engine.reference import simulate
from echelon.execution.time_shared import TimeShared
from echelon.model import AWAY, Application, LocalChange, LocalUse, SharedCluster, SocialContract, Workstation
from echelon.model.streams import stream
from echelon.testing.multiclusters import cluster_case

TALKS = Application("talks", compute_share=0.0)
HALF = Application("half", compute_share=0.5)


def cluster(*nodes, mpl=1, **contract):
    """Return these nodes under a contract."""
    return SharedCluster(nodes or (Workstation(),), SocialContract(mpl, **contract))


def run(jobs, cluster, *, application=None, applications=None, changes=(), local="fcfs", **rules):
    """Return starts and ends of these jobs on one cluster."""
    each = [application] * len(jobs) if application else applications
    told = [LocalChange(time, 0, node, use) for time, node, use in changes]
    found = simulate(cluster_case(jobs, [cluster], applications=each, changes=told).scenario(local, **rules))
    return found.start_time.tolist(), found.end.tolist()


def test_two_jobs_share_a_processor():
    """Side by side each takes twice as long; what was done before stays done."""
    assert run([(0, 10, 1), (0, 10, 1)], cluster(mpl=2)) == ([0, 0], [20, 20])
    assert run([(0, 10, 1), (5, 10, 1)], cluster(mpl=2)) == ([0, 5], [15, 20])


def test_two_processors_serve_two_jobs():
    """A node of two processors slows no task down before the third arrives."""
    node = Workstation(processors=2)
    assert run([(0, 10, 1), (5, 10, 1)], cluster(node, mpl=2)) == ([0, 5], [10, 15])
    assert run([(0, 10, 1)] * 3, cluster(node, mpl=3))[1] == [15, 15, 15]


def test_a_task_waits_for_the_slowest_of_its_job():
    """SP is that of the slowest node of the job; other nodes do not matter (equations 3.3 and 3.4)."""
    mixed = cluster(Workstation(power=0.5), Workstation(), Workstation())
    assert run([(0, 10, 3)], mixed) == ([0], [20])
    assert run([(0, 10, 2)], mixed) == ([0], [10])


def test_a_busy_node_slows_down_the_whole_job():
    """A job of two nodes shares one of them: both of its tasks go at half speed until the other ends."""
    two = cluster(Workstation(), Workstation(), mpl=2)
    # The first holds both nodes; the second one of them from 2 on: 2 + 8 x 2 would be 18, but it ends at 6.
    assert run([(0, 10, 2), (2, 2, 1)], two) == ([0, 2], [12, 6])


@pytest.mark.parametrize(
    ("use", "end"),
    [
        (LocalUse(cpu=0.5), 12),
        (LocalUse(cpu=1.0), 14),
        (LocalUse(network=5.0), 10),
        (LocalUse(memory=0.5), 10),
    ],
)
def test_an_owner_comes_and_goes(use, end):
    """From 4 to 8 the job runs on what the owner leaves of the processor; its work is kept (equation 3.9)."""
    node = Workstation(memory=100, bandwidth=100)
    assert run([(0, 10, 1)], cluster(node), changes=[(4, 0, use), (8, 0, AWAY)]) == ([0], [end])


def test_the_contract_keeps_processors_for_an_owner_at_work():
    """Tasks get half of the processors at most while there is an owner, and all without."""
    kept = cluster(cpu=0.5)
    assert run([(0, 10, 1)], kept, changes=[(4, 0, LocalUse(cpu=0.25)), (8, 0, AWAY)])[1] == [12]
    assert run([(0, 10, 1)], kept, changes=[(4, 0, LocalUse(cpu=0.75)), (8, 0, AWAY)])[1] == [13]


def test_a_saturated_link_is_shared_in_proportion():
    """Jobs that ask for 80 and 40 of 100 both have SC = 1.2 (algorithm 3.1), on communication alone."""
    pair = cluster(*[Workstation(processors=2, bandwidth=100)] * 2, mpl=2)
    jobs = [(0, 10, 2), (0, 10, 2)]
    for program, end in ((TALKS, 12), (HALF, 11)):
        asking = [program._replace(bandwidth=80), program._replace(bandwidth=40)]
        assert run(jobs, pair, applications=asking)[1] == [end, end]


def test_local_traffic_takes_of_a_link():
    """An owner's 40 leave 60 of 100, so 120 asked for are twice too much; never less than a hundredth."""
    pair = cluster(*[Workstation(processors=2, bandwidth=100)] * 2, mpl=2)
    jobs, asking = [(0, 10, 2), (0, 10, 2)], [TALKS._replace(bandwidth=bytes_) for bytes_ in (80, 40)]
    assert run(jobs, pair, applications=asking, changes=[(0, 1, LocalUse(network=40))])[1] == [20, 20]
    flood = [(0, 1, LocalUse(network=1e9))]
    assert run(jobs, pair, applications=asking, changes=flood)[1] == [1200, 1200]


def test_a_job_of_one_task_does_not_communicate():
    """It neither loads a link nor minds one that is full."""
    node = cluster(Workstation(processors=2, bandwidth=10), mpl=2)
    assert run([(0, 10, 1)] * 2, node, application=HALF._replace(bandwidth=80))[1] == [10, 10]


def test_messages_wait_for_their_reader():
    """Interference 0.5: beside one more task communication takes 1.5 times as long, computation not."""
    pair = cluster(*[Workstation(processors=2)] * 2, mpl=2)
    rough = TimeShared(interference=0.5)
    assert run([(0, 10, 2)] * 2, pair, application=TALKS, execution=rough)[1] == [15, 15]
    assert run([(0, 8, 2)] * 2, pair, application=HALF, execution=rough)[1] == [10, 10]
    assert run([(0, 10, 2)], pair, application=TALKS, execution=rough)[1] == [10]


def test_paging():
    """A quarter of the memory is asked for in vain: at a paging of 4 the task computes at half speed."""
    node, large = cluster(Workstation(memory=100)), Application("large", memory=75)
    changes = [(5, 0, LocalUse(memory=0.5)), (10, 0, AWAY)]
    for paging, end in ((4.0, 12.5), (0.0, 10.0)):
        rules = TimeShared(paging=paging)
        assert run([(0, 10, 1)], node, application=large, changes=changes, execution=rules)[1] == [end]


def test_tasks_per_node_are_limited():
    """The third of three jobs waits where two may share a node."""
    assert run([(0, 10, 1)] * 3, cluster(mpl=2)) == ([0, 0, 20], [20, 20, 30])


def test_memory_of_tasks_is_limited():
    """Half of 100 bytes may be held by tasks: two of 30 do not fit, two of 25 do."""
    node = cluster(Workstation(memory=100), mpl=3, memory=0.5)
    assert run([(0, 10, 1)] * 2, node, application=Application(memory=30))[0] == [0, 10]
    assert run([(0, 10, 1)] * 2, node, application=Application(memory=25))[0] == [0, 0]


@pytest.mark.parametrize("local", ["fcfs", "first-fit", "easy", "conservative", "plan", "slack", "relaxed"])
def test_a_job_waits_for_an_owner_to_leave_it_memory(local):
    """The owner takes three quarters until 5: a task of 30 starts then, whatever plans the queue."""
    node = cluster(Workstation(memory=100))
    changes = [(0, 0, LocalUse(memory=0.75)), (5, 0, AWAY)]
    found = run([(0, 10, 1)], node, application=Application(memory=30), changes=changes, local=local)
    assert found == ([5], [15])


@pytest.mark.parametrize("local", ["fcfs", "first-fit", "easy", "conservative", "plan", "slack", "relaxed"])
def test_no_job_starts_where_an_owner_takes_all(local):
    """A node whose owner leaves no processor time is left out until he leaves some; the other serves.

    A job that can only be planned without the owner has a reservation at 10, and at 30 when that fails.
    """
    pair = cluster(Workstation(), Workstation())
    changes = [(0, 0, LocalUse(cpu=1.0)), (25, 0, LocalUse(cpu=0.5))]
    found = run([(0, 10, 1), (0, 10, 2), (0, 10, 1)], pair, changes=changes, local=local)
    starts = {"first-fit": [0, 25, 10], "slack": [0, 25, 10], "conservative": [0, 30, 20]}
    expected = starts.get(local, [0, 25, 45])
    assert found == (expected, [10, expected[1] + 20, expected[2] + 10])


def test_bandwidth_of_tasks_is_limited():
    """A contract of all of the link: jobs of 80 and 40 take turns; of 60 and 40 they do not."""
    pair = cluster(*[Workstation(processors=2, bandwidth=100)] * 2, mpl=2, bandwidth=1.0)
    for asked, second in ((80, 10), (60, 0)):
        asking = [HALF._replace(bandwidth=asked), HALF._replace(bandwidth=40)]
        for local in ("fcfs", "conservative", "plan", "easy"):
            found = run([(0, 10, 2), (0, 10, 2)], pair, applications=asking, local=local)
            assert found == ([0, second], [10, second + 10])


def test_the_same_program_never_takes_the_same_time_twice():
    """Noise is the named stream of the seed, one factor a job, whatever else is random."""
    jobs, wide = [(0, 10, 1)] * 5, cluster(*[Workstation()] * 5)
    expected = 10 * np.exp(stream(7, "execution/noise").normal(-0.02, 0.2, 5))
    for broker in ("first-fit", "random"):
        found = run(jobs, wide, seed=7, broker=broker, execution=TimeShared(noise=0.2))
        assert found[1] == pytest.approx(expected.tolist(), rel=1e-12)
    assert run(jobs, wide, seed=8, execution=TimeShared(noise=0.2)) != found


def test_nodes_are_taken_by_tasks_then_memory_then_power():
    """The emptiest node first; of these the one with most memory, then the fastest, then the first."""
    nodes = (
        Workstation(power=0.5), Workstation(power=1.0), Workstation(power=1.0), Workstation(power=0.25),
    )  # fmt: skip
    jobs = [(0, 8, 1)] * 4
    assert run(jobs, cluster(*nodes, mpl=2))[1] == [8, 8, 16, 32]


def test_drawn_owners_begin_with_the_hour_of_the_first_job():
    """A log that counts from 1970 meets the owners that the same log from second 0 on meets, at once."""
    hours = 450_000 * 3600.0
    table = ec.Workload.from_columns(submit_time=[10, 20], run_time=[100, 50], processors=[2, 3])
    late = table.with_columns(submit_time=[hours + 10, hours + 20])
    first, second = (
        ec.simulate(jobs, platform="cisne-16", local_users="xwin:share=0.5:period=30", broker="tat")
        for jobs in (table, late)
    )
    assert second.schedule.end - hours == pytest.approx(first.schedule.end, abs=1e-3)
    told, later = first.schedule.owner_delays, second.schedule.owner_delays
    assert told.active_time.sum() > 0
    assert later.active_time == pytest.approx(told.active_time, abs=1e-3)


def test_tasks_that_share_by_use_do_not_disturb_each_other_while_there_is_enough():
    """Two that compute half of the time have a processor together; by count each is slowed down."""
    jobs = [(0, 20, 1), (0, 20, 1)]
    by_use = TimeShared(cpu="use")
    assert run(jobs, cluster(mpl=2), application=HALF, execution=by_use)[1] == [20, 20]
    assert run(jobs, cluster(mpl=2), application=HALF)[1] == [30, 30]


def test_tasks_that_share_by_use_share_what_small_ones_leave():
    """Beside one that computes a quarter of the time two others have three eighths of the processor each."""
    applications = [Application("small", compute_share=0.25), Application("all"), Application("all")]
    jobs = [(0, 240, 1), (0, 90, 1), (0, 90, 1)]
    found = run(jobs, cluster(mpl=3), applications=applications, execution=TimeShared(cpu="use"))
    assert found[1] == pytest.approx([240, 240, 240])


def test_an_owner_may_cost_more_than_he_uses():
    """With 2 tasks lose twice his quarter; a twentieth is left, or what he leaves if that is less."""
    costly = TimeShared(owners=2.0)
    assert run([(0, 10, 1)], cluster(), changes=[(0, 0, LocalUse(cpu=0.25))], execution=costly)[1] == [20]
    most = [(0, 0, LocalUse(cpu=0.75)), (100, 0, AWAY)]
    assert run([(0, 10, 1)], cluster(), changes=most, execution=costly)[1] == pytest.approx([105])
    nearly_all = [(0, 0, LocalUse(cpu=0.96875)), (100, 0, AWAY)]
    found = run([(0, 10, 1)], cluster(), changes=nearly_all, execution=costly)
    assert found[1] == pytest.approx([100 + 10 - 100 / 32])


def test_a_profile_errs_for_all_jobs_of_a_program():
    """Jobs of one program are off by one factor, those of another by another; in every run the same."""
    applications = [Application("a"), Application("b"), Application("a")]
    jobs = [(0, 10, 1), (100, 10, 1), (200, 30, 1)]
    execution = TimeShared(profile=0.3)
    starts, ends = run(jobs, cluster(), applications=applications, execution=execution)
    factors = [(end - start) / job[1] for start, end, job in zip(starts, ends, jobs, strict=True)]
    assert factors[0] == pytest.approx(factors[2])
    assert factors[0] != pytest.approx(factors[1])
    other = run(jobs, cluster(), applications=applications, execution=execution, seed=5)
    assert other[1] == ends
