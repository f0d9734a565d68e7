"""What the SINAPAD study claims of its results, C1 to C11, each judged by computation.

A claim is cut into statements; it holds if all of them do. That one policy is better than another is so if
the 95 % interval of the difference, seed by seed with common random numbers, leaves no doubt; that it is not,
if its opposite stands although so many statements are tested. The texts are ours.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from echelon.reproduce.claim import Claim
from echelon.reproduce.parts import Part, against, measured, settled
from echelon.reproduce.sinapad.claims_text import STATED_ELSEWHERE
from echelon.reproduce.sinapad.evidence import Paced
from echelon.reproduce.sinapad.experiments import PACES, TESTED, TESTED_POLICIES
from echelon.reproduce.sinapad.orders import below, clearly, least_sure, same, saved, way
from echelon.reproduce.sinapad.setups import (
    EXECUTION,
    INTERLEAVED,
    MODES,
    POLICIES,
    SCENARIOS,
    SIMULTANEOUS,
    SLOWEST,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from echelon.model.columns import FloatColumn
    from echelon.reproduce.claim import Verdict
    from echelon.reproduce.sinapad.evidence import Evidence

    Judged = tuple[Verdict, str]
    Of = Callable[[str, str, str], FloatColumn]

UNEVEN = tuple(name for name, heterogeneity in SCENARIOS.items() if heterogeneity != "none")
CONTRASTED = ("RAU", "RAB")
"""Scenarios in which load makes a great difference to lotteries, when jobs come one by one."""

ALIKE = 10.0
"""Percent within which the study calls two policies similar."""


def judged(evidence: Evidence) -> list[Claim]:
    """Return every claim with its verdict and our numbers, by number."""
    claims = []
    for name, where, text, check in (*_STATED, *STATED_ELSEWHERE):
        verdict, finding = check(evidence)
        claims.append(Claim(name, text, where, verdict, f"{finding}."))
    return claims


def _never_beaten(of: Of, policy: str, scenario: str, mode: str) -> Part:
    """Return whether this policy is lower than every other one, or the same in every repetition."""
    ours = of(scenario, mode, policy)
    gaps = {name: of(scenario, mode, name) - ours for name in POLICIES if name != policy}
    better = [
        f"{name} by {saved(of(scenario, mode, name), ours).text(' %', 1)}"
        for name, gap in gaps.items()
        if measured(gap).high < 0
    ]
    nearest = least_sure(gaps)
    differ = [gap for gap in gaps.values() if not same(gap)]
    said = (
        f"the same as {nearest}" if same(gaps[nearest]) else way(ours, of(scenario, mode, nearest), nearest)
    )
    return Part(
        f"{mode} {scenario}: beaten by {', '.join(better)}" if better else f"{mode} {scenario}: {said}",
        *clearly(differ),
    )


def wall_time_is_best(evidence: Evidence) -> Judged:
    """C1."""
    return settled(_everywhere(evidence.execution))


def wall_time_varies_least(evidence: Evidence) -> Judged:
    """C2."""
    return settled(_everywhere(evidence.deviation))


def _everywhere(of: Of) -> Iterator[Part]:
    for mode in MODES:
        for scenario in SCENARIOS:
            yield _never_beaten(of, "WallTime", scenario, mode)


def _second(evidence: Evidence, policy: str, mode: str) -> Iterator[Part]:
    """Yield for each scenario whether a policy is lower than all but the best one."""
    for scenario in SCENARIOS:
        ours = evidence.execution(scenario, mode, policy)
        others = [name for name in POLICIES if name not in (policy, "WallTime")]
        gaps = {name: evidence.execution(scenario, mode, name) - ours for name in others}
        least = least_sure(gaps)
        text = way(ours, evidence.execution(scenario, mode, least), least)
        yield Part(f"{scenario}: {text}", *clearly(gaps.values()))


def lottery_with_load_is_second(evidence: Evidence) -> Judged:
    """C3."""
    return settled(_second(evidence, "LotteryWithLoad", SIMULTANEOUS))


def gap_grows(evidence: Evidence) -> Judged:
    """C4."""
    gaps = {
        scenario: 100
        * (
            1
            - evidence.execution(scenario, SIMULTANEOUS, "WallTime")
            / evidence.execution(scenario, SIMULTANEOUS, "LotteryWithLoad")
        )
        for scenario in SCENARIOS
    }
    groups = {
        kind: np.mean([gaps[name] for name, degree in SCENARIOS.items() if degree == kind], axis=0)
        for kind in ("none", "low", "high")
    }
    said = ", ".join(f"{kind} {measured(values).text(' %', 1)}" for kind, values in groups.items())
    growth, from_none = groups["high"] - groups["low"], groups["high"] - groups["none"]
    parts = [
        Part(f"WallTime is below LotteryWithLoad by heterogeneity: {said}", *clearly([growth])),
        Part(f"by high more than by none: {measured(from_none).text(' % points', 1)}", *clearly([from_none])),
    ]
    return settled(parts)


def cpu_load_is_second(evidence: Evidence) -> Judged:
    """C5."""
    return settled(_second(evidence, "CPULoad", INTERLEAVED))


def stale_loads_hurt(evidence: Evidence) -> Judged:
    """C6, as its reasons have it: the sentence itself names the other way of submission."""
    parts = []
    for mode, (first, second) in (
        (INTERLEAVED, ("CPULoad", "Random")),
        (SIMULTANEOUS, ("Random", "CPULoad")),
    ):
        for scenario in SCENARIOS:
            values = evidence.execution(scenario, mode, first), evidence.execution(scenario, mode, second)
            parts.append(below((f"{mode} {scenario}: {first}", second), values))
    return settled(parts)


def lottery_by_heterogeneity(evidence: Evidence) -> Judged:
    """C7."""
    parts = []
    for mode in MODES:
        parts.append(_alike(evidence, mode))
        parts += [
            below(
                (f"{mode} {scenario}: Lottery", "Random"),
                (
                    evidence.execution(scenario, mode, "Lottery"),
                    evidence.execution(scenario, mode, "Random"),
                ),
            )
            for scenario in UNEVEN
        ]
    return settled(parts)


def _alike(evidence: Evidence, mode: str) -> Part:
    """Return whether Lottery is within `ALIKE` of Random on equal machines: the whole interval."""
    ours, theirs = (evidence.execution("RH", mode, policy) for policy in ("Lottery", "Random"))
    apart = 100 * (ours - theirs) / theirs.mean()
    found = measured(apart)
    return Part(
        f"{mode} RH: Lottery is {way(ours, theirs, 'Random')}, alike if within {ALIKE:g} %",
        max(-found.low, found.high) <= ALIKE,
        against(ALIKE - apart * np.sign(found.mean)),
    )


def load_helps_lotteries(evidence: Evidence) -> Judged:
    """C8."""
    gaps = {
        (mode, scenario): 100
        * (
            1
            - evidence.execution(scenario, mode, "LotteryWithLoad")
            / evidence.execution(scenario, mode, "Lottery")
        )
        for mode in MODES
        for scenario in SCENARIOS
    }
    parts = [
        below(
            (f"{mode} {scenario}: LotteryWithLoad", "Lottery"),
            (
                evidence.execution(scenario, mode, "LotteryWithLoad"),
                evidence.execution(scenario, mode, "Lottery"),
            ),
        )
        for mode in MODES
        for scenario in SCENARIOS
    ]
    here = np.mean([gaps[INTERLEAVED, name] for name in CONTRASTED], axis=0)
    rest = [values for key, values in gaps.items() if key not in {(INTERLEAVED, name) for name in CONTRASTED}]
    more = here - np.mean(rest, axis=0)
    parts.append(
        Part(
            f"in interleaved RAU and RAB the difference is {measured(more).text(' % points', 1)} larger than "
            "elsewhere",
            *clearly([more]),
        )
    )
    return settled(parts)


def random_needs_equal_machines(evidence: Evidence) -> Judged:
    """C9."""
    parts = []
    for mode in MODES:
        times = {
            scenario: evidence.execution(scenario, mode, "Random")
            / evidence.execution(scenario, mode, "WallTime")
            for scenario in SCENARIOS
        }
        said = ", ".join(f"{scenario} {values.mean():.2f}" for scenario, values in times.items())
        more = [times[name] - times["RH"] for name in UNEVEN]
        parts.append(Part(f"{mode}, Random over WallTime: {said}", *clearly(more)))
    return settled(parts)


def loads_cost_time(evidence: Evidence) -> Judged:
    """C10."""
    cost = {name: float(np.median(found.rule)) for name, found in evidence.cost.items()}
    said = ", ".join(f"{name} {value:.1f}" for name, value in cost.items())
    plain = ("Random", "CPULoad", "Lottery")
    parts = [
        Part(
            f"ours in microseconds: {said}; WallTime and LotteryWithLoad, which estimate loads, are slowest",
            max(cost[name] for name in plain) < min(cost["WallTime"], cost["LotteryWithLoad"]),
        )
    ]
    later = 40 * (POLICIES["WallTime"][1] - POLICIES["CPULoad"][1])
    for mode in MODES:
        gains = [
            evidence.execution(name, mode, "CPULoad") - evidence.execution(name, mode, "WallTime")
            for name in SCENARIOS
        ]
        gain = np.mean(gains, axis=0)
        parts.append(
            Part(
                f"{mode}: against CPULoad WallTime saves {measured(gain).text(' s', 1)} of execution a job, "
                f"mean of all scenarios; by Table 2 forty of its decisions take {later:.1f} s longer",
                *clearly([gain - (later if mode == SIMULTANEOUS else later / 40)]),
            )
        )
    return settled(parts)


def slower_is_faster(evidence: Evidence) -> Judged:
    """C11."""
    return settled(_paced(evidence))


def _paced(evidence: Evidence) -> Iterable[Part]:
    def took(scenario: str, policy: str, pace: float) -> FloatColumn:
        return evidence.paced[Paced(scenario, policy, pace)][:, EXECUTION]

    for scenario in TESTED:
        fastest = POLICIES["Random"][1]
        yield below(
            (f"{scenario}: Random at {SLOWEST:g} s a decision", f"at its own {fastest:g} s"),
            (took(scenario, "Random", SLOWEST), took(scenario, "Random", fastest)),
        )
        for policy in TESTED_POLICIES:
            times = [took(scenario, policy, pace) for pace in PACES]
            steps = [before - after for before, after in pairwise(times)]
            said = ", ".join(
                f"{pace:g} s: {values.mean():.1f}" for pace, values in zip(PACES, times, strict=True)
            )
            yield Part(
                f"{scenario}, {policy}, mean execution by seconds a decision: {said}",
                all(step.mean() > 0 for step in steps) and clearly([times[0] - times[-1]])[0],
                clearly(steps)[1],
            )


_STATED: tuple[tuple[str, str, str, Callable[[Evidence], Judged]], ...] = (
    (
        "C1",
        "§ 4, figures 3 and 4",
        "WallTimeEstimatedScheduler has the best mean execution time, however jobs are submitted",
        wall_time_is_best,
    ),
    (
        "C2",
        "§ 4, figures 3 and 4",
        "WallTimeEstimatedScheduler has the least standard deviation of execution times in all scenarios",
        wall_time_varies_least,
    ),
    (
        "C3",
        "§ 4, figure 3",
        "of jobs submitted at once, LotterySchedulerWithLoad comes nearest to it",
        lottery_with_load_is_second,
    ),
    (
        "C4",
        "§ 4, figure 3",
        "of jobs submitted at once, the distance of these two grows with heterogeneity",
        gap_grows,
    ),
    (
        "C5",
        "§ 4, figure 4",
        "of jobs submitted one by one, CPULoadScheduler is second best",
        cpu_load_is_second,
    ),
    (
        "C6",
        "§ 4, figures 3 and 4",
        "loads that are 15 s old make CPULoadScheduler bad where jobs come at once: it is better than "
        "RandomScheduler only where they come one by one (the text says: only where they come at once; it is "
        "read by its reasons)",
        stale_loads_hurt,
    ),
    (
        "C7",
        "§ 4",
        "LotteryScheduler is like RandomScheduler on equal machines, and better on unequal ones",
        lottery_by_heterogeneity,
    ),
    (
        "C8",
        "§ 4",
        "LotterySchedulerWithLoad is better than LotteryScheduler, above all in RAU and RAB one by one",
        load_helps_lotteries,
    ),
    (
        "C9",
        "§ 3, § 4 and § 5",
        "RandomScheduler is tolerable on equal machines alone",
        random_needs_equal_machines,
    ),
    (
        "C10",
        "§ 4, table 2",
        "estimating loads makes decisions slower, which is repaid in execution time",
        loads_cost_time,
    ),
    (
        "C11",
        "§ 4",
        "slower decisions shorten execution times of jobs submitted at once, so that policies have to be "
        "compared at the same pace",
        slower_is_faster,
    ),
)
