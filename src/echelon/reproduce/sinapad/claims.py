"""What the SINAPAD study claims of its results, C1 to C11, each judged by computation.

A claim is cut into statements, one a scenario and way of submission where it is of all of them. That one
policy is better than another is settled by the interval of the difference, seed by seed with common random
numbers, under every order of machines (`whatever_order`). The texts are ours.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from echelon.reproduce.machinery.claims import Claims, Reason, Untested
from echelon.reproduce.machinery.statement import above_zero, alike, all_above_zero, mean_interval
from echelon.reproduce.sinapad import claims_text
from echelon.reproduce.sinapad.comparisons import below, never_beaten, second_best
from echelon.reproduce.sinapad.evidence import Case, Paced
from echelon.reproduce.sinapad.experiments import PACES, TESTED, TESTED_POLICIES
from echelon.reproduce.sinapad.machine_orders import ANY_ORDER, ORDERS, whatever_order
from echelon.reproduce.sinapad.setups import (
    EXECUTION,
    INTERLEAVED,
    MODES,
    POLICIES,
    SCENARIOS,
    SIMULTANEOUS,
    SLOWEST,
    TO_SLOWEST,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from echelon.model.jobs.columns import FloatColumn
    from echelon.reproduce.machinery.claims import Claim, Statements
    from echelon.reproduce.machinery.statement import Statement
    from echelon.reproduce.sinapad.comparisons import Of
    from echelon.reproduce.sinapad.evidence import Evidence

UNEVEN = tuple(name for name, heterogeneity in SCENARIOS.items() if heterogeneity != "none")
CONTRASTED = ("RAU", "RAB")
"""Scenarios in which load makes a great difference to lotteries, when jobs come one by one."""

ALIKE = 10.0
"""Percent within which the study calls two policies similar."""


CLAIMS: Claims[Evidence] = Claims(claims_text.CLAIMS)


def judge_claims(evidence: Evidence) -> list[Claim]:
    """Return every claim with its verdict and our numbers, whatever the order of machines."""
    statements_by_claim = statements(evidence)
    return [
        stated.judge_by(whatever_order(statements_by_claim[stated.name]))
        if stated.name in statements_by_claim
        else stated.judge(evidence)
        for stated in CLAIMS
    ]


def judge_by_order(evidence: Evidence) -> dict[str, list[Claim]]:
    """Return every claim by its name as each order of machines alone would have it judged."""
    statements_by_claim = statements(evidence)
    return {
        stated.name: [stated.judge_by(statements_by_claim[stated.name][order]) for order in ORDERS]
        for stated in CLAIMS
        if stated.name in statements_by_claim
    }


@lru_cache(maxsize=1)
def statements(evidence: Evidence) -> dict[str, Mapping[str, list[Statement]]]:
    """Return the statements of each claim that has any by its name, under each order of machines.

    Kept for the evidence asked for last, since claims and tables are made from the same ones.
    """
    under = {order: evidence.with_order(order) for order in ORDERS}
    checked = {stated.name: {order: stated.check(view) for order, view in under.items()} for stated in CLAIMS}
    return {
        name: {order: list(one) for order, one in judgments.items() if not isinstance(one, Reason | Untested)}
        for name, judgments in checked.items()
        if not isinstance(judgments[ANY_ORDER], Reason | Untested)
    }


@CLAIMS.states(
    "C1",
    "§ 4, figures 3 and 4",
    "WallTimeEstimatedScheduler has the best mean execution time, however jobs are submitted",
)
def _wall_time_is_best(evidence: Evidence) -> Statements:
    return _everywhere(evidence.execution)


@CLAIMS.states(
    "C2",
    "§ 4, figures 3 and 4",
    "WallTimeEstimatedScheduler has the least standard deviation of execution times in all scenarios",
)
def _wall_time_varies_least(evidence: Evidence) -> Statements:
    return _everywhere(evidence.deviation)


def _everywhere(of: Of) -> Iterator[Statement]:
    for mode in MODES:
        for scenario in SCENARIOS:
            yield never_beaten(of, "WallTime", scenario, mode)


@CLAIMS.states(
    "C3", "§ 4, figure 3", "of jobs submitted at once, LotterySchedulerWithLoad comes nearest to it"
)
def _lottery_with_load_is_second(evidence: Evidence) -> Statements:
    for scenario in SCENARIOS:
        yield second_best(evidence.execution, "LotteryWithLoad", scenario, SIMULTANEOUS)


@CLAIMS.states(
    "C4", "§ 4, figure 3", "of jobs submitted at once, the distance of these two grows with heterogeneity"
)
def gap_grows(evidence: Evidence) -> Statements:
    """From degree to degree of Table 1, in seconds, as a picture shows it, and in percent."""
    best, other = (
        {name: evidence.execution(name, SIMULTANEOUS, policy) for name in SCENARIOS}
        for policy in ("WallTime", "LotteryWithLoad")
    )
    yield from _growth({name: other[name] - best[name] for name in SCENARIOS}, " s")
    yield from _growth({name: 100 * (1 - best[name] / other[name]) for name in SCENARIOS}, " %")


def _growth(gaps: Mapping[str, FloatColumn], unit: str) -> Iterator[Statement]:
    groups = {
        kind: np.mean([gaps[name] for name, degree in SCENARIOS.items() if degree == kind], axis=0)
        for kind in ("none", "low", "high")
    }
    apart = " % points" if unit == " %" else unit
    for less, more in pairwise(groups):
        ends = " to ".join(f"{groups[kind].mean():.1f}{unit}" for kind in (less, more))
        growth = groups[more] - groups[less]
        text = f"from {less} to {more}: from {ends}, by {mean_interval(growth).text(apart, 1)}"
        yield above_zero(text, growth)


@CLAIMS.states("C5", "§ 4, figure 4", "of jobs submitted one by one, CPULoadScheduler is second best")
def _cpu_load_is_second(evidence: Evidence) -> Statements:
    for scenario in SCENARIOS:
        yield second_best(evidence.execution, "CPULoad", scenario, INTERLEAVED)


@CLAIMS.states(
    "C6",
    "§ 4, figures 3 and 4",
    "loads that are 15 s old make CPULoadScheduler bad where jobs come at once: it is better than "
    "RandomScheduler only where they come one by one (the text says: only where they come at once; it is "
    "read by its reasons)",
)
def stale_loads_hurt(evidence: Evidence) -> Statements:
    """C6, as its reasons have it: the sentence itself names the other way of submission."""
    for mode, names in ((INTERLEAVED, ("CPULoad", "Random")), (SIMULTANEOUS, ("Random", "CPULoad"))):
        for scenario in SCENARIOS:
            text = f"{mode} {scenario}: {names[0]}", names[1]
            yield below(text, evidence.pair(scenario, mode, names))


@CLAIMS.states(
    "C7", "§ 4", "LotteryScheduler is like RandomScheduler on equal machines, and better on unequal ones"
)
def _lottery_by_heterogeneity(evidence: Evidence) -> Statements:
    for mode in MODES:
        for scenario in SCENARIOS:
            values = evidence.pair(scenario, mode, ("Lottery", "Random"))
            names = f"{mode} {scenario}: Lottery", "Random"
            yield below(names, values) if scenario in UNEVEN else alike(names, values, ALIKE)


@CLAIMS.states(
    "C8",
    "§ 4",
    "LotterySchedulerWithLoad is better than LotteryScheduler, above all in RAU and RAB one by one",
)
def _load_helps_lotteries(evidence: Evidence) -> Statements:
    gaps = {}
    for mode in MODES:
        for scenario in SCENARIOS:
            ours, theirs = evidence.pair(scenario, mode, ("LotteryWithLoad", "Lottery"))
            gaps[mode, scenario] = 100 * (1 - ours / theirs)
            statement = below((f"{mode} {scenario}: LotteryWithLoad", "Lottery"), (ours, theirs))
            yield replace(statement, text=statement.text + _to_the_slowest(evidence, scenario, mode))
    yield _contrast(gaps)


def _to_the_slowest(evidence: Evidence, scenario: str, mode: str) -> str:
    """Return why load may hurt a lottery: how many jobs it sends to the slowest machines because of it."""
    if scenario not in UNEVEN:
        return ""
    ours, theirs = (
        100 * float(evidence.study[Case(scenario, mode, policy)][:, TO_SLOWEST].mean())
        for policy in ("LotteryWithLoad", "Lottery")
    )
    return f", with {ours:.0f} % of jobs sent to the slowest machines instead of {theirs:.0f} %"


def _contrast(gaps: Mapping[tuple[str, str], FloatColumn]) -> Statement:
    there = {(INTERLEAVED, name) for name in CONTRASTED}
    rest = [values for key, values in gaps.items() if key not in there]
    more = np.mean([gaps[key] for key in sorted(there)], axis=0) - np.mean(rest, axis=0)
    text = (
        f"{INTERLEAVED}: in RAU and RAB the difference is {mean_interval(more).text(' % points', 1)} larger"
    )
    return above_zero(f"{text} than elsewhere", more)


@CLAIMS.states("C9", "§ 3, § 4 and § 5", "RandomScheduler is tolerable on equal machines alone")
def random_needs_equal_machines(evidence: Evidence) -> Statements:
    """Of how many times WallTime's execution times it comes to."""
    for mode in MODES:
        times = {
            scenario: evidence.execution(scenario, mode, "Random")
            / evidence.execution(scenario, mode, "WallTime")
            for scenario in SCENARIOS
        }
        for name in UNEVEN:
            more = times[name] - times["RH"]
            text = f"Random takes {times[name].mean():.2f} times as long as WallTime"
            yield above_zero(f"{mode} {name}: {text}, {mean_interval(more).text()} more than in RH", more)


@CLAIMS.states(
    "C10", "§ 4, table 2", "estimating loads makes decisions slower, which is repaid in execution time"
)
def _loads_cost_time(evidence: Evidence) -> Statements:
    cost = {name: costs.rule for name, costs in evidence.cost.items()}
    shown = ", ".join(f"{name} {values.mean():.1f}" for name, values in cost.items())
    yield all_above_zero(
        f"our rules alone in microseconds: {shown}; WallTime and LotteryWithLoad, which estimate loads, are "
        "slowest",
        [
            cost[slow] - cost[fast]
            for slow in ("WallTime", "LotteryWithLoad")
            for fast in ("Random", "CPULoad", "Lottery")
        ],
    )
    later = 40 * (POLICIES["WallTime"][1] - POLICIES["CPULoad"][1])
    for mode in MODES:
        gains = [
            evidence.execution(name, mode, "CPULoad") - evidence.execution(name, mode, "WallTime")
            for name in SCENARIOS
        ]
        gain = np.mean(gains, axis=0)
        yield above_zero(
            f"{mode}: against CPULoad WallTime saves {mean_interval(gain).text(' s', 1)} of execution a job, "
            f"mean of all scenarios; by Table 2 forty of its decisions take {later:.1f} s longer",
            gain - (later if mode == SIMULTANEOUS else later / 40),
        )


@CLAIMS.states(
    "C11",
    "§ 4",
    "slower decisions shorten execution times of jobs submitted at once, so that policies have to be "
    "compared at the same pace",
)
def _slower_is_faster(evidence: Evidence) -> Statements:

    def took(scenario: str, policy: str, pace: float) -> FloatColumn:
        return evidence.paced[Paced(scenario, policy, pace)][:, EXECUTION]

    fastest = POLICIES["Random"][1]
    for scenario in TESTED:
        yield below(
            (f"{scenario}: Random at {SLOWEST:g} s a decision", f"what it is at its own {fastest:g} s"),
            (took(scenario, "Random", SLOWEST), took(scenario, "Random", fastest)),
        )
        for policy in TESTED_POLICIES:
            times = [took(scenario, policy, pace) for pace in PACES]
            shown = ", ".join(
                f"{pace:g} s: {values.mean():.1f}" for pace, values in zip(PACES, times, strict=True)
            )
            falls = -_slope(times)
            yield above_zero(
                f"{scenario}, {policy}: for each second more a decision execution times fall by "
                f"{mean_interval(falls).text(' s', 1)} (by pace {shown})",
                falls,
            )


def _slope(times: list[FloatColumn]) -> FloatColumn:
    """Return the slope of the line of least squares through execution times by pace, seed by seed."""
    apart = np.array(PACES) - np.mean(PACES)
    slope: FloatColumn = apart @ np.array(times) / (apart @ apart)
    return slope
