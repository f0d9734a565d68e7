"""What the reference engine says to a policy that breaks a rule: one sentence, and never a schedule."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.engine import compiled
from echelon.engine.contract import Scenario
from echelon.engine.reference import simulate
from echelon.errors import DeadlockError, PolicyError
from echelon.model import Instance, Job, Workload
from echelon.policies import Easy, Order, Policy, Reserve, Start, Withdraw, policy

FOUR = Instance.of(
    Workload.from_columns(submit_time=[0, 0, 1, 2], run_time=[5, 6, 7, 8], processors=[2, 3, 1, 4]), 4
)


class Scripted:
    """A scheduler that decides what a function of the view says."""

    name = "scripted"

    def __init__(self, rule):
        self.rule = rule

    def decide(self, view):
        return self.rule(view)


def run(rule, order=None):
    return simulate(Scenario(FOUR, Policy.of(order or policy("fcfs").order, Scripted(rule))))


def start_all(view):
    return (Start(job) for job in view.queue)


def start_twice(view):
    return [Start(view.queue[0]), Start(view.queue[0])]


def start_a_smaller_copy(view):
    return [Start(view.queue[1]._replace(processors=0))]


def start_a_shorter_copy(view):
    return [Start(view.queue[0]._replace(planned_time=0.1))]


def start_one_not_submitted(view):
    return [Start(job) for job in [Job(3, 4, 2.0, 4, 8.0)]]


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        (start_all, "job 2 was started on 3 processors, but 2 are free"),
        (start_twice, "job 1 was started, but is not waiting"),
        (start_a_smaller_copy, "job 2 was started, but is not waiting"),
        (start_a_shorter_copy, "job 1 was started, but is not waiting"),
        (start_one_not_submitted, "job 4 was started, but is not waiting"),
        (lambda view: [Start("job 1")], "job 'job 1' was started, but is not waiting"),
        (lambda view: [Start(None)], "job None was started, but is not waiting"),
        (
            lambda view: [Reserve(Job(9, 9, 0.0, 1, 1.0), 5.0)],
            "job 9 got a reservation, but is not wait",
        ),
        (
            lambda view: [Reserve(view.queue[0], -1.0)],
            "job 1 got a reservation at -1.0 s, but it is 0 s",
        ),
        (lambda view: [Reserve(view.queue[0], float("nan"))], "got a reservation at nan s"),
        (lambda view: [Reserve(view.queue[0], float("inf"))], "got a reservation at inf s"),
        (lambda view: [Reserve(view.queue[0], "soon")], "got a reservation at 'soon' s"),
        (lambda view: [Reserve(view.queue[0], 10**400)], "got a reservation at 1000"),
        (lambda view: [Withdraw(view.queue[0])], "job 1 had its reservation withdrawn, but has none"),
        (
            lambda view: [Withdraw(Job(9, 9, 0.0, 1, 1.0))],
            "job 9 had its reservation withdrawn, but is not wait",
        ),
        (lambda view: [Withdraw("job 1")], "job 'job 1' had its reservation withdrawn, but is not waiting"),
        (
            lambda view: [Reserve(view.queue[0], 4.0), Reserve(view.queue[1], 3.0)],
            "job 2 got a reservation of 3 processors at 3 s, but 2 are free then",
        ),
        (
            lambda view: [Reserve(view.queue[1], 2.0), Start(view.queue[0])],
            "job 1 was started on 2 processors, but reservations of other jobs leave 1",
        ),
        (lambda view: view.queue, "gave Job"),
        (
            lambda view: [(view.queue[0],)],
            "Start.job., Preempt.job., Reserve.job, time., Withdraw.job. or Wake.time.",
        ),
        (lambda view: [None], "gave None"),
        (lambda view: None, "fails with TypeError: 'NoneType' object is not iterable"),
        (lambda view: 1 / 0, "fails with ZeroDivisionError: division by zero"),
        (lambda view: (Start(view.queue[9]) for _ in "x"), "fails with IndexError"),
        (lambda view: [setattr(view, "now", 7)], "fails with AttributeError"),
        (lambda view: [view.reservations.update({0: 1.0})], "fails with AttributeError"),
    ],
)
def test_forbidden_decisions(rule, sentence):
    """Whatever a scheduler gives or does, it is a PolicyError with its name, and no other exception."""
    with pytest.raises(PolicyError, match=sentence) as caught:
        run(rule)
    assert caught.value.policy in ("scripted", "fcfs:scripted")
    assert caught.value.time in (0.0, 2.0)


def test_an_observers_error_is_not_the_policys():
    """What fails outside the policy is raised as it is."""

    class Broken:
        def submitted(self, time, job, place):
            raise KeyError("mine")

        started = ended = submitted

        def decided(self, time, waiting, free, place): ...

    with pytest.raises(KeyError, match="mine"):
        simulate(Scenario(FOUR, policy("easy"), observers=[Broken()]))


def test_nothing_ever_started():
    """If a scheduler starts no job, the jobs that can never start are named, with the free processors."""
    with pytest.raises(DeadlockError, match="4 jobs can never start, with 4 of 4 processors free") as error:
        run(lambda view: [])
    assert "1 (2 processors), 2 (3 processors)" in str(error.value)


def test_a_reservation_that_is_not_kept():
    """A reservation falls due with a cycle of its own; a scheduler that then starts no job is in deadlock."""
    cycles = []

    def reserve_only(view):
        cycles.append(view.now)
        if not view.reservations:
            yield Reserve(view.queue[0], 50.0)

    with pytest.raises(DeadlockError, match="4 jobs can never start"):
        run(reserve_only)
    assert cycles == [0.0, 1.0, 2.0, 50.0]


BAD_KEYS = {
    "nan": lambda job, view: float("nan"),
    "infinite": lambda job, view: float("-inf"),
    "spec": lambda job, view: "first",
    "nothing": lambda job, view: None,
    "a list": lambda job, view: [job.area],
    "complex": lambda job, view: np.complex128(1),
    "beyond 64 bits": lambda job, view: 10**30 + job.position,
    "nan in a tuple": lambda job, view: (1, float("nan")),
    "nan for a later job": lambda job, view: job.area if job.position < 2 else float("nan"),
}


@pytest.mark.parametrize("columnar", [False, True])
@pytest.mark.parametrize("kind", BAD_KEYS)
def test_keys_that_are_no_numbers(kind, columnar):
    """A key that cannot be ordered names the job and the key, also if the rule takes whole columns."""
    rule = Order(kind, BAD_KEYS[kind], "none", columnar=columnar)
    for simulator in (simulate, compiled.simulate):
        with pytest.raises(PolicyError, match=r"job \d has the key .*; expected a finite number"):
            simulator(Scenario(FOUR, Policy.of(rule)))


@pytest.mark.parametrize("kind", BAD_KEYS)
def test_keys_that_turn_bad_later(kind):
    """The same for rules that read the view, whose keys are computed in every pass."""

    def changing(job, view):
        return job.position if view.now < 1 else BAD_KEYS[kind](job, view)

    with pytest.raises(PolicyError, match="has the key"):
        simulate(Scenario(FOUR, Policy.of(Order(kind, changing, "none"))))
    with pytest.raises(PolicyError, match="has the key"):
        simulate(Scenario(FOUR, Policy.of(backfill=Easy(candidates=Order(kind, changing, "none")))))


@pytest.mark.parametrize("reads_view", [False, True])
def test_keys_of_different_lengths(reads_view):
    """Keys must be comparable part by part: a tuple of one and a tuple of two are refused."""

    def uneven(job, view):
        now = view.now if reads_view else 0
        return (now,) * (1 + job.position % 2)

    with pytest.raises(PolicyError, match="keys must be equally long"):
        simulate(Scenario(FOUR, Policy.of(Order("uneven", uneven, "none"))))


def test_an_order_that_fails():
    """An exception inside a rule is told with the job it happened for."""
    rule = Order("fails", lambda job, view: 1 / (job.position - 2), "none")
    with pytest.raises(PolicyError, match="job 3 makes the order fail with ZeroDivisionError"):
        simulate(Scenario(FOUR, Policy.of(rule)))
