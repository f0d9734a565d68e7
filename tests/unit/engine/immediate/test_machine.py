"""One machine: exact ends, equal shares, max-min fairness with jobs that wait for input and output."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.engine.immediate.machine import TimeSharedMachine, Work
from echelon.execution.processor_sharing import cpu_demand, services, time_alone
from echelon.model import Job


def join(machine, key, now, alone, *, processes=1, demand=1.0, planned=None, longest=math.inf):
    work = Work(demand, alone, alone if planned is None else planned, longest)
    machine.take(Job(key, key, now, processes, work.planned), work, now)


def ends(machine):
    """Return the keys and ends of all jobs without further arrivals."""
    found = {}
    while len(machine):
        now = machine.next_end()
        found.update(dict.fromkeys(machine.take_ends(now), now))
    return found


def test_what_a_process_takes_alone():
    """Half of 60 s is computed: at half the speed that takes 60 s, and the rest 30 s as before."""
    assert time_alone(60, 0.5, 0.5) == 90
    assert cpu_demand(0.5, 0.5) == pytest.approx(60 / 90)
    assert time_alone(60, 1.0, 0.125) == 480
    assert cpu_demand(1.0, 0.125) == 1


def test_water_is_filled_from_the_lowest_demand_up():
    """On one core, demands of 0.2 and 1, 1: the small one gets all it asks for, the others 0.4 each."""
    (small, large) = services([0.2, 1.0], [1, 2], 1)
    assert small.supply / small.demand == 1
    assert large.supply / large.demand == pytest.approx(0.4)


@given(st.dictionaries(st.floats(0.01, 1.0), st.integers(1, 5), min_size=1, max_size=6), st.integers(1, 8))
def test_service_is_max_min_fair(kinds, cores):
    """All cores are used if the demand is large enough; processes with unmet demand get the largest share."""
    demands = sorted(kinds)
    found = services(demands, [kinds[demand] for demand in demands], cores)
    share = {u: u * s.supply / s.demand for u, s in zip(demands, found, strict=True)}
    used = sum(kinds[u] * share[u] for u in demands)
    assert used == pytest.approx(min(cores, sum(u * kinds[u] for u in demands)))
    for u in demands:
        assert 0 < share[u] <= u * (1 + 1e-12)
        assert share[u] == pytest.approx(u) or share[u] == pytest.approx(max(share.values()))


def test_jobs_that_come_together_end_together_in_the_same_bits():
    """Seven equal jobs on three cores, with others that come and go at odd times."""
    machine = TimeSharedMachine(3)
    for key in range(7):
        join(machine, key, 0.1, 33.3)
    join(machine, 7, 1.7, 0.123)
    join(machine, 8, 2.9, 17.77)
    found = ends(machine)
    assert len({found[key] for key in range(7)}) == 1


def test_three_equal_jobs_end_at_a_whole_time():
    """A pace of 1/3 is no float64 number, yet 60 x 3 = 180."""
    machine = TimeSharedMachine(1)
    for key in range(3):
        join(machine, key, 0, 60)
    assert set(ends(machine).values()) == {180}


def test_a_machine_of_io_and_computing_jobs_by_hand():
    """Demands 1/2 and 1 on one core: both want 3/2, each gets 1/2; the first is not slowed down."""
    machine = TimeSharedMachine(1)
    join(machine, 0, 0, 100, demand=0.5)
    join(machine, 1, 0, 100)
    assert machine.load == pytest.approx(1.5)
    assert ends(machine) == {0: 100, 1: 150}


def test_throttled_jobs_count_more_in_the_load():
    """Four processes of demand 1/2 on one core get 1/4 each: half their pace, so 3/4 of each is ready."""
    machine = TimeSharedMachine(1)
    join(machine, 0, 0, 100, demand=0.5, processes=4)
    assert machine.load == pytest.approx(3)
    assert ends(machine) == {0: 200}


def test_planned_work_shrinks_with_what_is_served():
    """Two planned for 100 s on one core leave 200 s, 170 after 30 s, and nothing when they end early."""
    machine = TimeSharedMachine(1)
    join(machine, 0, 0, 60, planned=100)
    join(machine, 1, 0, 60, planned=100)
    assert [machine.planned_work(t) for t in (0, 30, 120)] == [200, 170, 80]
    assert machine.take_ends(120) == [0, 1]
    assert machine.planned_work(120) == 0


def test_the_plan_is_what_would_happen_with_planned_times():
    """The planned twin ends jobs when the machine would if their times were the planned ones."""
    real, planned = TimeSharedMachine(2), TimeSharedMachine(2)
    for key, (now, plan) in enumerate([(0, 50), (3, 41), (7, 77), (11, 13)]):
        join(real, key, now, 10 * plan, planned=plan, demand=0.7 if key % 2 else 1.0)
        join(planned, key, now, plan, demand=0.7 if key % 2 else 1.0)
    assert ends(real.by_plan()) == ends(planned)
    assert len(real) == 4


def test_a_job_that_runs_on_is_planned_until_its_end():
    """Planned for 30 of its 100 s it is past that at 80 s; 60 s of it and 20 s of the other are left."""
    machine = TimeSharedMachine(1)
    join(machine, 0, 0, 100, planned=30)
    join(machine, 1, 0, 60)
    assert [machine.planned_work(t) for t in (0, 40, 80)] == [90, 50, 80]
    assert ends(machine.by_plan(40)) == {0: 60, 1: 90}
    assert ends(machine.by_plan(80)) == ends(machine.by_plan(80).by_plan()) == {1: 120, 0: 160}
    assert ends(machine) == {1: 120, 0: 160}
    assert machine.planned_work(160) == 0


def test_a_job_too_short_for_the_clock_still_takes_time():
    """Far from second 0 a job of no length that float64 can tell ends at the next time it can."""
    machine = TimeSharedMachine(1)
    join(machine, 0, 1e9, 1e-12)
    assert machine.next_end() == math.nextafter(1e9, math.inf)
    assert machine.take_ends(machine.next_end()) == [0]


_JOBS = st.lists(
    st.tuples(st.integers(0, 30), st.integers(1, 40), st.integers(1, 3), st.sampled_from((0.25, 0.5, 1.0))),
    min_size=1,
    max_size=8,
)


@pytest.mark.slow
@examples(40)
@given(_JOBS, st.integers(1, 4))
def test_ends_are_those_of_small_steps(jobs, cores):
    """A brute-force simulation in steps of 1/64 s ends every job within a few steps of the machine."""
    machine, found, step = TimeSharedMachine(cores), {}, 1 / 64
    for key in sorted(range(len(jobs)), key=lambda key: jobs[key][0]):
        now, alone, processes, demand = jobs[key]
        while len(machine) and machine.next_end() <= now:
            end = machine.next_end()
            found.update(dict.fromkeys(machine.take_ends(end), end))
        join(machine, key, now, alone, processes=processes, demand=demand)
    found.update(ends(machine))
    brute = _brute(jobs, cores, step)
    for key in range(len(jobs)):
        assert found[key] == pytest.approx(brute[key], abs=12 * step * len(jobs))


def _brute(jobs, cores, step):
    left = {key: float(alone) for key, (_, alone, _, _) in enumerate(jobs)}
    ended, now = {}, 0.0
    while left:
        here = [key for key in left if jobs[key][0] <= now]
        demands = sorted({jobs[key][3] for key in here})
        counts = [sum(jobs[key][2] for key in here if jobs[key][3] == u) for u in demands]
        pace = dict(zip(demands, services(demands, counts, cores), strict=True))
        now += step
        for key in here:
            service = pace[jobs[key][3]]
            left[key] -= step * service.supply / service.demand
            if left[key] <= 1e-9:
                ended[key] = now
                del left[key]
    return ended


def test_a_job_is_cut_when_it_has_been_there_for_so_long():
    """Three jobs on one core: one is complete, one is complete at its cut, one is cut; none is left."""
    machine = TimeSharedMachine(1)
    join(machine, 0, 0.0, 2.0)
    join(machine, 1, 0.0, 5.0, longest=12.0)
    join(machine, 2, 0.0, 9.0, longest=12.0)
    assert (machine.next_time(math.inf), machine.next_time(4.0)) == (6.0, 4.0)
    assert machine.jobs_due(6.0) == [0]
    assert machine.next_time(math.inf) == 12.0
    assert machine.jobs_due(12.0) == [1, 2]
    assert (machine.cut, len(machine), machine.next_time(math.inf)) == ({2: 5.0}, 0, math.inf)


def test_planned_ends_come_at_cuts_at_the_latest():
    """A copy by plan runs to the planned ends and cuts, and leaves the machine itself as it was."""
    machine = TimeSharedMachine(1)
    join(machine, 0, 0.0, 1.0, planned=4.0)
    join(machine, 1, 0.0, 1.0, planned=50.0, longest=20.0)
    found: dict[int, float] = {}
    machine.by_plan().run(found, math.inf)
    assert found == {0: 8.0, 1: 20.0}
    assert (machine.jobs_due(2.0), machine.cut) == ([0, 1], {})
