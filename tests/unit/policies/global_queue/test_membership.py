"""Membership criteria and the specs of several queues, by hand."""

from __future__ import annotations

import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.model import Application, Job
from echelon.policies.global_queue.limit import AtMost
from echelon.policies.global_queue.membership import Bounds
from echelon.policies.global_queue.several import (
    MEMBERSHIP,
    MEMBERSHIPS,
    SERVING_ORDERS,
    JobQueue,
    format_job_queues,
    job_queues,
    serving_order,
)

NAMES = {"queue": ("low", "high")}


def meets(spec, **columns):
    """Return whether a job of two tasks with these columns meets a criterion."""
    told = {"processors": 2, "planned_time": 60.0} | columns
    job = Job(0, 1, 0.0, **told)
    return MEMBERSHIP.parse(spec).meets(job, lambda column: NAMES.get(column, ()))


@pytest.mark.parametrize(
    ("spec", "columns", "expected"),
    [
        # Bounds belong to the range.
        ("tasks(least=2)", {}, True),
        ("tasks(least=3)", {}, False),
        ("tasks(least=2, most=4)", {"processors": 4}, True),
        ("tasks(most=4)", {"processors": 5}, False),
        ("time(most=60)", {}, True),
        ("time(most=1min)", {"planned_time": 61.0}, False),
        # 2 KB a processor are 2,048 bytes.
        ("memory(most=2048)", {"memory": 2.0}, True),
        ("memory(most=2047)", {"memory": 2.0}, False),
        ("memory(most=2KiB)", {"memory": 2.0}, True),
        ("memory(most=2kB)", {"memory": 2.0}, False),
        # Without bounds, every job of which it is known.
        ("memory", {"memory": 2.0}, True),
        ("memory", {}, False),
        ("memory(least=500)", {"memory": 2.0, "application": Application(memory=499.0)}, False),
        ("communication(least=1000)", {"application": Application(bandwidth=1000.0)}, True),
        ("communication(least=1000)", {"application": Application(bandwidth=999.0)}, False),
        ("communication(least=8kbit/s)", {"application": Application(bandwidth=1000.0)}, True),
        ("communication(least=8kbit/s)", {"application": Application(bandwidth=999.0)}, False),
        # One task talks to no other.
        ("communication(most=0)", {"processors": 1, "application": Application(bandwidth=9.0)}, True),
        # What is unknown is within no bounds.
        ("communication(most=1000)", {}, False),
        ("memory(most=1e9)", {}, False),
        # Queue 2 is high, 1 is low, 3 has no name and no factor.
        ("priority(qos=high=1+low=0.25, least=0.5)", {"queue": 2}, True),
        ("priority(qos=high=1+low=0.25, least=0.5)", {"queue": 1}, False),
        ("priority(qos=high=1+low=0.25, least=0.1, most=0.5)", {"queue": 1}, True),
        ("priority(qos=high=1, most=0)", {"queue": 3}, True),
        ("priority(qos=high=1, most=0)", {}, True),
        ("type(7)", {"executable": 7}, True),
        ("type(7)", {"executable": 8}, False),
        ("type:mpi", {"application": Application("ft", library="mpi")}, True),
        ("type:FT", {"application": Application("ft", library="mpi")}, True),
        ("type:linux", {"application": Application("ft", requires=("linux",))}, True),
        ("type:pvm", {"application": Application("ft", library="mpi")}, False),
        ("type:pvm", {}, False),
        # Any type that is known.
        ("type", {"executable": 3}, True),
        ("type", {}, False),
    ],
)
def test_a_criterion_by_hand(spec, columns, expected):
    """A job of 2 tasks planned for 60 s, or as said."""
    assert meets(spec, **columns) is expected


def test_a_queue_takes_what_meets_all_its_criteria():
    """Small and short; without criteria every job."""
    (queue,) = job_queues("q(tasks(most=4), time(most=60))")
    jobs = [Job(0, 1, 0.0, size, time) for size, time in ((4, 60.0), (4, 61.0), (5, 60.0))]
    assert [queue.takes(job, lambda _: ()) for job in jobs] == [True, False, False]
    assert JobQueue("rest").takes(jobs[2], lambda _: ())


@pytest.mark.parametrize(
    "spec",
    [
        "rest",
        "a(tasks(most=4)); b",
        "a(type(mpi), tasks(least=2, most=4), rule=b, broker=ptt:w=0.2, sites=mpl-below:3+memory-below:0.5)",
        "a(priority(least=0.5, qos=high=1+low=0.25), limit=stable:predicted)",
        "a(communication(least=1000000)); b(memory(most=1000000)); c(time(most=3600), rule=sjf)",
    ],
)
def test_canonical_specs_come_back(spec):
    """They are what is said again, and give the same queues."""
    assert format_job_queues(job_queues(spec)) == spec


def test_other_spellings_are_the_same_queues():
    """Colons for parentheses, spaces, and queues that are given as such."""
    expected = job_queues("a(tasks(most=4), limit=2); rest")
    assert job_queues(" a( tasks:most=4 ,limit = 2 ) ;rest ") == expected
    assert job_queues("a:tasks(most=4):limit=2;rest") == expected
    assert job_queues(["a(tasks(most=4), limit=2)", JobQueue("rest")]) == expected
    assert expected[0].limit == AtMost(2)
    assert expected[0].rule is None
    assert format_job_queues(()) is None


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("", "^queues: names no queue at all, got '', expected one or more with semicolons"),
        ("a;;b", "^queues: names no queue between semicolons, got 'a;;b'"),
        (";", "^queues: names no queue between semicolons, got ';'"),
        ("a;a", "names queue 'a' twice"),
        ("a b", "letters, digits"),
        ("(tasks)", "letters, digits"),
        ("a(tasks(least=3, most=2))", "least <= most"),
        ("a(tasks(least=nan))", "must be|finite"),
        ("a(priority(least=1))", "priorities of the log's queues"),
        ("a(tasks)", "queue a: tasks has no bound, so that it takes every job; give one"),
        ("a(time)", "time has no bound"),
        ("a(priority)", "priority has no bound"),
        ("a(tasks())", "queue a: got 'tasks\\(\\)' with nothing in its parentheses; .* tasks\\(most=4\\)"),
        ("a(type( ))", "nothing in its parentheses; .* type\\(any\\) for all jobs whose type is known"),
        ("a(time(most=-1))", "time: takes no job: most must be at least 0, got -1"),
        ("a(tasks(most=0))", "tasks: takes no job: most must be at least 1, got 0"),
        ("a(memory(most=1XB))", "memory, most: must be a number of bytes .or with kB, MB"),
        ("a(limit=-1)", "must be"),
        ("a(rule=fcfs", "close each parenthesis"),
    ],
)
def test_wrong_specs_are_refused(spec, said):
    """In a sentence that says what."""
    with pytest.raises(InputError, match=said):
        job_queues(spec)


@pytest.mark.parametrize("spec", ["a(size(most=4))", "a(policy=easy)", "a(rule=easy)", "a(tasks(size=4))"])
def test_unknown_names_are_refused(spec):
    """Of criteria, of what is said of a queue, of its rule, and of parameters."""
    with pytest.raises(UnknownNameError):
        job_queues(spec)


@pytest.mark.parametrize("given", [7, [7], [], (), None])
def test_what_is_no_queue_is_refused(given):
    """Numbers, and nothing at all."""
    with pytest.raises(InputError):
        job_queues(given)


def test_an_unknown_order_is_refused():
    """With the known ones."""
    assert [serving_order(one) for one in SERVING_ORDERS] == ["listed", "rotating", "oldest"]
    with pytest.raises(UnknownNameError, match=r"order of queues.*'random'"):
        serving_order("random")


def test_every_criterion_has_a_name_and_a_source():
    """For the lists of rules."""
    assert [one.name for one in MEMBERSHIPS] == [
        *("priority", "tasks", "type", "communication", "time", "memory"),
    ]
    assert all(one.source for one in MEMBERSHIPS)
    assert not issubclass(type(MEMBERSHIP.parse("type:x")), Bounds)
