"""What brokers see of time-shared machines: loads, CPU times, and sums and schedules as on any grid."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from tests.unit.engine.immediate.platforms import instance, run

from echelon.engine.immediate.rules import ImmediateRules
from echelon.errors import PolicyError
from echelon.model import Monitoring
from echelon.model.streams import stream
from echelon.policies import Information

ZERO = ImmediateRules(monitoring=Monitoring(phase="zero"))
COLD = ImmediateRules(experience="cold")


@dataclass
class Watcher:
    """A broker that notes what it sees and sends jobs where it was told, by position."""

    look: Any
    to: Any = lambda job: 0
    information: Information = Information.SCHEDULES
    seen: dict[int, Any] = field(default_factory=dict)
    name: str = "watcher"
    grid_state: str = "actual"

    def choose(self, job, view):
        self.seen[job.position] = self.look(job, view)
        return self.to(job)


def seen(look, given, rules=None, **how):
    """Return what `look` (job, view) returned at each job's decision, by position."""
    watcher = Watcher(look, **how)
    run(given, watcher, rules)
    return [watcher.seen[position] for position in range(len(given))]


def test_a_job_that_started_15_s_ago_is_in_the_estimate_and_a_quarter_in_the_load():
    """c_s = 0.25 fresh after 15 s, ce = 1.0 exactly; at 20 s c_s is stale and ce counts it too low."""
    given = instance((0, 100, 1), (15, 100, 1), (20, 100, 1))
    assert seen(lambda job, view: (view.load(0), view.estimated_load(0)), given, ZERO) == [
        (0, 0),
        (0.25, 1.0),
        (0.25, pytest.approx(0.25 + 40 / 60 + 55 / 60)),
    ]


def test_ends_are_taken_back_from_the_estimate():
    """60 s after its start a job that ended 15 s ago still shows as three quarters, but is not estimated."""
    given = instance((0, 45, 1), (60, 1, 1))
    assert seen(lambda job, view: (view.load(0), view.estimated_load(0)), given, ZERO)[1] == (0.75, 0.0)


def test_loads_are_those_of_publications_at_the_instant_of_a_submission():
    """Daemons publish before jobs are submitted."""
    given = instance((0, 100, 1), (14, 100, 1), (15, 100, 1), (29.9, 100, 1))
    assert seen(lambda job, view: view.load(0), given, ZERO) == [0, 0, 16 / 60, 16 / 60]


def test_cpu_times_leave_sharing_out():
    """Two jobs of 60 s that share a core of speed 1/2 each show 120 s of CPU time, not 240 s."""
    given = instance((0, 60, 1), (0, 60, 1), (300, 60, 1), executable=[4, 4, 4], on=((1, 0.5),))
    assert seen(lambda job, view: view.cpu_time(job, 0), given, COLD) == [None, None, 120]


def test_cpu_times_are_moving_averages():
    """Observed 60, then 80: 65. The application is the executable's code."""
    given = instance((0, 60, 1), (100, 80, 1), (200, 1, 1), (201, 1, 1), executable=[4, 4, 4, 5])
    assert seen(lambda job, view: view.cpu_time(job, 0), given, COLD) == [None, 60, 65, None]


def test_a_warm_start_knows_means_over_the_workload():
    """Of both jobs of the application, at every machine by its speed."""
    given = instance((0, 60, 1), (0, 80, 1), on=((1, 1.0), (1, 0.25)))
    assert seen(lambda job, view: [view.cpu_time(job, site) for site in (0, 1)], given) == [[70, 280]] * 2


def test_applications_that_wait_for_io_have_less_cpu_time():
    """With the log's CPU times a job of 60 s that computed for 15 s is observed as 15 s."""
    rules = ImmediateRules(experience="cold", cpu_use="log")
    given = instance((0, 60, 1), (100, 60, 1), average_cpu_time=[15, -1])
    assert seen(lambda job, view: view.cpu_time(job, 0), given, rules) == [None, 15]


def test_times_by_plan():
    """A request of 100 s takes 200 s at half speed; two there leave it ready when both could be done."""
    given = instance((0, 50, 1), (0, 50, 1), (40, 50, 1), requested_time=[100] * 3, on=((2, 0.5),))

    def look(job, view):
        return view.execution_time(job, 0), view.ready_time(0), tuple(view.speeds)

    assert seen(look, given) == [(200, 0, (0.5,)), (200, 100, (0.5,)), (200, 40 + 160, (0.5,))]


def test_schedules_are_what_sharing_gives_by_plan():
    """Two planned for 100 s run since 0 and 20; at 40 they share a core for the 70 and 90 s left."""
    given = instance((0, 60, 1), (20, 60, 1), (40, 30, 1), requested_time=[100, 100, 50])

    def look(job, view):
        return [(p.job.position, p.start, p.end) for p in view.schedule(0)], view.schedule(0, job)[-1][1:]

    plan, own = seen(look, given)[2]
    assert plan == [(0, 0, 180), (1, 20, 200)]
    assert own == (40, 190)


def test_planned_ends_that_have_passed_are_put_off():
    """Planned for 30 of its 100 s the first is planned to end at 30, and once it runs on, at 100."""
    given = instance((0, 100, 1), (20, 1, 1), (50, 9, 1), requested_time=[30, 1, 9], estimates="request")

    def look(job, view):
        return [tuple(p[1:]) for p in view.schedule(0)], view.schedule(0, job)[-1].end, view.ready_time(0)

    assert seen(look, given) == [
        ([], 30, 0),
        ([(0, 30)], 22, 30),
        # It has computed for 1 s less, in which the second had its share.
        ([(0, 101)], 68, 101),
    ]


def test_with_exact_plans_schedules_come_true():
    """The last job's schedule of all at its site is what happens, in the same bits."""
    jobs = [(k, 10 + 7 * k % 13, 1 + k % 2) for k in range(9)]
    given = instance(*jobs, on=((3, 0.7),))
    watcher = Watcher(lambda job, view: {p.job.position: p.end for p in view.schedule(0, job)})
    found = run(given, watcher)
    assert watcher.seen[8] == {p: found.end_time[p] for p in watcher.seen[8]}


def test_forecasts_are_without_waits():
    """A job begins at once and ends as the schedule with it says."""
    given = instance((0, 60, 1), (0, 60, 1))
    assert [tuple(f) for f in seen(lambda job, view: view.forecast(job, 0), given)] == [(0, 60), (0, 120)]


def test_counts_and_sums_are_of_the_jobs_there():
    """Jobs, processes, planned times and areas, and the cores left, at least none."""
    given = instance((0, 60, 2), (0, 60, 2), (9, 60, 1), requested_time=[70, 70, 70], on=((3, 1.0),))

    def look(job, view):
        names = ("jobs", "size_sum", "free", "time_sum", "area_sum")
        return [getattr(view, name)(0) for name in names]

    assert seen(look, given) == [[0, 0, 3, 0, 0], [1, 2, 1, 70, 140], [2, 4, 0, 140, 280]]


def test_what_has_ended_is_past_and_nothing_is_held():
    """Past jobs are with their dispatches and ends; no node has an owner, memory is unknown."""
    given = instance((0, 60, 1), (100, 60, 1))

    def look(job, view):
        past = [(p.job.position, p.start, p.end) for p in view.past(0)]
        return past, view.occupied(job, 0), view.memory_use(0), view.fullest_node(0)

    assert seen(look, given) == [([], 0, 0, 0), ([(0, 0, 60)], 0, 0, 0)]


def test_uniform_numbers_are_of_the_lottery_stream():
    """Turn k of a job is its number in the k-th row of the stream, in whatever order they are asked."""
    rows = stream(3, "lottery").random((3, 2))
    given = instance((0, 60, 1), (0, 60, 1))
    watcher = Watcher(lambda job, view: [view.uniform(job, turn) for turn in (2, 0, 1)])
    run(given, watcher, seed=3)
    assert watcher.seen == {0: rows[[2, 0, 1], 0].tolist(), 1: rows[[2, 0, 1], 1].tolist()}


@pytest.mark.parametrize("turn", [-1, 0.5, None])
def test_turns_count_from_0(turn):
    """Any other turn is the broker's error."""
    with pytest.raises(PolicyError, match=f"random number of turn {turn}"):
        seen(lambda job, view: view.uniform(job, turn), instance((0, 60, 1)))


def test_ready_times_need_estimates():
    """A broker that declares less is refused, as on any grid."""
    with pytest.raises(PolicyError, match="ready_time, which is information of level 3"):
        seen(lambda job, view: view.ready_time(0), instance((0, 60, 1)), information=Information.JOB_SIZES)


def test_a_broker_may_choose_only_what_can_hold_the_job():
    """A site that is too small is refused by name."""
    with pytest.raises(PolicyError, match="was assigned to 0; expected one of the sites 1 to 1"):
        seen(lambda job, view: None, instance((0, 60, 2), on=((1, 1.0), (2, 1.0))))
