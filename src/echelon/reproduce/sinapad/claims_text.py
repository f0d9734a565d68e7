"""What the SINAPAD study claims elsewhere, C12 to C22: in its abstracts, reasons and conclusion.

Some of it says another thing than its results do; each sentence is judged as it is printed. The texts are
ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.reproduce.machinery.claims import Claims, Reason
from echelon.reproduce.machinery.statement import above_zero, alike, all_above_zero, mean_interval
from echelon.reproduce.sinapad.comparisons import below, below_everywhere
from echelon.reproduce.sinapad.evidence import Case, Paced
from echelon.reproduce.sinapad.experiments import STUDIED_JOBS, TESTED, TESTED_POLICIES
from echelon.reproduce.sinapad.setups import (
    EXECUTION,
    INTERLEAVED,
    MAKESPAN,
    MODES,
    POLICIES,
    REPLICATED,
    SCENARIOS,
    SIMULTANEOUS,
    SLOWEST,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.model.jobs.columns import FloatColumn
    from echelon.reproduce.machinery.claims import Statements
    from echelon.reproduce.sinapad.evidence import Evidence

CLAIMS: Claims[Evidence] = Claims()

UNCHANGED = 5.0
"""Percent up to which a pace is taken to make no difference."""

SAME_TIME = 10.0
"""Percent within which two decision times are about the same."""


@CLAIMS.states(
    "C12",
    "abstract and resumo",
    "policies that use information at hand, such as loads of processors, decide better than by chance",
)
def _loads_beat_chance(evidence: Evidence) -> Statements:
    for policy in ("CPULoad", "LotteryWithLoad", "WallTime"):
        for mode in MODES:
            yield below_everywhere(evidence.execution, policy, "Random", mode)


@CLAIMS.states("C13", "§ 4 and § 5", "RandomScheduler is the worst policy in general")
def _random_is_worst(evidence: Evidence) -> Statements:
    for policy in POLICIES:
        if policy != "Random":
            for mode in MODES:
                yield below_everywhere(evidence.execution, policy, "Random", mode)


@CLAIMS.states(
    "C14",
    "§ 4",
    "CPULoadScheduler is better than RandomScheduler only where jobs come at once (as printed; C6 reads "
    "it by its reasons)",
)
def _cpu_load_as_printed(evidence: Evidence) -> Statements:
    """Judge the sentence that C6 reads by its reasons as it is printed."""
    yield below_everywhere(evidence.execution, "CPULoad", "Random", SIMULTANEOUS)
    yield below_everywhere(evidence.execution, "Random", "CPULoad", INTERLEAVED)


@CLAIMS.states(
    "C15",
    "§ 5",
    "where the grid has less to do, CPULoadScheduler is better than LotterySchedulerWithLoad, though it "
    "knows nothing of how fast machines are",
)
def _cpu_load_beats_lottery(evidence: Evidence) -> Statements:
    for scenario in SCENARIOS:
        values = evidence.pair(scenario, INTERLEAVED, ("CPULoad", "LotteryWithLoad"))
        yield below((f"{scenario}: CPULoad", "LotteryWithLoad"), values)


@CLAIMS.states(
    "C16",
    "§ 5",
    "to draw lots hurts: LotterySchedulerWithLoad without the draw, which is WallTimeEstimatedScheduler, "
    "is better and varies less",
)
def _the_draw_hurts(evidence: Evidence) -> Statements:
    for what, of in (("mean execution, ", evidence.execution), ("deviation, ", evidence.deviation)):
        for mode in MODES:
            yield below_everywhere(of, "WallTime", "LotteryWithLoad", mode, what)


@CLAIMS.states(
    "C17",
    "§ 1",
    "with such policies execution times fall clearly, and machines are used more (against "
    "CPULoadScheduler, which SINAPAD had)",
)
def _machines_are_used_more(evidence: Evidence) -> Statements:
    """Compare makespans: the work is the same, so what is used of the machines goes with 1 / makespan."""
    for mode in MODES:
        shorter = _over_scenarios(evidence, mode, EXECUTION, lambda old, new: 100 * (1 - new / old))
        fuller = _over_scenarios(evidence, mode, MAKESPAN, lambda old, new: 100 * (old / new - 1))
        yield above_zero(
            f"{mode}: WallTime's execution times are {mean_interval(shorter).text(' %', 1)} shorter than "
            "CPULoad's, mean of all scenarios",
            shorter,
        )
        yield above_zero(
            f"{mode}: until the last job ends machines are used {mean_interval(fuller).text(' %', 1)} more",
            fuller,
        )


def _over_scenarios(
    evidence: Evidence, mode: str, column: int, change: Callable[[FloatColumn, FloatColumn], FloatColumn]
) -> FloatColumn:
    changes = [
        change(*(evidence.study[Case(name, mode, policy)][:, column] for policy in ("CPULoad", "WallTime")))
        for name in SCENARIOS
    ]
    means: FloatColumn = np.mean(changes, axis=0)
    return means


@CLAIMS.states("C18", "§ 4", "where jobs come one by one, how long decisions take makes no difference")
def _pace_is_nothing_one_by_one(evidence: Evidence) -> Statements:
    fastest = POLICIES["Random"][1]
    for scenario in TESTED:
        for policy in TESTED_POLICIES:
            slow, fast = (
                evidence.paced[Paced(scenario, policy, pace, INTERLEAVED)][:, EXECUTION]
                for pace in (SLOWEST, fastest)
            )
            names = f"{scenario}, {policy}: execution at {SLOWEST:g} s a decision", f"that at {fastest:g} s"
            yield alike(names, (slow, fast), UNCHANGED)


@CLAIMS.states(
    "C19",
    "§ 4, table 2",
    "CPULoadScheduler and RandomScheduler take about the same time to decide and are fastest, "
    "WallTimeEstimatedScheduler is last but one, LotterySchedulerWithLoad last (theirs ask ten "
    "components on other machines; judged by our rules alone, which ask no component)",
)
def decisions_in_order(evidence: Evidence) -> Statements:
    """Of rules alone, timed again and again."""
    cost = {name: costs.rule for name, costs in evidence.cost.items()}
    slow, slowest = cost["WallTime"], cost["LotteryWithLoad"]
    others = [cost[name] for name in ("Random", "CPULoad", "Lottery")]
    shown = ", ".join(f"{name} {mean_interval(values).text(digits=1)}" for name, values in cost.items())
    yield all_above_zero(
        f"WallTime is last but one, LotteryWithLoad last (in microseconds {shown})",
        [slowest - slow, *(slow - other for other in others)],
    )
    fast = cost["Random"], cost["CPULoad"]
    rest = [values for name, values in cost.items() if name not in ("Random", "CPULoad")]
    yield all_above_zero(
        "Random and CPULoad are the fastest two", [other - one for one in fast for other in rest]
    )
    yield alike(("Random", "CPULoad"), fast, SAME_TIME)


@CLAIMS.states(
    "C20",
    "abstract",
    "the policy that performs best has the largest decision time (the resumo: one of the largest; judged by "
    "our rules alone, which ask no component)",
)
def best_is_slowest(evidence: Evidence) -> Statements:
    """Both abstracts, of rules alone."""
    cost = {name: costs.rule for name, costs in evidence.cost.items()}
    ours, theirs = cost["WallTime"], cost["LotteryWithLoad"]
    shown = " and ".join(
        f"{name} {mean_interval(cost[name]).text(digits=1)}" for name in ("WallTime", "LotteryWithLoad")
    )
    yield above_zero(f"the largest: {shown} microseconds", ours - theirs)
    yield all_above_zero(
        "one of the largest: above Random, CPULoad and Lottery",
        [ours - cost[name] for name in ("Random", "CPULoad", "Lottery")],
    )


@CLAIMS.states("C21", "§ 3", "to replicate jobs, as WQR does, takes more of the machines")
def _replication_costs(evidence: Evidence) -> Statements:
    for (jobs, scenario, mode, rule), table in evidence.extended.items():
        if jobs == STUDIED_JOBS and rule == "WQR":
            wasted = 100 * table[:, REPLICATED]
            yield above_zero(
                f"{mode} {scenario}: {mean_interval(wasted).text(' %', 1)} of work is wasted", wasted
            )


@CLAIMS.states(
    "C22",
    "§ 3",
    "to estimate the run time of each application, as MCT, MET, Sufferage, Min-Min and Dynamic FPLTF do, "
    "is hard and costly",
)
def estimates_are_costly(_: Evidence) -> Reason:
    """Its experiment does not test it."""
    return Reason(
        "run times are given here to the heuristics that need them, at no cost; what they gain by that is in "
        "the tables of other rules"
    )
