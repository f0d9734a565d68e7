"""Check a policy: whether it keeps the rules, on small workloads and whenever it is asked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.compiled import supports
from echelon.engine.contract import PASSES, Scenario
from echelon.engine.reference import simulate
from echelon.errors import EchelonError
from echelon.model import Instance, Schedule
from echelon.policies import NoBackfill, Policy, policy
from echelon.testing.finding import Check, Finding
from echelon.testing.workloads import CASES, crowd

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from echelon.model import Workload
    from echelon.model.columns import FloatColumn, IntColumn
    from echelon.policies import Order
    from echelon.policies.contract import Scheduler

_CROWDS = 3
_ROUNDING = 1e-9


def check_policy(
    given: str | Order | Scheduler | Policy,
    *,
    seed: int = 0,
    workloads: Sequence[tuple[Workload, int]] | None = None,
) -> Check:
    """Check a policy in the reference engine, on small workloads under every rule of passes.

    Parameters
    ----------
    given : str, Order, Scheduler or Policy
        Words (``"easy:shortest-first"``, ``"my.py:rule"``) or the policy itself.
    seed : int, default 0
        Of the crowds of jobs and of the runs; equal seeds check the same.
    workloads : sequence of (Workload, int), optional
        Workloads, each with the processors of its machine, in place of Echelon's own tiny ones and crowds.

    Returns
    -------
    Check
        What was found. A policy that breaks a rule is a finding, not an exception.

    Raises
    ------
    InputError, UnknownNameError
        If `given` names no policy, or its file can not be loaded.

    Notes
    -----
    Looked at: an order's keys are finite; every run comes to its end without a forbidden decision; no
    more processors than the machine has; no start before submission; preempted jobs get their whole run
    time; the same seed gives the same schedule; other job numbers give the same schedule. As notes: twice
    the time everywhere gives twice the start and end times (a rule that holds seconds of its own need
    not), and whether the compiled engine can run the policy.

    Cost: some hundred simulations of up to 100 jobs; a second or less for most policies.
    """
    checked = policy(given)
    pairs = _own_workloads(seed) if workloads is None else workloads
    instances = [Instance.of(workload, processors) for workload, processors in pairs]
    scenarios = [
        Scenario(instance, checked, passes=passes, seed=seed) for instance in instances for passes in PASSES
    ]
    return Check("policy", checked.name, tuple(_findings(scenarios)))


def _own_workloads(seed: int) -> list[tuple[Workload, int]]:
    crowds = [crowd(_CROWDS * seed + k, processors=4**k + 3) for k in range(_CROWDS)]
    return [(tiny.workload, tiny.processors) for tiny in (*CASES, *crowds)]


def _findings(scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    first = scenarios[0]
    # Beside a backfilling that is known to be right, whatever fails is the order's fault.
    alone = Policy.of(first.policy.order, NoBackfill())
    ran = [_run(replace(scenario, policy=alone)) for scenario in scenarios]
    yield _all("keys", ran, "the order's keys are finite numbers")
    if any(isinstance(outcome, str) for outcome in ran):
        return
    ran = [_run(scenario) for scenario in scenarios]
    yield _all("runs", ran, "comes to its end without a forbidden decision")
    schedules = [outcome for outcome in ran if isinstance(outcome, Schedule)]
    if len(schedules) < len(ran):
        return
    yield _all("capacity", map(_over_capacity, schedules), "never more processors than there are")
    yield _all("submissions", map(_before_submission, schedules), "no start before submission")
    if any(schedule.segments is not None for schedule in schedules):
        yield _all("work", map(_lost_work, schedules), "preempted jobs get their whole run time")
    for name, change, factor, sentence in (
        ("same seed", _same, 1.0, "the same seed gives the same schedule"),
        ("job numbers", _renumbered, 1.0, "other job numbers change nothing"),
        ("scale", _doubled, 2.0, "twice the time everywhere gives twice the start times"),
    ):
        differences = [
            _difference(schedule, _run(change(scenario)), factor)
            for scenario, schedule in zip(scenarios, schedules, strict=True)
        ]
        yield _all(name, differences, sentence, required=name != "scale")
    reason = supports(first)
    yield Finding("compiled engine", reason is None, reason or "can run it", required=False)


def _all(
    name: str, outcomes: Iterable[Schedule | str | None], holds: str, *, required: bool = True
) -> Finding:
    """Return what was found of a thing looked at in many runs; an outcome that is a text is a fault."""
    seen = list(outcomes)
    faults = [outcome for outcome in seen if isinstance(outcome, str)]
    if faults:
        more = f" (and in {len(faults) - 1} more of {len(seen)} runs)" if len(faults) > 1 else ""
        return Finding(name, False, faults[0] + more, required)
    return Finding(name, True, f"{holds}, in {len(seen)} runs", required)


def _run(scenario: Scenario) -> Schedule | str:
    """Return the schedule, or what went wrong."""
    try:
        return simulate(scenario)
    except EchelonError as error:
        return f"{scenario.instance.workload.name}, passes {scenario.passes}: {error}"


def _over_capacity(schedule: Schedule) -> str | None:
    peak, there = schedule.peak_processors, schedule.instance.processors
    where = schedule.instance.workload.name
    return f"{where}: {peak} processors in use, but there are {there}" if peak > there else None


def _lost_work(schedule: Schedule) -> str | None:
    run = schedule.instance.run_time
    short = np.flatnonzero(schedule.held_time < run * (1 - _ROUNDING))
    if not len(short):
        return None
    first = int(short[0])
    held = schedule.held_time[first]
    return f"{_where(schedule, first)} runs {run[first]:g} s, but held processors for {held:g} s"


def _before_submission(schedule: Schedule) -> str | None:
    early = np.flatnonzero(schedule.wait_time < 0)
    return f"{_where(schedule, int(early[0]))} starts before its submission" if len(early) else None


def _difference(schedule: Schedule, again: Schedule | str, factor: float) -> str | None:
    if isinstance(again, str):
        return again
    for event, before, after in (
        ("starts", schedule.start_time, again.start_time),
        ("ends", schedule.end_time, again.end_time),
    ):
        if len(moved := np.flatnonzero(after != factor * before)):
            first = int(moved[0])
            return f"{_where(schedule, first)} {event} at {before[first]:g} s, but then at {after[first]:g} s"
    return None


def _where(schedule: Schedule, position: int) -> str:
    return f"{schedule.instance.workload.name}: job {schedule.instance.label(position)}"


def _same(scenario: Scenario) -> Scenario:
    return scenario


def _renumbered(scenario: Scenario) -> Scenario:
    """Return `scenario` with its jobs' numbers drawn anew."""
    ids = scenario.instance.workload.job_id
    numbers = np.random.default_rng(scenario.seed).permutation(len(ids)) + ids.max() + 1
    return _with_columns(scenario, job_id=numbers)


def _doubled(scenario: Scenario) -> Scenario:
    """Return `scenario` with every time doubled; unknown requests stay unknown."""
    workload = scenario.instance.workload
    request = workload.requested_time
    return _with_columns(
        scenario,
        submit_time=2 * workload.submit_time,
        run_time=2 * workload.run_time,
        requested_time=np.where(request > 0, 2 * request, request),
    )


def _with_columns(scenario: Scenario, **columns: IntColumn | FloatColumn) -> Scenario:
    old = scenario.instance
    changed = Instance.of(old.workload.with_columns(**columns), old.processors, estimates=old.estimates)
    return replace(scenario, instance=changed)
