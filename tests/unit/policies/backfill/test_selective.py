"""Selective reservations, worked by hand."""

from __future__ import annotations

import math

import pytest

from echelon.engine import compiled
from echelon.engine.contract import Scenario
from echelon.engine.reference import simulate
from echelon.errors import InputError
from echelon.model import Instance, Workload
from echelon.policies import Policy, Selective, policy


def starts(spec, *rows, processors=4):
    """Return the starts of jobs given as (submit, run, processors), requests being exact."""
    submit, run, size = zip(*rows, strict=True)
    table = Workload.from_columns(submit_time=submit, run_time=run, processors=size, requested_time=run)
    return simulate(Scenario(Instance.of(table, processors), policy(spec))).start_time.tolist()


STREAM = ((0, 100, 2), (1, 50, 4), (2, 100, 2), (90, 100, 2), (160, 100, 2), (250, 100, 2))
"""Pairs of narrow jobs overlap forever, so that the wide job 2 (50 s long) never fits on its own."""


def test_without_promises_the_wide_job_starves():
    """An infinite threshold is not reached: each narrow job starts as soon as it fits."""
    assert starts("selective:threshold=inf", *STREAM) == [0, 350, 2, 100, 160, 250]


def test_a_promise_when_the_threshold_is_reached():
    """Job 2 arrives at 1 and is 50 s long, so its expected slowdown is 2.78 at 90 and 3.02 at 102.

    With threshold 2.5 it is promised 102 at the pass of 90; job 4 could start at 100 but would delay it.
    With 3 it is still free game at 100, when job 4 starts, and is promised 200 at 102.
    """
    assert starts("selective:threshold=2.5", *STREAM)[:4] == [0, 102, 2, 152]
    assert starts("selective:threshold=3", *STREAM)[:4] == [0, 200, 2, 100]


def test_equal_to_the_threshold_is_enough():
    """At 100 the expected slowdown is (99 + 50) / 50 = 2.98: just that is enough, a hair more is not."""
    assert starts(f"selective:threshold={149 / 50!r}", *STREAM)[1] == 102
    assert starts(f"selective:threshold={math.nextafter(149 / 50, 9)!r}", *STREAM)[1] == 200


def test_adaptive_begins_as_conservative():
    """Before the first end the threshold is 1: job 2 is promised 100 when it arrives, job 3 then 150."""
    assert starts("selective", *STREAM) == [0, 100, 150, 150, 250, 250]


def test_adaptive_is_the_mean_of_those_that_ended():
    """From 20 on two jobs have ended, with slowdowns 1 and 2: the threshold is 1.5.

    At 45 job 5 arrives and would overtake job 4, which needs the whole machine for 10 s. Submitted at 40,
    job 4 is at 1.5 and is promised 70; submitted at 41 it is at 1.4 and is overtaken.
    """
    first = (0, 10, 4), (0, 10, 4), (30, 40, 2)
    assert starts("selective", *first, (40, 10, 4), (45, 50, 2)) == [0, 10, 30, 70, 80]
    assert starts("selective", *first, (41, 10, 4), (45, 50, 2)) == [0, 10, 30, 95, 45]


class Means:
    """First-fit that writes down the mean slowdown at each pass."""

    name = "means"

    def __init__(self):
        self.seen = []

    def decide(self, view):
        self.seen.append((view.now, view.mean_slowdown))
        yield from policy("first-fit").scheduler.decide(view)


def test_the_mean_slowdown_by_hand():
    """1 before any end; then bounded slowdowns: 1 of a short job, and (90 + 10) / 10 of one that waited."""
    watch = Means()
    rows = (0, 5, 4, 5), (0, 95, 4, 95), (10, 10, 4, 10), (30, 1, 4, 1)
    submit, run, size, request = zip(*rows, strict=True)
    table = Workload.from_columns(submit_time=submit, run_time=run, processors=size, requested_time=request)
    simulate(Scenario(Instance.of(table, 4), Policy.of(backfill=watch)))
    # 0 starts job 1; 5 ends it (slowdown 1); job 2 runs until 100 (100 / 95); job 3 until 110 (10).
    assert watch.seen == [
        (0, 1.0),
        (5, 1.0),
        (10, 1.0),
        (30, 1.0),
        (100, (1 + 100 / 95) / 2),
        (110, (1 + 100 / 95 + 10) / 3),
    ]


@pytest.mark.parametrize("threshold", [math.nan, "often", None])
def test_a_threshold_that_is_none(threshold):
    """Neither a number nor the word is refused."""
    with pytest.raises(InputError, match="must be a number or adaptive"):
        Selective(threshold)


def test_specs():
    """Named with its threshold; the default is not said."""
    assert policy("selective").scheduler == Selective("adaptive")
    assert policy("selective:threshold=2.5").name == "selective:threshold=2.5"
    assert policy("selective:shortest-first:threshold=inf").scheduler == Selective(math.inf)
    with pytest.raises(InputError, match="a number"):
        policy("selective:threshold=often")


def test_both_engines_run_it():
    """The compiled engine knows this rule, too."""
    table = Workload.from_columns(submit_time=[0], run_time=[1], processors=[1])
    assert compiled.supports(Scenario(Instance.of(table, 1), policy("selective"))) is None
