"""Check a policy: whether it satisfies the contract of policies, on small workloads."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.contract import CYCLES, Scenario
from echelon.model import Instance, Schedule
from echelon.policies import BACKFILLS, PREEMPTIVE, NoBackfill, Policy, policy
from echelon.testing.checks.check_capabilities import check_capabilities, find_misdeclaration
from echelon.testing.finding import Check, Finding
from echelon.testing.runs import (
    compiled_engine,
    differences,
    double_times,
    finding_of,
    renumber,
    run_all,
    where,
)
from echelon.testing.workloads import small_instances

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.model import Workload
    from echelon.policies import Order
    from echelon.policies.contract import Scheduler

_ROUNDING = 1e-9


def check_policy(
    rule: str | Order | Scheduler | Policy,
    *,
    seed: int = 0,
    workloads: Sequence[tuple[Workload, int]] | None = None,
) -> Check:
    """Check a policy in the reference engine, on small workloads under every value of `cycles`.

    Parameters
    ----------
    rule : str, Order, Scheduler or Policy
        A spec (``"easy:shortest-first"``, ``"my.py:rule"``) or the policy itself.
    seed : int, default 0
        Seed of the crowds of jobs and of the runs; equal seeds check the same.
    workloads : sequence of (Workload, int), optional
        Workloads, each with the processors of its machine, in place of Echelon's own tiny ones and crowds.

    Returns
    -------
    Check
        The findings. A violation is a finding, not an exception.

    Raises
    ------
    InputError, UnknownNameError
        If `rule` is not a policy, or its file cannot be loaded.

    Notes
    -----
    Checked: an order's keys are finite; every run ends without a forbidden decision; jobs never use more
    processors than the machine has; no start before submission; preempted jobs get their whole run time; the
    same seed gives the same schedule; other job numbers give the same schedule; nothing contradicts the
    declared `Capabilities`. Notes: whether doubling all times doubles start and end times (not for a rule
    with times of its own), whether it preempts without declaring it, and whether the compiled engine can run
    the policy.

    Cost: some hundred simulations of up to 100 jobs; a second or less for most policies.
    """
    checked = policy(rule)
    if workloads is None:
        instances = small_instances(seed)
    else:
        instances = [Instance.of(workload, processors) for workload, processors in workloads]
    scenarios = [
        Scenario(instance, checked, cycles=cycles, seed=seed) for instance in instances for cycles in CYCLES
    ]
    return Check("policy", checked.name, tuple(_findings(scenarios)))


def _findings(scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    first = scenarios[0]
    # With a correct backfilling, every failure is the order's fault.
    alone = Policy.of(first.policy.order, NoBackfill())
    alone_runs = [replace(scenario, policy=alone) for scenario in scenarios]
    if not (yield from run_all("keys", alone_runs, "the order's keys are finite numbers")):
        return
    if (fault := find_misdeclaration(first.policy.scheduler)) is not None:
        yield fault
        return
    schedules = yield from run_all("runs", scenarios, "ends without a forbidden decision")
    if not schedules:
        return
    yield finding_of("capacity", map(_over_capacity, schedules), "never uses more processors than there are")
    yield finding_of("submissions", map(_before_submission, schedules), "no start before submission")
    if any(schedule.interrupted for schedule in schedules):
        yield finding_of("work", map(_lost_work, schedules), "preempted jobs get their whole run time")
    for name, again, factor, sentence in (
        ("same seed", scenarios, 1.0, "the same seed gives the same schedule"),
        ("job numbers", map(renumber, scenarios), 1.0, "other job numbers change nothing"),
        ("scale", map(double_times, scenarios), 2.0, "doubling all times doubles the start times"),
    ):
        deviations = differences(schedules, list(again), factor)
        yield finding_of(name, deviations, sentence, required=name != "scale")
    # An order is checked with a built-in scheduler, which needs no check.
    if type(first.policy.scheduler) not in (*BACKFILLS, *PREEMPTIVE):
        declared = list(check_capabilities(scenarios))
        yield from declared
        if any(finding.required and not finding.passed for finding in declared):
            return
    yield compiled_engine(first)


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
    return f"{where(schedule, first)} runs {run[first]:g} s, but held processors for {held:g} s"


def _before_submission(schedule: Schedule) -> str | None:
    early = np.flatnonzero(schedule.response_time < 0)
    return f"{where(schedule, int(early[0]))} starts before its submission" if len(early) else None
