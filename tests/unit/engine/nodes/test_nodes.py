"""What a cluster of nodes refuses: placements and schedulers that take what is not there."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.errors import EchelonError, PolicyError
from echelon.model import Demand, TaskGroup
from echelon.policies import Preempt, Reserve, Start
from echelon.policies.sharing import FairSharing


def job(tasks, operations=1.0, *, sequential=False, **more):
    return Demand((TaskGroup(tasks, operations, **more),), sequential=sequential)


class Fixed:
    """A placement that always gives the same answer."""

    name = "fixed-cores"
    source = "this test"

    def __init__(self, answer):
        self.answer = answer

    def place(self, job, cores, room):
        answer = self.answer[min(job.position, len(self.answer) - 1)]
        return answer() if callable(answer) else answer


def broken():
    raise ZeroDivisionError("division by zero")


@pytest.mark.parametrize(
    "wrong",
    [
        ([[0], [0]], [job(1), job(1)], "core 0, which is not idle"),
        ([[0, 0]], [job(2)], "2 cores, 1 of them different"),
        ([[0]], [job(2)], "1 cores, 1 of them different; expected 2"),
        ([[0, 1, 2]], [job(2)], "3 cores, 3 of them different; expected 2"),
        ([[0, 7]], [job(2)], "core 7, but there are 0 to 3"),
        ([[0, -1]], [job(2)], "core -1, but there are 0 to 3"),
        ([[0, 2]], [job(2, sequential=True)], "sequential, but gets cores of 2 nodes"),
        ([[0, 1]], [job(2, memory=3.0)], "more memory than is free in node 0"),
        ([[0, "1"]], [job(2)], "expected core numbers"),
        (["01"], [job(2)], "expected core numbers or None"),
        ([broken], [job(1)], "fail with ZeroDivisionError"),
        ([None], [job(1)], "job 1 is refused, though the empty machine has room for it"),
    ],
)
@pytest.mark.parametrize("policy", ["fcfs", "easy", "conservative", "plan"])
def test_bad_placements_are_blamed_by_name(run, machine, wrong, policy):
    """What is wrong with a placement's answer is said with its name and the job."""
    answers, demands, message = wrong
    hardware = machine(2, 2, memory=4.0)
    with pytest.raises(PolicyError, match=message) as told:
        run(hardware, *((0, demand) for demand in demands), place=Fixed(answers), spec=policy)
    assert "fixed-cores" in str(told.value)
    assert "\n" not in str(told.value)


def test_memory_of_tasks_that_share_a_core_is_looked_at(run, machine):
    """Two tasks of 3 B take turns on the free core; a node of 7 B has not room for both beside 2 B."""
    hardware = machine(2, memory=7.0)
    beside, pair = job(1, 9.0, memory=2.0), job(2, memory=3.0, sequential=True)
    answers = Fixed([[0], [1]])
    with pytest.raises(PolicyError, match="more memory than is free in node 0"):
        run(hardware, (0, beside), (0, pair), place=answers, sharing=FairSharing(), spec="first-fit")


class Deciding:
    """A scheduler that decides what it is told to, job by job."""

    name = "deciding"
    source = "this test"

    def __init__(self, decisions):
        self.decisions = decisions

    def decide(self, view):
        for waiting in view.queue:
            yield from self.decisions(waiting, view)


def runs(decisions, run, hardware, *jobs):
    return run(hardware, *((0, demand) for demand in jobs), spec=Deciding(decisions))


def test_a_scheduler_says_in_which_nodes(run, machine):
    """Start(job, where=...) takes so many cores in these nodes, and no others."""
    schedule = runs(lambda waiting, view: [Start(waiting, where={1: 1, 2: 2})], run, machine(2, 2, 2), job(3))
    assert schedule.holdings.cores.tolist() == [2, 4, 5]


@pytest.mark.parametrize(
    ("decision", "message"),
    [
        (lambda waiting, view: [Start(waiting, where={0: 3})], "on 3 cores of nodes, but needs 2"),
        (lambda waiting, view: [Start(waiting, where={0: 1})], "on 1 cores of nodes, but needs 2"),
        (lambda waiting, view: [Start(waiting, where={})], "on no cores of nodes, but needs 2"),
        (lambda waiting, view: [Start(waiting, where={0: 3, 1: -1})], "on 3, -1 cores of nodes, but needs 2"),
        (lambda waiting, view: [Start(waiting, where={9: 2})], "node 9, but there are 0 to 1"),
        (lambda waiting, view: [Start(waiting, where={-1: 2})], "node -1, but there are 0 to 1"),
        (lambda waiting, view: [Start(waiting, where={"a": 2})], "numbers of cores by node number"),
        (lambda waiting, view: [Start(waiting, where="all")], "in 'all'; expected numbers of cores by node"),
        (lambda waiting, view: [Start(waiting, where={0: 1, 1: 1})] * 2, "is not waiting"),
        (lambda waiting, view: [Start(waiting, switch=-1.0)], "with a switch of -1.0"),
        (lambda waiting, view: [Reserve(waiting, -1.0)], "got a reservation at -1"),
        (lambda waiting, view: [Reserve(waiting, np.nan)], "got a reservation at nan"),
        (lambda waiting, view: [Preempt(waiting)], "was preempted, but is not running"),
    ],
)
def test_what_a_scheduler_may_not_decide(run, machine, decision, message):
    """One sentence with the scheduler's name, the time and the job."""
    with pytest.raises(PolicyError, match=message) as told:
        runs(decision, run, machine(2, 2), job(2))
    assert "'deciding' at t = 0 s: job 1" in str(told.value)
    assert isinstance(told.value, EchelonError)


def test_a_sequential_job_is_not_started_in_two_nodes(run, machine):
    """Whichever rule names the nodes, tasks share memory."""
    with pytest.raises(PolicyError, match="sequential, but gets cores of 2 nodes"):
        runs(
            lambda waiting, view: [Start(waiting, where={0: 1, 1: 1})],
            run,
            machine(2, 2),
            job(2, sequential=True),
        )


@pytest.mark.parametrize("spec", ["easy:reservations=2", "plan", "conservative", "easy"])
def test_named_nodes_say_how_many_tasks_each_has(run, machine, spec):
    """Eight tasks in two nodes are four in each, whatever its limit for a node says, planned or not."""
    spread = Demand((TaskGroup(8, 1.0),), nodes=2, tasks_per_node=2)
    schedule = run(machine(4, 4, 4), (0, job(9, 5.0)), (1, spread), (1, job(1, 3.0)), spec=spec)
    assert schedule.start_time.tolist() == [0, 5, 1]
