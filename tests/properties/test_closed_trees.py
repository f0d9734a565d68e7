"""What no run may break on any tree whose nodes fail, are drained, maintained and reserved."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from budgets import examples
from echelon.experiments.scenario import ScenarioMaker
from echelon.policies import IMMEDIATE_STRATEGIES
from echelon.testing import check_calendar

sys.path.insert(0, str(Path(__file__).parent))
from changing_sites import NAMES, Watched, calendar_of, check_losses, check_nothing_lost
from trees_of_sites import (
    BROKERS,
    DISPATCHERS,
    OF_SUMS,
    PROTOCOLS,
    QUEUED,
    cases,
    leaves_of,
    platform_of,
    under_direct_control,
    workload_of,
)

LENIENT = [HealthCheck.too_slow, HealthCheck.data_too_large]
check = examples(30, suppress_health_check=LENIENT)
few = examples(4, suppress_health_check=LENIENT)
FORESEEN = [f"{spec}fcfs" for spec in ("", "first-fit:", "easy:", "conservative:")]
PREEMPTIVE = ["round-robin:quantum=3", "srtf", "preemptive-priority:shortest-first"]
IMMEDIATE = [kind.name for kind in IMMEDIATE_STRATEGIES]
UPPER = ("fcfs", "sjf", "fpfs", "backfilling", "b", "nb.rs", "pull", "requests", "requests:copies=2")


@st.composite
def closed(draw, some, controlled=None):
    """Return a case, and the scenario of its run with a calendar; `controlled` changes the tree."""
    case, rng = draw(some), draw(st.randoms(use_true_random=False))
    if controlled is not None:
        case = controlled(case, rng)
    platform = platform_of(case.tree)
    table = workload_of(case.jobs, case.homes, platform)
    codes = np.array([rng.choice([-1, -1, -1, 1, 2]) for _ in case.jobs], dtype=float)
    table = replace(table, accounting={"reservation": codes}, names={**table.names, "reservation": NAMES})
    scenario = ScenarioMaker(table).scenario({**case.options, "platform": platform})
    return case, replace(scenario, changes=calendar_of(rng, scenario))


def holds(drawn):
    """Check a run: each leaf at every instant, the calendar, and that nothing is lost."""
    case, scenario = drawn
    run = Watched(scenario)
    if run.schedule is None:
        return
    check_nothing_lost(run, len(case.jobs))
    check_losses(run.schedule, scenario.changes)
    if any(leaf.kind in QUEUED for leaf in leaves_of(case.tree)):
        check_calendar(run.schedule, scenario.changes).require()


@pytest.mark.parametrize("broker", BROKERS)
@few
@given(data=st.data())
def test_under_every_broker_of_sites_with_queues(broker, data):
    """Under brokers of all levels, at one level or several, nothing is held that is down or closed."""
    holds(data.draw(closed(cases(kinds=QUEUED, brokers=(broker,), policies=FORESEEN))))


@pytest.mark.parametrize("broker", [*IMMEDIATE, "mct", "ml", "mpl", "random"])
@few
@given(data=st.data())
def test_under_every_broker_of_time_shared_machines(broker, data):
    """The same where nobody waits but for a machine to come back."""
    holds(data.draw(closed(cases(kinds=("time-shared",), brokers=(broker,)))))


@check
@given(closed(cases(brokers=OF_SUMS)) | closed(cases(brokers=OF_SUMS, policies=PREEMPTIVE)))
def test_mixed_trees(drawn):
    """Leaves of all kinds side by side, also under policies that suspend jobs."""
    holds(drawn)


@pytest.mark.parametrize("name", [*PROTOCOLS, *DISPATCHERS])
@few
@given(data=st.data())
def test_under_every_protocol_and_dispatcher(name, data):
    """Protocols start jobs over closed nodes of no site, and dispatchers lose copies with their machines."""
    kinds = ("time-shared",) if name in DISPATCHERS else QUEUED

    def controlled(case, rng):
        tree = under_direct_control(case.tree, rng, (name,), (name,))
        options = {
            key: value for key, value in case.options.items() if tree.broker != name or key != "policy"
        }
        return replace(case, tree=tree, options=options)

    holds(data.draw(closed(cases(kinds=kinds, brokers=("ml",), estimates=("raise", "exact")), controlled)))


@pytest.mark.parametrize("rule", UPPER)
@few
@given(data=st.data())
def test_under_every_global_queue(rule, data):
    """Jobs that wait above sites of any kind start where they may."""
    limits = st.sampled_from(["unlimited", "0", "1"])
    settings = {"global_queue": rule, "queue_limit": data.draw(limits)}
    holds(
        data.draw(
            closed(cases(brokers=("ml", "round-robin", "first-fit"), policies=FORESEEN, depth=1, **settings))
        )
    )
