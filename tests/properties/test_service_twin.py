"""A service over simulated clusters schedules as a simulation does, to the last bit."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st

import echelon as ec
from budgets import examples
from echelon.engine.reference import simulate
from echelon.errors import InputError, PolicyError
from echelon.experiments.scenario import scenario_of
from echelon.service.accepted_rules import served_rules
from echelon.service.rules import ClusterRules, Rules
from echelon.service.twin.twin_run import run_twin

sys.path.insert(0, str(Path(__file__).parent))
from trees_of_sites import OF_SUMS

few = examples(5, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])

ORDERS = ("fcfs", "shortest-first", "largest-first", "random", "wfp3")
LOCAL = (
    *(f"{fill}{order}" for fill in ("", "first-fit:", "easy:", "conservative:") for order in ORDERS[:4]),
    "easy:wfp3", "plan", "selective", "slack", "relaxed", "easy:reservations=2", "easy:fit=best-fit",
)  # fmt: skip
FORESEEN = LOCAL[:16]
"""Policies of clusters whose queues can be foreseen, which brokers of level 4 need."""

SERVED = served_rules()
BROKERS = [one.name for one in SERVED if one.kind == "broker" and not one.why_not]
QUEUES = [one.name for one in SERVED if one.kind == "global queue" and not one.why_not]


@st.composite
def jobs(draw, most=24):
    """Return a workload of jobs on clusters of up to 8 processors; many come and end at once."""
    count = draw(st.integers(1, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    submit = np.sort(rng.integers(0, draw(st.sampled_from((1, 10, 60))), count))
    run = rng.integers(1, 20, count)
    requested = np.maximum(1, run + rng.choice([-3, 0, 0, 5, 40], count))
    # Sums of these are not exact: their last bits depend on the order of everything.
    if draw(st.booleans()):
        submit, run, requested = submit / 10, run / 10, requested / 10
    return ec.Workload.from_columns(
        submit_time=submit, run_time=run, requested_time=requested, processors=rng.integers(1, 9, count)
    )


@st.composite
def chained(draw):
    """Return a workload some jobs of which follow up to two others."""
    table = draw(jobs())
    edges = [
        (before, after)
        for after in range(1, len(table))
        for before in draw(st.sets(st.integers(0, after - 1), max_size=2))
    ]
    return table.with_dependencies(*zip(*edges, strict=True)) if edges else table


@st.composite
def cases(draw, words, policies=LOCAL, tables=None):
    """Return a scenario, its simulated schedule, and the rules that a service has for it."""
    local = draw(st.lists(st.sampled_from(policies), min_size=1, max_size=5))
    sizes = [draw(st.integers(1, 8)) for _ in local]
    sites = tuple(
        ec.Site(f"c{number}", size, policy=policy)
        for number, (size, policy) in enumerate(zip(sizes, local, strict=True))
    )
    settings_ = draw(words) | {"seed": draw(st.integers(0, 3))}
    rules = Rules(tuple(ClusterRules(site.name, policy=site.policy) for site in sites), **settings_)
    try:
        scenario = scenario_of(
            draw(jobs() if tables is None else tables),
            platform=ec.Platform(sites),
            estimates=draw(st.sampled_from(("kill", "raise", "exact"))),
            **rules.settings,
        )
        return scenario, simulate(scenario), rules
    except (InputError, PolicyError):
        assume(False)


def decided(schedule):
    """Return which jobs a run has, and where and when each ran."""
    starts, ends = schedule.start_time.tolist(), schedule.end_time.tolist()
    return schedule.instance.kept.tolist(), starts, ends, schedule.site.tolist()


def check_same(case):
    scenario, simulated, rules = case
    assert decided(run_twin(scenario, rules).schedule) == decided(simulated)


@pytest.mark.parametrize("broker", BROKERS)
@few
@given(data=st.data())
def test_every_broker_of_a_service_decides_as_in_a_simulation(broker, data):
    """Every broker that a service accepts sends each job where and when the simulation does."""
    check_same(data.draw(cases(st.just({"broker": broker}), LOCAL if broker in OF_SUMS else FORESEEN)))


MORE = st.fixed_dictionaries(
    {"broker": st.sampled_from(BROKERS), "queue_limit": st.sampled_from(("1", "2", "held:3", "stable"))},
    optional={
        "longest_stay": st.sampled_from((5.0, 15.0)),
        "decision_time": st.just(3.0),
        "refresh": st.just(5.0),
        "site_filter": st.just("not-running:same"),
    },
)


@pytest.mark.parametrize("queue", QUEUES)
@few
@given(data=st.data())
def test_every_global_queue_of_a_service_decides_as_in_a_simulation(queue, data):
    """Every global queue that a service accepts does so, with limits, stays, slow decisions and filters."""
    words = MORE.map(lambda said: said | {"global_queue": queue})
    check_same(data.draw(cases(words, FORESEEN)))


@few
@given(st.data())
def test_jobs_that_follow_others_come_when_these_have_ended(data):
    """Dependencies of jobs release them at the same instants and in the same order."""
    broker = data.draw(st.sampled_from(BROKERS))
    check_same(data.draw(cases(st.just({"broker": broker}), FORESEEN, chained())))


PREEMPTIVE = ("round-robin:quantum=3", "srtf", "preemptive-priority:shortest-first")


@few
@given(st.data())
def test_clusters_that_suspend_jobs_are_followed(data):
    """Where local policies suspend and resume jobs, brokers decide as in a simulation."""
    broker = data.draw(st.sampled_from([one for one in BROKERS if one in OF_SUMS]))
    check_same(data.draw(cases(st.just({"broker": broker}), PREEMPTIVE)))
