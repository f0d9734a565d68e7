"""Slack-based and relaxed backfilling, worked by hand."""

from __future__ import annotations

import pytest

from echelon.engine import compiled
from echelon.engine.contract import Scenario
from echelon.engine.reference import simulate
from echelon.errors import InputError
from echelon.model import Instance, Workload
from echelon.policies import Relaxed, Slack, policy


def starts(spec, *rows, processors=4):
    """Return the starts of jobs given as (submit, run, processors), requests being exact."""
    submit, run, size = zip(*rows, strict=True)
    table = Workload.from_columns(submit_time=submit, run_time=run, processors=size, requested_time=run)
    return simulate(Scenario(Instance.of(table, processors), policy(spec))).start_time.tolist()


HEAD = (0, 100, 3), (0, 100, 4)
"""Job 2 is promised 100 when it arrives at 0: its expected wait is 100 s."""


@pytest.mark.parametrize("kind", ["slack", "relaxed"])
def test_a_delay_within_the_slack(kind):
    """Job 3 would delay job 2 from 100 to 140. That is within 0.4 times its expected wait, not within 0.3."""
    assert starts(f"{kind}:factor=0.4", *HEAD, (40, 100, 1)) == [0, 140, 40]
    assert starts(f"{kind}:factor=0.3", *HEAD, (40, 100, 1)) == [0, 100, 200]
    assert starts(f"{kind}:factor=0", *HEAD, (40, 60, 1)) == [0, 100, 40]


@pytest.mark.parametrize("kind", ["slack", "relaxed"])
def test_delays_do_not_add_up(kind):
    """A delay to 140 is accepted; then, on one more processor, job 4 would delay job 2 to 150: too late."""
    wide = (0, 100, 3), (0, 100, 5)
    assert starts(f"{kind}:factor=0.4", *wide, (40, 100, 1), (50, 100, 1), processors=5) == [0, 140, 40, 240]
    assert starts(f"{kind}:factor=0.5", *wide, (40, 100, 1), (50, 100, 1), processors=5) == [0, 150, 40, 50]


def test_slack_protects_everyone_and_relaxed_the_head():
    """Job 3 (3 processors, 10 s) is promised 200 at 10; job 4 (1 processor, 250 s) would push it to 270.

    With slack it has 95 s beyond its expected wait of 190, so job 4 must not delay it further than 295.
    """
    rows = (*HEAD, (10, 10, 4), (20, 90, 1))
    assert starts("slack:factor=0.1", *rows) == [0, 110, 210, 20]
    assert starts("slack:factor=0.05", *rows) == [0, 100, 200, 210]
    assert starts("relaxed:factor=0.1", *rows) == [0, 110, 210, 20]
    # Job 3 has waited for nothing yet: its own slack is 0, so nobody may push it.
    late = (0, 100, 3), (0, 1, 1), (50, 10, 2), (50, 100, 4), (60, 200, 1)
    assert starts("slack:factor=1", *late)[2] == 100


def test_a_displaced_head_loses_its_promise():
    """With shortest-first a shorter job is put before the head, which is then promised nothing."""
    rows = (0, 100, 3), (1, 100, 4), (2, 50, 4), (3, 90, 1)
    assert starts("relaxed:shortest-first:factor=0", *rows) == [0, 150, 100, 3]


@pytest.mark.parametrize("kind", [Slack, Relaxed])
@pytest.mark.parametrize("factor", [-0.1, float("inf"), float("nan")])
def test_factors_out_of_range(kind, factor):
    """A slack is finite and not negative."""
    with pytest.raises(InputError, match="finite and at least 0"):
        kind(factor)


def test_specs():
    """Named with the factor; the default is not said."""
    assert policy("slack:factor=0.25").scheduler == Slack(0.25)
    assert policy("relaxed").name == "relaxed"
    assert policy("slack(factor=2):sjf").name == "slack:shortest-first:factor=2"


@pytest.mark.parametrize("spec", ["slack", "relaxed"])
def test_the_compiled_engine_says_why_not(spec):
    """The reference engine runs them."""
    table = Workload.from_columns(submit_time=[0], run_time=[1], processors=[1])
    reason = compiled.supports(Scenario(Instance.of(table, 1), policy(spec)))
    assert reason == f"'{spec}' is in the reference engine only"
