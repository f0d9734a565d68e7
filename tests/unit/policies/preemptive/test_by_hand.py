"""Preemptive schedules worked by hand, most of them after textbooks, and drawn."""

from __future__ import annotations

from dataclasses import replace

import pytest

from echelon.engine.contract import CYCLES, Scenario
from echelon.engine.reference import simulate
from echelon.metrics import measure
from echelon.model import Instance, Workload
from echelon.policies import (
    Policy,
    PreemptivePriority,
    RoundRobin,
    ShortestRemainingTimeFirst,
    policy,
    policy_named,
)
from echelon.policies.order.one_formula import shortest_first
from echelon.testing import draw


def instance_of(*jobs, processors=1, estimates="raise", **columns):
    """Return an instance from jobs of submit, run and size."""
    submit, run, size = zip(*jobs, strict=True)
    table = Workload.from_columns(submit_time=submit, run_time=run, processors=size, **columns)
    return Instance.of(table, processors, estimates=estimates)


def run(scheduler, *jobs, cycles="instant", **options):
    """Return the schedule of these jobs."""
    return simulate(Scenario(instance_of(*jobs, **options), Policy.of(backfill=scheduler), cycles=cycles))


def held(schedule, job):
    """Return the intervals in which the job at this position held processors."""
    return [
        (start, end)
        for one, start, end in zip(*(column.tolist() for column in schedule.holding), strict=True)
        if one == job
    ]


FOUR = ((0, 8, 1), (1, 4, 1), (2, 9, 1), (3, 5, 1))


@pytest.mark.parametrize("cycles", CYCLES)
def test_srtf(cycles):
    """Job 2 needs less than what job 1 has left; everybody else waits for the next end. Mean wait 6.5 s."""
    schedule = run(ShortestRemainingTimeFirst(), *FOUR, cycles=cycles)
    assert draw(schedule) == "\n".join(
        (
            "time  0    1    2    3    5    10   17   26",
            "1 x1  =====--------------------=====",
            "2 x1       ===============",
            "3 x1            ....................=====",
            "4 x1                 .....=====",
        )
    )
    measured = measure(schedule)
    assert measured["mean_wait"] == 6.5
    assert measured["preemptions"] == 1
    assert measured["mean_turnaround"] == 13


def test_srtf_of_parallel_jobs():
    """The shortest comes first, and who fits beside it may run: 4 processors, wide job 3 stops both.

    ::

        3  . 2 3 . 2 . .       one character is 1 s; job 1: 2 processors for 4 s, job 2: 2 processors for
        2  . 2 3 . 2 2         5 s from 1 on, job 3: 4 processors for 1 s from 2 on
        1  1 1 3 1 1
        0  1 1 3 1 1
    """
    schedule = run(ShortestRemainingTimeFirst(), (0, 4, 2), (1, 5, 2), (2, 1, 4), processors=4)
    assert held(schedule, 0) == [(0, 2), (3, 5)]
    assert held(schedule, 1) == [(1, 2), (3, 7)]
    assert held(schedule, 2) == [(2, 3)]


def test_srtf_in_strict_order():
    """Wide job 2 lets short ones pass it; without fill nobody passes it, not even on idle processors."""
    jobs = (0, 4, 2), (0, 5, 4), (0, 6, 2)
    assert run(ShortestRemainingTimeFirst(), *jobs, processors=4).end_time.tolist() == [4, 11, 6]
    strict = run(ShortestRemainingTimeFirst(fill=False), *jobs, processors=4)
    assert strict.start_time.tolist() == [0, 4, 9]
    assert strict.segments is None


def test_who_runs_wins_ties():
    """A job with as much to do as the running one has left does not take its place."""
    schedule = run(ShortestRemainingTimeFirst(), (0, 5, 1), (2, 3, 1))
    assert schedule.segments is None
    assert schedule.start_time.tolist() == [0, 5]


def test_a_switch_is_charged_at_every_dispatch():
    """Each time a job gets the processor it first pays 1 s; job 1, preempted while it pays, pays again.

    Job 1 pays from 0 to 1 and works to 2; job 2 pays to 3, works to 5; job 1 pays from 5 to 6; at 5.5
    job 3 of 1 s comes and preempts it: pays to 6.5, works to 7.5; job 1 pays to 8.5, works its 9 s.
    """
    schedule = run(ShortestRemainingTimeFirst(switch=1), (0, 10, 1), (2, 2, 1), (5.5, 1, 1))
    assert held(schedule, 0) == [(0, 2), (5, 5.5), (7.5, 17.5)]
    assert held(schedule, 1) == [(2, 5)]
    assert held(schedule, 2) == [(5.5, 7.5)]
    measured = measure(schedule)
    assert measured["switch_share"] == pytest.approx(4.5 / 17.5)
    assert measured["utilization"] == pytest.approx(13 / 17.5)
    assert measured["mean_wait"] == pytest.approx((3 + 2 + 0 + 0) / 3)


def test_priority():
    """A job of a lower queue number takes the processor at once; ties go by submission."""
    schedule = run(PreemptivePriority(), (0, 10, 1), (2, 3, 1), (3, 4, 1), (3, 1, 1), queue=[2, 1, 0, 1])
    assert draw(schedule) == "\n".join(
        (
            "time  0    2    3    7    9    10   18",
            "1 x1  =====--------------------=====",
            "2 x1       =====-----=====",
            "3 x1            =====",
            "4 x1            ..........=====",
        )
    )


def test_unknown_queues_are_batch():
    """A job of no known queue comes with those of queue 1: after 0, before 2."""
    schedule = run(PreemptivePriority(), (0, 5, 1), (0, 5, 1), (0, 5, 1), queue=[2, -1, 0])
    assert schedule.start_time.tolist() == [10, 5, 0]


@pytest.mark.parametrize(
    ("names", "qos", "starts"),
    [
        (("low", "high"), {"low": 0.2, "high": 0.9}, [5, 0, 10]),
        (("low", "high"), {}, [0, 5, 10]),
        ((), {"1": 0.2, "2": 0.9}, [5, 0, 10]),
        ((), {}, [0, 5, 10]),
    ],
)
def test_priorities_of_queues_are_given(names, qos, starts):
    """The queue of the higher priority runs first; names without any are alike, numbers go by themselves."""
    instance = instance_of((0, 5, 1), (0, 5, 1), (0, 5, 1), queue=[1, 2, -1] if names or qos else [0, 1, 2])
    named = replace(instance, workload=replace(instance.workload, names={"queue": names} if names else {}))
    schedule = simulate(Scenario(named, Policy.of(backfill=PreemptivePriority(qos=qos))))
    assert schedule.start_time.tolist() == starts
    spec = Policy.of(backfill=PreemptivePriority(qos=qos)).name
    assert policy_named(spec).scheduler == PreemptivePriority(qos=qos)


def test_aging_saves_the_long_job():
    """Short jobs come every 3 s; a long one that gains 1 s a second gets its turns, else it starves.

    The base is the planned time. At 3 job 2 has 5 - 3 = 2 against 3 of the job just submitted, and runs.
    At 6 that job has 3 - 3 = 0 against 2, and runs. At 9 job 2 has 5 - 3 - 3 = -1 against 0, and ends.
    """
    jobs = [(0, 3, 1), (0, 5, 1), *((3 * k, 3, 1) for k in range(1, 8))]
    starving = run(PreemptivePriority(order=shortest_first), *jobs)
    assert starving.start_time[1] == 24
    aging = run(PreemptivePriority(order=shortest_first, aging=1), *jobs)
    assert held(aging, 1) == [(3, 6), (9, 11)]


def test_reviews_compare_priorities_between_events():
    """Job 2 (base 20) has aged below running job 1 (base 10) after 10 s: noticed at the review at 12.

    At 12 job 2 has 20 - 12 = 8 and keeps it. Job 1 has 10 - 0 at 12 and 10 - 3 = 7 at 15: it is back. At
    18 job 2 has 8 - 3 = 5 against 7, at 21 job 1 has 7 - 3 = 4 against 5, and so on in turns of 3 s.
    """
    scheduler = PreemptivePriority(order=shortest_first, aging=1, review=3)
    schedule = run(scheduler, (0, 20, 1), (0, 30, 1), requested_time=[10, 20], estimates="raise")
    assert schedule.instance.planned_time.tolist() == [20, 30]
    # Bases 20 and 30: after 10 s they are equal, at the review at 12 job 2 is ahead, then turns of 3 s.
    assert held(schedule, 0)[:4] == [(0, 12), (15, 18), (21, 24), (27, 29)]
    assert held(schedule, 1)[:3] == [(12, 15), (18, 21), (24, 27)]


def test_round_robin():
    """The classic: quantum 4, bursts of 24, 3 and 3; mean wait 17/3 s."""
    schedule = run(RoundRobin(quantum=4), (0, 24, 1), (0, 3, 1), (0, 3, 1))
    assert draw(schedule) == "\n".join(
        (
            "time  0    4    7    10   30",
            "1 x1  =====----------=====",
            "2 x1  .....=====",
            "3 x1  ..........=====",
        )
    )
    assert measure(schedule)["mean_wait"] == pytest.approx(17 / 3)
    # Jobs 2 and 3 start first at 4 and 7; job 1 at once.
    assert measure(schedule)["mean_response"] == pytest.approx(11 / 3)


def test_round_robin_puts_arrivals_before_the_preempted():
    """Job 3, submitted as job 1's quantum ends, has its turn first: 1 2 | 3 1 4 2 1."""
    schedule = run(RoundRobin(quantum=2), (0, 5, 1), (1, 3, 1), (2, 1, 1), (4, 2, 1))
    assert held(schedule, 0) == [(0, 2), (5, 7), (10, 11)]
    assert held(schedule, 1) == [(2, 4), (9, 10)]
    assert held(schedule, 2) == [(4, 5)]
    assert held(schedule, 3) == [(7, 9)]


def test_a_quantum_is_progress():
    """With a switch of 5 s a turn of 2 s lasts 7 s, so that everybody gets on; alone, nobody pays."""
    schedule = run(RoundRobin(quantum=2, switch=5), (0, 4, 1), (0, 3, 1))
    assert held(schedule, 0) == [(0, 7), (14, 21)]
    assert held(schedule, 1) == [(7, 14), (21, 27)]
    alone = run(RoundRobin(quantum=2, switch=5), (0, 40, 1))
    assert held(alone, 0) == [(0, 45)]


def test_quanta_go_on_while_nobody_else_is_there():
    """A job alone has turns, too: job 2, submitted at 5, waits for the end of the one from 4 to 8."""
    schedule = run(RoundRobin(quantum=4), (0, 12, 1), (5, 2, 1))
    assert held(schedule, 0) == [(0, 8), (10, 14)]
    assert held(schedule, 1) == [(8, 10)]


GANG = (0, 5, 2), (0, 5, 1), (0, 5, 2), (1, 3, 1)


def test_gang():
    """Rows of 3 processors: jobs 1 and 2, then 3 and 4, in turns of 2 s. The last turn of 3 leaves none."""
    schedule = run(RoundRobin(quantum=2, fill=False), *GANG, processors=3)
    assert held(schedule, 0) == held(schedule, 1) == [(0, 2), (4, 6), (8, 9)]
    assert held(schedule, 2) == [(2, 4), (6, 8), (9, 10)]
    assert held(schedule, 3) == [(2, 4), (6, 7)]


def test_gang_fills_idle_processors():
    """When job 4 has ended in the middle of its row's turn, job 2 of the other row takes its place."""
    schedule = run(RoundRobin(quantum=2), *GANG, processors=3)
    assert held(schedule, 1) == [(0, 2), (4, 6), (7, 8)]
    assert held(schedule, 0) == [(0, 2), (4, 6), (8, 9)]


def test_held_memory_keeps_others_out():
    """Job 2 is shorter, but has no room beside job 1, which keeps its memory even while it is suspended."""
    jobs = (0, 10, 1), (1, 2, 1), (2, 1, 1)
    memory = {"requested_memory": [600, 600, 300]}
    kept = run(ShortestRemainingTimeFirst(memory_per_processor=1000), *jobs, **memory)
    # Job 3 fits beside job 1 in memory, so it preempts it; job 2 waits for job 1's end.
    assert held(kept, 0) == [(0, 2), (3, 11)]
    assert held(kept, 1) == [(11, 13)]
    assert held(kept, 2) == [(2, 3)]
    out = run(ShortestRemainingTimeFirst(memory="released", memory_per_processor=1000), *jobs, **memory)
    assert held(out, 1) == [(1, 3)]


def test_a_row_without_memory_gives_its_turn_away():
    """Round robin passes over a job that has no memory until the job that holds it has ended."""
    scheduler = RoundRobin(quantum=2, memory_per_processor=1000, fill=False)
    schedule = run(scheduler, (0, 5, 1), (0, 3, 1), (0, 3, 1), used_memory=[800, 300, 200])
    assert held(schedule, 0) == [(0, 2), (4, 6), (7, 8)]
    assert held(schedule, 2) == [(2, 4), (6, 7)]
    assert held(schedule, 1) == [(8, 11)]


def test_killed_jobs_are_cut_at_their_request_of_progress():
    """A job of request 6 gets 6 s on the processor, suspended or not."""
    schedule = run(
        ShortestRemainingTimeFirst(),
        (0, 9, 1),
        (2, 3, 1),
        requested_time=[6, 3],
        estimates="kill",
    )
    assert held(schedule, 0) == [(0, 2), (5, 9)]
    assert schedule.instance.killed.tolist() == [True, False]


def test_planned_time_decides_not_run_time():
    """Job 2 ends after 1 s, but says 9: it does not preempt job 1, that has 8 left."""
    schedule = run(ShortestRemainingTimeFirst(), (0, 10, 1), (2, 1, 1), requested_time=[10, 9])
    assert schedule.segments is None
    assert schedule.start_time.tolist() == [0, 10]


def test_specs():
    """The specs that people type, aliases and parameters, and the names that read back."""
    for spec, scheduler in (
        ("srtf", ShortestRemainingTimeFirst()),
        ("shortest-remaining-time-first:switch=30", ShortestRemainingTimeFirst(switch=30)),
        ("gang:quantum=2min:switch=5", RoundRobin(quantum=120, switch=5)),
        ("round-robin:fill=no:memory=released", RoundRobin(fill=False, memory="released")),
        (
            "preemptive-priority:order=shortest-first:aging=0.01:review=1h",
            PreemptivePriority(order=shortest_first, aging=0.01, review=3600),
        ),
        ("srtf:memory-per-processor=2e6", ShortestRemainingTimeFirst(memory_per_processor=2e6)),
    ):
        read = policy(spec)
        assert read.scheduler == scheduler
        assert policy(read.name) == read


def test_the_first_to_start_are_not_those_that_wait_least():
    """Three jobs in turns start sooner than one after the other, and wait longer.

    Of 6 s each on one processor with a quantum of 2 s they start at 0, 2 and 4 and end at 14, 16 and 18, so
    that they wait 8, 10 and 12 s. One after the other they wait 0, 6 and 12 s.
    """
    jobs = [(0, 6, 1)] * 3
    turns = measure(run(RoundRobin(quantum=2), *jobs))
    after = measure(simulate(Scenario(instance_of(*jobs), policy("fcfs"))))
    assert (turns["mean_response"], turns["mean_wait"]) == (2, 10)
    assert (after["mean_response"], after["mean_wait"]) == (6, 6)
