"""What the SINAPAD study claims, C1 to C11, each judged by computation.

A claim is cut into statements; it holds if all of them do. That one policy is better than another is so if
the 95 % interval of the difference, seed by seed with common random numbers, leaves no doubt. The texts are
ours.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from echelon.reproduce.claim import Claim
from echelon.reproduce.parts import Measured, Part, measured, together
from echelon.reproduce.sinapad.evidence import Paced
from echelon.reproduce.sinapad.experiments import PACES, TESTED, TESTED_POLICIES
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

    Judged = tuple[bool, str]
    Of = Callable[[str, str, str], FloatColumn]

UNEVEN = tuple(name for name, heterogeneity in SCENARIOS.items() if heterogeneity != "none")
HIGH = tuple(name for name, heterogeneity in SCENARIOS.items() if heterogeneity == "high")
CONTRASTED = ("RAU", "RAB")
"""Scenarios in which load makes a great difference to lotteries, when jobs come one by one."""

ALIKE = 10.0
"""Percent within which the study calls two policies similar."""


def saved(ours: FloatColumn, theirs: FloatColumn) -> Measured:
    """Return by how many percent our mean is below theirs, with the interval of the paired difference.

    In percent of their mean over all seeds: a mean of ratios would count seeds in which they are lucky more.
    """
    return measured(100 * (theirs - ours) / theirs.mean())


def below(names: tuple[str, str], values: tuple[FloatColumn, FloatColumn]) -> Part:
    """Return whether the first is below the second: the interval of the difference is above 0."""
    found = saved(*values)
    word, size = ("below", found) if found.mean >= 0 else ("above", saved(*values[::-1]))
    apart = "" if found.low > 0 or found.high < 0 else ", not told apart"
    return Part(f"{names[0]} is {size.text(' %', 1)} {word} {names[1]}{apart}", found.low > 0)


def judged(evidence: Evidence) -> list[Claim]:
    """Return every claim with its verdict and our numbers, by number."""
    claims = []
    for name, where, text, check in _STATED:
        holds, finding = check(evidence)
        verdict: Verdict = "holds" if holds else "does not hold"
        claims.append(Claim(name, text, where, verdict, f"{finding}."))
    return claims


def _never_beaten(of: Of, policy: str, scenario: str, mode: str) -> Part:
    """Return whether no other policy is lower than this one, which may tie."""
    ours = of(scenario, mode, policy)
    rivals = {name: saved(of(scenario, mode, name), ours) for name in POLICIES if name != policy}
    better = [f"{name} by {found.text(' %', 1)}" for name, found in rivals.items() if found.low > 0]
    nearest = max(rivals, key=lambda name: rivals[name].mean)
    ahead = saved(ours, of(scenario, mode, nearest)).mean
    # Rounded before it is shown: 0 has a sign else.
    said = f"{mode} {scenario}: {round(ahead, 1) + 0.0:.1f} % below {nearest}"
    return Part(f"{mode} {scenario}: beaten by {', '.join(better)}" if better else said, not better)


def wall_time_is_best(evidence: Evidence) -> Judged:
    """C1."""
    return together(_everywhere(evidence.execution))


def wall_time_varies_least(evidence: Evidence) -> Judged:
    """C2."""
    return together(_everywhere(evidence.deviation))


def _everywhere(of: Of) -> Iterator[Part]:
    for mode in MODES:
        for scenario in SCENARIOS:
            yield _never_beaten(of, "WallTime", scenario, mode)


def _second(evidence: Evidence, policy: str, mode: str) -> Iterator[Part]:
    """Yield for each scenario whether a policy is lower than all but the best one."""
    for scenario in SCENARIOS:
        ours = evidence.execution(scenario, mode, policy)
        others = [name for name in POLICIES if name not in (policy, "WallTime")]
        gains = {name: saved(ours, evidence.execution(scenario, mode, name)) for name in others}
        least = min(gains, key=lambda name: gains[name].mean)
        found = gains[least]
        way = "below" if found.mean >= 0 else "above"
        size = found if found.mean >= 0 else saved(evidence.execution(scenario, mode, least), ours)
        apart = "" if found.low > 0 or found.high < 0 else ", not told apart"
        text = f"{scenario}: {size.text(' %', 1)} {way} {least}{apart}"
        yield Part(text, all(one.low > 0 for one in gains.values()))


def lottery_with_load_is_second(evidence: Evidence) -> Judged:
    """C3."""
    return together(_second(evidence, "LotteryWithLoad", SIMULTANEOUS))


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
    grows = measured(groups["high"] - groups["low"])
    from_none = measured(groups["high"] - groups["none"])
    parts = [
        Part(f"WallTime is below LotteryWithLoad by heterogeneity: {said}", grows.low > 0),
        Part(f"by high more than by none: {from_none.text(' %', 1)}", from_none.low > 0),
    ]
    return together(parts)


def cpu_load_is_second(evidence: Evidence) -> Judged:
    """C5."""
    return together(_second(evidence, "CPULoad", INTERLEAVED))


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
    return together(parts)


def lottery_by_heterogeneity(evidence: Evidence) -> Judged:
    """C7."""
    parts = []
    for mode in MODES:
        apart = saved(evidence.execution("RH", mode, "Lottery"), evidence.execution("RH", mode, "Random"))
        parts.append(
            Part(
                f"{mode} RH: Lottery is {apart.text(' %', 1)} below Random, alike up to {ALIKE:g} %",
                abs(apart.mean) <= ALIKE,
            )
        )
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
    return together(parts)


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
        Part(f"{mode} {scenario}: {measured(values).text(' %', 1)} lower", measured(values).low > 0)
        for (mode, scenario), values in gaps.items()
    ]
    here = np.mean([gaps[INTERLEAVED, name] for name in CONTRASTED], axis=0)
    rest = [values for key, values in gaps.items() if key not in {(INTERLEAVED, name) for name in CONTRASTED}]
    more = measured(here - np.mean(rest, axis=0))
    parts.append(
        Part(
            f"in interleaved RAU and RAB the difference is {more.text(' % points', 1)} larger than elsewhere",
            more.low > 0,
        )
    )
    return together(parts)


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
        least = min(times, key=lambda name: float(times[name].mean()))
        parts.append(Part(f"{mode}, Random over WallTime: {said}", least == "RH"))
    return together(parts)


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
        saved = measured(
            np.mean(
                [
                    evidence.execution(name, mode, "CPULoad") - evidence.execution(name, mode, "WallTime")
                    for name in SCENARIOS
                ],
                axis=0,
            )
        )
        parts.append(
            Part(
                f"{mode}: against CPULoad WallTime saves {saved.text(' s', 1)} of execution a job, over all "
                f"scenarios; by Table 2 forty of its decisions take {later:.1f} s longer",
                saved.low > later if mode == SIMULTANEOUS else saved.low > later / 40,
            )
        )
    return together(parts)


def slower_is_faster(evidence: Evidence) -> Judged:
    """C11."""
    return together(_paced(evidence))


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
            steps = [measured(before - after) for before, after in pairwise(times)]
            said = ", ".join(
                f"{pace:g} s: {values.mean():.1f}" for pace, values in zip(PACES, times, strict=True)
            )
            yield Part(
                f"{scenario}, {policy}, mean execution by seconds a decision: {said}",
                all(step.mean > 0 for step in steps) and measured(times[0] - times[-1]).low > 0,
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
        "§ 4 and § 5",
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
