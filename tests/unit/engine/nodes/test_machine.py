"""Runs on nodes worked by hand: contention, release, overruns, kills, sleep."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from echelon.engine.reference import simulate
from echelon.errors import InputError
from echelon.model import (
    Cluster,
    Core,
    Demand,
    FrequencyLevel,
    Hardware,
    MemoryCurveV1,
    Node,
    Processor,
    Sleep,
    TaskGroup,
)
from echelon.model.topology import topology_named
from echelon.policies import Average
from echelon.policies.sharing import FairSharing

CURVE = MemoryCurveV1(b=-1.85e-05, c=32000, da=1.75, db=2000, dc=50000, dd=6000)
GIGA = 1e9


def thesis(*, bandwidths=(125e6, 125e6)):
    """Return two nodes of two processors of four cores of 2 GHz, as the thesis has them."""
    quad = Processor((Core(2 * GIGA, dynamic_power=100.0),) * 4, static_power=50.0, idle_share=0.05)
    return Hardware((Cluster(tuple(Node((quad, quad), network_bandwidth=b) for b in bandwidths)),))


def sequential(tasks, operations=2 * GIGA, **more):
    return Demand((TaskGroup(tasks, operations, **more),), sequential=True)


def mpi(tasks, volume=0.0, share=0.9, operations=2 * GIGA):
    return Demand((TaskGroup(tasks, operations),), communication_volume=volume, compute_share=share)


def cores_of(schedule, job):
    held = schedule.holdings
    rows = np.flatnonzero(held.job == job)
    return [core for row in rows for core in held.cores[held.first_core[row] : held.first_core[row + 1]]]


def test_two_large_sequential_jobs_take_a_node_each(run):
    """Six and four tasks do not fit one node together; an MPI job takes what is left of both."""
    schedule = run(thesis(), (0, sequential(6)), (0, sequential(4)), (0, mpi(6)), place="random")
    assert schedule.start_time.tolist() == [0, 0, 0]
    assert schedule.end_time.tolist() == [1, 1, 1]
    nodes = [{core // 8 for core in cores_of(schedule, job)} for job in range(3)]
    assert len(nodes[0]) == len(nodes[1]) == 1
    assert nodes[0] != nodes[1]
    assert nodes[2] == {0, 1}


def test_a_sequential_job_waits_for_cores_in_one_node(run):
    """Four cores are free, two in each node: the third job starts at 1."""
    schedule = run(thesis(), (0, sequential(6)), (0, sequential(6)), (0, sequential(4)))
    assert schedule.start_time.tolist() == [0, 0, 1]


@pytest.mark.parametrize(("spec", "starts"), [("fcfs", [0, 0, 1]), ("smallest-first", [0, 1, 0])])
def test_the_first_that_does_not_fit_blocks(run, spec, starts):
    """Twelve tasks and four do not fit beside two; the order decides which job is blocked."""
    schedule = run(thesis(), (0, sequential(2)), (0, mpi(12)), (0, mpi(4)), spec=spec)
    assert schedule.start_time.tolist() == starts


def test_the_printed_time_under_contention(run):
    """S_f = 0.9 + 0.1 x 0.8 = 49/50 takes 1.0204081633 s; a job in one node and a sequential one take 1 s."""
    schedule = run(thesis(), (0, sequential(7)), (0, mpi(2, 200e6)), (0, mpi(6, 200e6)), network="constant")
    assert schedule.end_time == pytest.approx([1, 1 / 0.98, 1], rel=1e-12)
    assert f"{schedule.end_time[1]:.10f}" == "1.0204081633"


@pytest.mark.parametrize(("volume", "end"), [(125e6, 1.0), (125e6 + 1, 1 / 0.98)])
def test_at_the_bandwidth_there_is_no_contention(run, volume, end):
    """Only more than the bandwidth of a node slows its tasks down."""
    schedule = run(thesis(), (0, sequential(7)), (0, mpi(2, volume)), network="constant")
    assert schedule.end_time[1] == pytest.approx(end, rel=1e-12)


@pytest.mark.parametrize(("share", "end"), [(1.0, 1.0), (0.0, 1.25), (0.5, 1 / 0.9)])
def test_only_the_share_that_communicates_slows_down(run, share, end):
    """A job that only computes takes its time, one that only communicates 1 / 0.8 of it."""
    schedule = run(thesis(), (0, sequential(7)), (0, mpi(2, 1e9, share)), network="constant")
    assert schedule.end_time[1] == pytest.approx(end, rel=1e-12)


def test_finished_tasks_of_an_mpi_job_keep_their_cores(run):
    """Eight tasks end at 1, the ninth, in the narrow node, at 1.0204; no job has their cores in between."""
    wide = thesis(bandwidths=(1e15, 125e6))
    schedule = run(wide, (0, mpi(9, 200e6)), (0, sequential(8)), network="constant")
    held = schedule.holdings
    assert sorted(held.end[held.job == 0].tolist()) == pytest.approx([1, 1, 1 / 0.98], rel=1e-12)
    assert held.release[held.job == 0].tolist() == [schedule.end_time[0]] * 3
    assert schedule.start_time[1] == schedule.end_time[0]


def test_a_sequential_job_gives_each_core_back_at_once(run):
    """The task on the fast core ends at 2 and makes room for another job; its slow sibling ends at 4."""
    unlike = Hardware((Cluster((Node((Processor((Core(1.0), Core(2.0))),)),)),))
    schedule = run(unlike, (0, sequential(2, 4.0)), (0, sequential(1, 1.0)))
    assert schedule.start_time.tolist() == [0, 2]
    assert schedule.end_time.tolist() == [4, 2.5]


def test_two_demanding_tasks_run_at_five_eighths(run, machine):
    """The published example: 1 / 1.6 of the speed while both run; 0.5 s apart, tasks of 1 s take 1.3 s."""
    hardware = machine(2, clock=GIGA, processor={"memory_curve": CURVE})
    hungry = sequential(1, GIGA, memory_volume=1e12)
    schedule = run(hardware, (0.0, hungry), (0.5, hungry), execution="memory-v1")
    assert schedule.end_time == pytest.approx([1.3, 1.8])


def test_very_different_tasks_of_one_job(run, machine):
    """The longest of three tasks, a billion times as long as the shortest, says when all cores are free."""
    job = Demand((TaskGroup(1, 1e-3), TaskGroup(1, 1.0), TaskGroup(1, 1e6)))
    schedule = run(machine(3), (0, job), (0, sequential(1, 1.0)))
    assert schedule.holdings.end[:3].tolist() == [1e-3, 1.0, 1e6]
    assert schedule.start_time[1] == 1e6


def test_thirds_of_a_second_end_at_whole_ones(run, machine):
    """Three tasks share the memory for one: 20 operations end at 60 s, when the next job is submitted."""
    hardware = machine(3, processor={"memory_bandwidth": 1.0})
    wide = sequential(3, 20.0, memory_volume=20.0)
    schedule = run(
        hardware, (0, wide), (60, sequential(3, 1.0)), (7, sequential(3, 1.0)), execution="memory-share"
    )
    assert schedule.end_time[0] == pytest.approx(60, rel=1e-14)
    assert schedule.start_time[2] == pytest.approx(60, rel=1e-14)


def test_work_that_ends_a_rounding_before_a_submission_ends_at_it(run, machine):
    """0.7 + 0.1 is one step of the clock below 0.8: a shorter job submitted at 0.8 still goes first."""
    assert 0.7 + 0.1 < 0.8
    schedule = run(
        machine(1),
        (0.0, sequential(1, 0.7)),
        (0.0, sequential(1, 0.1)),
        (0.5, sequential(1, 9.0), 9.0),
        (0.8, sequential(1, 1.0), 1.0),
        spec="shortest-first",
    )
    assert schedule.start_time[3] <= schedule.start_time[2]


def test_a_job_that_runs_on_is_planned_to_end_by_its_speed(run, machine):
    """Planned for 10 s, it takes 20 for another at the memory; the head is foretold that at 10 s."""
    hardware = machine(3, processor={"memory_bandwidth": 1.0})
    hungry = sequential(1, 10.0, memory_volume=10.0)
    told = []

    class Clock:
        def decided(self, time, waiting, free, place):
            told.append((time, waiting, free))

        submitted = started = ended = staticmethod(lambda *_: None)

    schedule = run(
        hardware,
        (0, hungry, 10.0),
        (0, hungry, 10.0),
        (1, sequential(3, 5.0), 5.0),
        # Planned to end after 10, so not at first; once the head is planned for 20, before it.
        (1, sequential(1, 8.0), 9.5),
        execution="memory-share",
        spec="easy",
        observers=(Clock(),),
    )
    assert schedule.end_time.tolist() == [20, 20, 25, 18]
    assert schedule.start_time.tolist() == [0, 0, 20, 10]
    assert [time for time, _, _ in told] == [0, 1, 10, 18, 20, 25]


def test_conservative_makes_its_reservations_again_after_an_overrun(run, machine):
    """The waiting jobs had reservations at 10 and 15; the first job runs to 20: they start at 20 and 25."""
    hardware = machine(2, processor={"memory_bandwidth": 1.0})
    hungry = sequential(1, 10.0, memory_volume=10.0)
    schedule = run(
        hardware,
        (0, hungry, 10.0),
        (0, hungry, 10.0),
        (1, sequential(2, 5.0), 5.0),
        (2, sequential(2, 5.0), 5.0),
        execution="memory-share",
        spec="conservative",
    )
    assert schedule.start_time.tolist() == [0, 0, 20, 25]


def test_kill_cuts_at_the_request_in_whatever_state(run, machine):
    """A slow job is cut at its request, one whose node is still waking up there, too: it has not begun."""
    asleep = Sleep(after=0.0, wake_time=50.0)
    schedule = run(
        machine({"cores": 1, "sleep": asleep}, 1),
        (0, sequential(1, 100.0), 10.0),
        (0, sequential(1, 100.0), 20.0),
        estimates="kill",
    )
    held = schedule.holdings
    assert schedule.end_time.tolist() == [10, 20]
    assert schedule.instance.killed.tolist() == [True, True]
    assert held.begin.tolist() == [0, 20]
    assert held.end.tolist() == [10, 20]


@dataclass(frozen=True)
class Told:
    """An estimator that predicts one time, and keeps what it learns."""

    seconds: float | None
    learned: list = field(default_factory=list)
    name: str = "told"

    def memory(self):
        return self

    def predict(self, job):
        return self.seconds

    def learn(self, job, run_time):
        self.learned.append((job.position, run_time))


def test_estimators_learn_how_long_a_job_ran_beside_others(scenario, machine):
    """Two of 10 s share the memory and take 20; of requests of 100 the averages are 60 and 40 s."""
    hardware = machine(2, processor={"memory_bandwidth": 1.0})
    hungry = sequential(1, 10.0, memory_volume=10.0)
    jobs = ((0, hungry, 100.0), (0, hungry, 100.0), (30, hungry, 100.0))
    schedule = simulate(replace(scenario(hardware, *jobs, execution="memory-share"), estimator=Average()))
    assert schedule.end_time.tolist() == [20, 20, 40]
    assert schedule.planned_time.tolist() == [100, 100, 40]


def test_estimators_learn_what_tasks_would_have_taken_on_a_core_each(scenario, machine):
    """Two tasks of 10 s take turns on one core for 20 s; plans double the time there, so 10 s are learned."""
    jobs = ((0, sequential(1, 50.0), 50.0), (1, mpi(2, operations=10.0), 100.0))
    told = Told(None)
    found = simulate(replace(scenario(machine(2), *jobs, sharing=FairSharing()), estimator=told))
    assert found.end_time.tolist() == [50, 21]
    assert told.learned == [(1, 10), (0, 50)]


@pytest.mark.parametrize("sleep", [None, Sleep(after=0.0, wake_time=1.0)])
def test_no_job_is_cut_at_a_prediction(scenario, machine, sleep):
    """A job that asked for 10 s of 100 is cut then, though 3 are predicted, and what it got is learned."""
    job = (0, sequential(1, 100.0), 10.0)
    given = scenario(machine({"cores": 1, "sleep": sleep}), job, estimates="kill")
    told = Told(3.0)
    assert simulate(replace(given, estimator=told)).end_time.tolist() == [10]
    assert told.learned == [(0, 10)]


def test_waking_up_takes_longer_than_the_job(run, machine):
    """Off at once when idle, ready 100 s after a job takes it: jobs of 1 s at 5 end at 106 and 207."""
    asleep = Sleep(after=0.0, wake_time=100.0)
    hardware = machine({"cores": 1, "sleep": asleep})
    schedule = run(hardware, (5, sequential(1, 1.0)), (6, sequential(1, 1.0)), spec="easy")
    assert schedule.end_time.tolist() == [106, 207]
    assert schedule.sleeps.wake.tolist() == [5, 106, np.inf]


def test_memory_full_to_the_last_byte(run, machine):
    """Three tasks of a third of the memory fit; a byte more, and one waits."""
    third = sequential(1, 1.0, memory=1 / 3)
    schedule = run(machine(3, memory=1.0), *[(0, third)] * 3)
    assert schedule.start_time.tolist() == [0, 0, 0]
    more = sequential(1, 1.0, memory=0.34)
    schedule = run(machine(3, memory=1.0), *[(0, more)] * 3)
    assert schedule.start_time.tolist() == [0, 0, 1]


@pytest.mark.slow
def test_large_times_and_thousands_of_ends_at_once(run, machine):
    """At 1e9 s and a fraction, 2,000 equal jobs on 1,000 cores take two rounds of a second."""
    schedule = run(machine(500, 500), *[(1e9 + 0.25, sequential(1, 1.0))] * 2000)
    assert sorted(set(schedule.end_time.tolist())) == [1e9 + 1.25, 1e9 + 2.25]


@pytest.mark.parametrize("execution", ["fixed", "speed", "memory-share", "memory-v1"])
@pytest.mark.parametrize("spec", ["fcfs", "easy", "conservative", "plan", "slack"])
def test_one_job(run, machine, spec, execution):
    """One job starts when it comes and takes its time."""
    hardware = machine(2, processor={"memory_curve": CURVE})
    schedule = run(hardware, (3, sequential(2, 4.0)), spec=spec, execution=execution)
    assert schedule.start_time.tolist() == [3]
    assert schedule.end_time.tolist() == [7]


def test_a_cap_that_is_met_exactly(run, machine):
    """Two cores of 1 W beside 1 W idle fit under 3 W; the third waits."""
    hardware = machine(3, power=1.0)
    jobs = [(0, sequential(1, 1.0))] * 3
    assert run(hardware, *jobs, power_cap=3.0).start_time.tolist() == [0, 0, 1]
    assert run(hardware, *jobs, power_cap=np.nextafter(3.0, 0)).start_time.tolist() == [0, 1, 2]


def test_jobs_too_hungry_for_the_cap_are_all_named(run, machine):
    """Before anything happens, with what they would draw."""
    hardware = machine(3, power=1.0)
    with pytest.raises(InputError, match=r"2 jobs would exceed 2 W even alone.*job 1 3 W; job 2 4 W"):
        run(hardware, (0, sequential(2)), (0, sequential(3)), (0, sequential(1)), power_cap=2.0)


def test_the_capped_governor_takes_the_fastest_level_that_fits(run, machine):
    """Full speed for the first job, half for the second, under a cap for one and a half."""
    levels = (FrequencyLevel(1.0, 1.0), FrequencyLevel(0.5, 0.5))
    hardware = machine(2, processor={"levels": levels})
    jobs = [(0, sequential(1, 4.0))] * 2
    ends = {
        governor: run(hardware, *jobs, governor=governor, power_cap=1.5).end_time.tolist()
        for governor in ("highest", "lowest", "capped")
    }
    assert ends == {"highest": [4, 8], "lowest": [8, 8], "capped": [4, 8]}


def test_infinite_bandwidths_slow_no_task(run, machine):
    """Whatever is asked for, by whatever model."""
    hardware = machine(2, 2)
    group = TaskGroup(4, 1.0, memory_volume=1e300)
    job = Demand((group,), communication_volume=1e300, compute_share=0.0)
    for network in ("constant", "proportional"):
        schedule = run(hardware, (0, job), execution="memory-share", network=network)
        assert schedule.end_time.tolist() == [1]


def test_proportional_contention_over_a_topology(run):
    """Of a chain of four nodes the middle link gets half the 4 bytes a second its pairs ask for."""
    topology = topology_named("mesh:4", bandwidth=2.0)
    nodes = tuple(Node((Processor((Core(1.0),)),)) for _ in range(4))
    chain = Hardware((Cluster(nodes),), topology=topology)
    job = Demand((TaskGroup(4, 10.0),), communication_volume=10.0, compute_share=0.5)
    schedule = run(chain, (0, job), network="proportional")
    assert schedule.end_time[0] == pytest.approx(10 / 0.75)
