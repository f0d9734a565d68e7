"""Preempt and Wake in the reference engine: what a policy sees, what is refused, and that runs end."""

from __future__ import annotations

import pytest

from echelon.engine.contract import CYCLES, Scenario
from echelon.engine.queue import decisions
from echelon.engine.reference import simulate
from echelon.errors import DeadlockError, PolicyError
from echelon.model import Instance, Job, Workload
from echelon.policies import Policy, Preempt, Reserve, Start, Wake
from echelon.testing import check_policy

TWO = Instance.of(
    Workload.from_columns(submit_time=[0, 4], run_time=[10, 3], requested_time=[12, 3], processors=[1, 1]), 1
)


class Scripted:
    """A scheduler that decides what a function of the view says."""

    name = "scripted"

    def __init__(self, rule):
        self.rule = rule

    def decide(self, view):
        return self.rule(view)


def run(rule, instance=TWO, **options):
    return simulate(Scenario(instance, Policy.of(backfill=Scripted(rule)), **options))


def start_first(view):
    """Yield the start of the head if it fits."""
    if view.queue and view.queue[0].processors <= view.free:
        yield Start(view.queue[0])


def interrupt(view):
    """Let the job submitted last run; keep what the view showed of the first job."""
    if view.now == 4:
        [running] = view.running
        view.notes["running"] = (
            view.remaining(running.job),
            view.waited(running.job),
            view.last_start(running.job),
        )
        yield Preempt(running.job)
        view.notes["suspended"] = (
            view.remaining(running.job),
            view.waiting_since(running.job),
            view.free,
            [job.job_id for job in view.queue],
        )
        yield Start(view.queue[1], switch=2)
    else:
        if view.now == 9:
            job = view.queue[0]
            view.notes["later"] = (view.remaining(job), view.waited(job), view.last_start(job))
            SEEN.update(view.notes)
        yield from start_first(view)


SEEN = {}


def test_what_the_view_shows():
    """Planned time left, time in the queue and dispatches, before and after a preemption."""
    schedule = run(interrupt)
    assert SEEN == {
        "running": (8, 0, 0),
        "suspended": (8, 4, 1, [1, 2]),
        "later": (8, 5, 0),
    }
    segments = schedule.segments
    assert segments.job.tolist() == [0, 0, 1]
    assert segments.start.tolist() == [0, 9, 4]
    assert segments.end.tolist() == [4, 15, 9]
    assert schedule.end_time.tolist() == [15, 9]
    assert schedule.counts["preemptions"] == 1


def test_observers_may_hear_of_preemptions():
    """One with a method for it is told; one without is not asked."""
    heard = []

    class Listener:
        def submitted(self, time, job, place): ...

        def ended(self, time, job, place): ...

        def decided(self, time, waiting, free, place): ...

        def started(self, time, job, place):
            heard.append(("started", time, job.job_id))

    class Curious(Listener):
        def preempted(self, time, job, place):
            heard.append(("preempted", time, job.job_id))

    run(interrupt, observers=[Curious()])
    assert heard == [("started", 0, 1), ("preempted", 4, 1), ("started", 4, 2), ("started", 9, 1)]
    heard.clear()
    run(interrupt, observers=[Listener()])
    assert len(heard) == 3


def test_wakes_are_passes():
    """A pass comes at each requested time, once, and none when no job waits any more."""
    cycles = []

    def patient(view):
        cycles.append(view.now)
        if view.now == 0:
            yield Wake(1.5)
            yield Wake(7)
            yield Wake(7)
            yield Wake(100)
        if view.now >= 7:
            yield from start_first(view)

    schedule = run(patient)
    assert cycles == [0, 1.5, 4, 7, 17]
    assert schedule.start_time.tolist() == [7, 17]


def never_submitted(view):
    return [Preempt(Job(1, 2, 4.0, 1, 3.0))]


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        (lambda view: [Preempt(view.queue[0])], "job 1 was preempted, but is not running; decide on jobs"),
        (never_submitted, "job 2 was preempted, but is not running"),
        (lambda view: [Preempt(None)], "job None was preempted, but is not running"),
        (lambda view: [Start(view.queue[0]), Preempt(view.running)], "was preempted, but is not running"),
        (lambda view: [Wake(view.now)], "asked to be woken at 0.0 s, but it is 0 s; expected a later time"),
        (lambda view: [Wake(float("nan"))], "asked to be woken at nan s"),
        (lambda view: [Wake(float("inf"))], "asked to be woken at inf s"),
        (lambda view: [Wake("soon")], "asked to be woken at 'soon' s"),
        (lambda view: [Start(view.queue[0], -1)], "job 1 was started with a switch of -1; expected seconds"),
        (lambda view: [Start(view.queue[0], "5")], "job 1 was started with a switch of '5'"),
        (lambda view: [Start(view.queue[0], float("inf"))], "was started with a switch of inf"),
    ],
)
def test_forbidden_decisions(rule, sentence):
    """Whatever else a scheduler gives is a PolicyError with the job and the time."""
    with pytest.raises(PolicyError, match=sentence):
        run(rule)


def test_a_policy_that_never_lets_a_job_progress_is_stopped():
    """A switch longer than the time until the next preemption: an error, not a run without end."""

    def hasty(view):
        for running in view.running:
            yield Preempt(running.job)
        yield Start(view.queue[0], switch=10)
        yield Wake(view.now + 5)

    both = Instance.of(Workload.from_columns(submit_time=[0, 0], run_time=[10, 3], processors=[1, 1]), 1)
    with pytest.raises(PolicyError, match="preempts jobs before they progress, 1000 times each"):
        run(hasty, both)


def test_a_policy_that_never_sleeps_is_stopped(monkeypatch):
    """One that wakes up a thousand times a second while a job runs for days makes a run without end."""
    monkeypatch.setattr(decisions, "MOST_WAKES", 5000)
    both = Instance.of(Workload.from_columns(submit_time=[0, 0], run_time=[1e6, 3], processors=[1, 1]), 1)

    def restless(view):
        yield from start_first(view)
        yield Wake(view.now + 0.001)

    with pytest.raises(PolicyError, match=r"t = 5.001 s: requests more than 5,000 cycles without an end"):
        run(restless, both)


@pytest.mark.slow
def test_a_policy_that_only_sleeps_is_stuck():
    """Waking up forever on an idle machine without further submissions is a deadlock."""
    with pytest.raises(DeadlockError, match="2 jobs can never start, with 1 of 1 processors free"):
        run(lambda view: [Wake(view.now + 1)])


def test_a_pass_of_endless_changes_is_stopped():
    """To and fro within one pass ends with an error, too."""

    def undecided(view):
        while True:
            yield Start(view.queue[0])
            yield Preempt(view.running[0].job)

    with pytest.raises(PolicyError, match=r"decide.view. must end"):
        run(undecided)


@pytest.mark.parametrize("cycles", CYCLES)
def test_a_start_taken_back_at_once_never_happened(cycles):
    """Start, preempt and start of another at one instant leave one segment a job and no preemption."""

    def fickle(view):
        if view.now == 0 and not view.running:
            first = view.queue[0]
            yield Start(first, switch=3)
            yield Preempt(first)
            yield Start(view.queue[-1])
        else:
            yield from start_first(view)

    both = Instance.of(Workload.from_columns(submit_time=[0, 0], run_time=[10, 3], processors=[2, 2]), 2)
    schedule = run(fickle, both, cycles=cycles)
    assert schedule.counts.get("preemptions", 0) == 0
    assert sorted(schedule.start_time.tolist()) == ([0, 3] if cycles == "instant" else [0, 10])


@pytest.mark.parametrize("cycles", ["event", "pyss"])
def test_a_job_that_ends_now_is_not_suspended(cycles):
    """Two jobs end at 5; the pass after the first end suspends the second, which ends instead."""
    three = Instance.of(
        Workload.from_columns(
            submit_time=[0, 0, 1], run_time=[5, 5, 4], requested_time=[9, 9, 4], processors=[1, 1, 2]
        ),
        2,
    )

    def rule(view):
        if view.now == 5 and view.running:
            yield Preempt(view.running[0].job)
            assert not view.running
        yield from start_first(view)

    schedule = run(rule, three, cycles=cycles)
    assert schedule.segments is None
    assert schedule.end_time.tolist() == [5, 5, 9]


def test_reservations_and_preemption():
    """The processors of a suspended job can be reserved; its own reservation is for its time left."""
    log = []

    def rule(view):
        if view.now == 4:
            [running] = view.running
            log.append(view.earliest_start(view.queue[0]))
            yield Preempt(running.job)
            log.append(view.earliest_start(view.queue[1]))
            yield Start(view.queue[1])
            yield Reserve(view.queue[0], 7.0)
            log.append(view.shadow(1))
        elif view.now == 7:
            job = view.queue[0]
            log.append(view.reservations[job.position])
            yield Start(job)
            log.append(view.running[0].planned_end)
        else:
            yield from start_first(view)

    schedule = run(rule)
    assert log == [12, 4, (7, 0), 7, 15]
    assert schedule.end_time.tolist() == [13, 7]


def test_each_start_has_a_switch_of_its_own():
    """Job 1 pays 2 s at its first start only: 2 s of progress by 4, 1 s from 7 to 8, 7 s are left."""
    three = Instance.of(
        Workload.from_columns(submit_time=[0, 4, 8], run_time=[10, 3, 1], processors=[1, 1, 1]), 1
    )

    def youngest(view):
        for running in view.running:
            yield Preempt(running.job)
        job = max(view.queue, key=lambda job: job.submit_time)
        yield Start(job, switch=2 if view.now == 0 else 0)

    segments = run(youngest, three).segments
    assert segments.job.tolist() == [0, 0, 0, 1, 2]
    assert segments.start.tolist() == [0, 7, 9, 4, 8]
    assert segments.end.tolist() == [4, 8, 16, 7, 9]


@pytest.mark.slow
def test_preemptive_schedulers_of_ones_own_are_checked():
    """check_policy runs them and looks at their work."""

    class Youngest:
        """The last job submitted runs."""

        name = "youngest"

        def decide(self, view):
            for running in view.running:
                yield Preempt(running.job)
            for job in view.queue[::-1]:
                if job.processors <= view.free:
                    yield Start(job)

    checked = check_policy(Youngest)
    assert checked.passed
    assert "work" in [finding.name for finding in checked.findings]


@pytest.mark.parametrize("cycles", ["event", "pyss"])
def test_a_job_suspended_at_its_end_releases_those_that_wait_for_it(cycles):
    """A pass between two ENDs of one instant that suspends the second job ends it; its successor comes."""
    log = Workload.from_columns(
        submit_time=[0, 0, 0],
        run_time=[10, 10, 5],
        requested_time=[12, 12, 5],
        processors=[1, 1, 1],
        preceding_job=[-1, -1, 2],
    )

    def suspend_at_ten(view):
        if view.now == 10:
            for running in view.running:
                yield Preempt(running.job)
        yield from start_first(view)

    for rule in (suspend_at_ten, start_first):
        schedule = run(rule, Instance.of(log, 2), cycles=cycles)
        assert schedule.start_time.tolist() == [0, 0, 10]
