"""Claims on the rules of the global queue and the limit of the local queues (C13 to C16)."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from echelon.reproduce.machinery.claims import Claims
from echelon.reproduce.machinery.statement import above_zero, all_above_zero, fact, lower, mean_interval
from echelon.reproduce.multicluster.comparisons import shorter
from echelon.reproduce.multicluster.evidence import LIMITS, MISSED, RULES, TURNAROUND, Queueing

if TYPE_CHECKING:
    from collections.abc import Collection

    from echelon.model.jobs.columns import FloatColumn
    from echelon.reproduce.machinery.claims import Statements
    from echelon.reproduce.machinery.statement import Statement
    from echelon.reproduce.multicluster.comparisons import Measure
    from echelon.reproduce.multicluster.evidence import Evidence

CLAIMS: Claims[Evidence] = Claims()

BOUNDED = LIMITS[:-1]
UNLIMITED = LIMITS[-1]
ALIKE = 1.0
"""Percent of turnaround within which rules coincide."""
KNEE = "3"


def mean_over(
    evidence: Evidence,
    column: int,
    *,
    rules: Collection[str] = RULES,
    limits: Collection[str] = LIMITS,
    moving: bool | None = None,
    owners: Collection[int] | None = None,
) -> FloatColumn:
    """Return the mean of one measure over the cases of E3 that are of these, by seed."""
    cases = [
        values[:, column]
        for case, values in evidence.queueing.items()
        if case.rule in rules
        and case.limit in limits
        and moving in (None, case.moving)
        and (owners is None or case.owners in owners)
    ]
    return np.asarray(np.mean(cases, axis=0))


def deviation_by_limit(evidence: Evidence, *, moving: bool) -> dict[str, FloatColumn]:
    """Return the mean deviation by limit, of cases with owners that move or of the same that do not."""
    both = moved_owners(evidence)
    return {
        limit: mean_over(evidence, MISSED, limits=(limit,), moving=moving, owners=both) for limit in LIMITS
    }


def moved_owners(evidence: Evidence) -> set[int]:
    """Return the percents of nodes with owners for which owners were also run moving."""
    return {case.owners for case in evidence.queueing if case.moving}


def measure_of(
    evidence: Evidence,
    *,
    rules: Collection[str] = RULES,
    limits: Collection[str] = LIMITS,
    moving: bool | None = None,
) -> Measure:
    """Return the measures of these cases of E3, means over them."""
    return lambda column: mean_over(evidence, column, rules=rules, limits=limits, moving=moving)


@CLAIMS.states(
    "C13",
    "§ 4.4.4, figure 4.6",
    "Deviation of forecasts grows with the limit of the queues, more with owners that move",
)
def _deviation_grows(evidence: Evidence) -> Statements:
    still, moving = (deviation_by_limit(evidence, moving=kind) for kind in (False, True))
    for name, deviations in (("fixed owners", still), ("moving owners", moving)):
        listing = ", ".join(f"{limit}: {float(values.mean()):.3f}" for limit, values in deviations.items())
        steps = [after - before for before, after in pairwise(deviations.values())]
        yield all_above_zero(f"deviation grows at each step of the limit, {name}: {listing}", steps)
    rises = [deviations[UNLIMITED] - deviations["1"] for deviations in (still, moving)]
    more = rises[1] - rises[0]
    text = f"from 1 to unlimited it rises by {mean_interval(more).text(digits=3)} more with moving owners"
    yield above_zero(text, more)


@CLAIMS.states(
    "C14",
    "§ 4.4.4 and § 4.4.5",
    "Choosing the cluster again when the state has changed lowers deviation (by 4 %) and turnaround "
    "(by 20 %)",
)
def _again_is_better(evidence: Evidence) -> Statements:
    again, once = (measure_of(evidence, rules=rules, limits=BOUNDED) for rules in (RULES[2:], RULES[:2]))
    yield lower(("deviation of B.RS and NB.RS", "of B and NB"), (again(MISSED), once(MISSED)))
    names = ("turnaround of B.RS and NB.RS", "of B and NB")
    yield shorter(names, again, once, since=TURNAROUND)


@CLAIMS.states(
    "C15",
    "§ 4.4.4, figure 4.7",
    "Not blocking and choosing again, NB.RS, is best with moving owners, 13 % below B.RS",
)
def _not_blocking_again_is_best(evidence: Evidence) -> Statements:
    rules = {rule: measure_of(evidence, rules=(rule,), limits=BOUNDED, moving=True) for rule in RULES}
    listing = ", ".join(f"{rule} {float(of(TURNAROUND).mean()):,.1f} s" for rule, of in rules.items())
    best = rules["NB.RS"](TURNAROUND)
    others = [of(TURNAROUND) - best for rule, of in rules.items() if rule != "NB.RS"]
    yield all_above_zero(f"turnaround, moving owners, NB.RS is the least: {listing}", others)
    yield shorter(("NB.RS", "B.RS"), rules["NB.RS"], rules["B.RS"], since=TURNAROUND)


@CLAIMS.states(
    "C16",
    "§ 4.4.4, figure 4.8",
    "A limit of about 3 is the knee: beyond it turnaround gains less and deviation rises more; without "
    "a limit the rules coincide",
)
def _three_is_the_knee(evidence: Evidence) -> Statements:
    yield _coincide(evidence)
    first, knee, last = (measure_of(evidence, limits=(limit,)) for limit in ("1", KNEE, UNLIMITED))
    yield shorter((f"turnaround with limit {KNEE}", "with 1"), knee, first, since=TURNAROUND)
    until, beyond = (
        100 * (1 - after(TURNAROUND) / before(TURNAROUND)) for before, after in ((first, knee), (knee, last))
    )
    grown = 100 * (last(MISSED) / knee(MISSED) - 1)
    gain = mean_interval(beyond).text(" %", 1)
    yield above_zero(
        f"beyond {KNEE} turnaround gains less, {gain} (until {KNEE}: {mean_interval(until).text(' %', 1)})",
        until - beyond,
    )
    yield above_zero(
        f"beyond {KNEE} deviation rises by more, {mean_interval(grown).text(' %', 1)}, than turnaround gains",
        grown - beyond,
    )


def _coincide(evidence: Evidence) -> Statement:
    cases = [case for case in evidence.queueing if case.limit == UNLIMITED and case.rule == RULES[0]]
    apart = [
        np.abs(_turnaround(evidence, case._replace(rule=rule)) / _turnaround(evidence, case) - 1).max()
        for case in cases
        for rule in RULES[1:]
    ]
    most = 100 * float(max(apart))
    return fact(f"unlimited, the four rules differ by at most {most:.2g} % in any run", most <= ALIKE)


def _turnaround(evidence: Evidence, case: Queueing) -> FloatColumn:
    return evidence.queueing[case][:, TURNAROUND]


@CLAIMS.states(
    "C25",
    "§ 4.4.4",
    "Rules that block have longer turnarounds than those that do not; larger limits give shorter ones",
)
def _blocking_and_small_limits_cost(evidence: Evidence) -> Statements:
    rules = {rule: measure_of(evidence, rules=(rule,), limits=BOUNDED) for rule in RULES}
    for other, blocking in (("NB", "B"), ("NB.RS", "B.RS")):
        names = (f"turnaround with {other}", blocking)
        yield shorter(names, rules[other], rules[blocking], since=TURNAROUND)
    small, large = (measure_of(evidence, limits=limits) for limits in (LIMITS[:2], LIMITS[2:]))
    names = ("turnaround with limits of 3, 4 and without one", "with 1 and 2")
    yield shorter(names, large, small, since=TURNAROUND)
    one, free = (measure_of(evidence, limits=(limit,)) for limit in ("1", UNLIMITED))
    yield shorter(("turnaround without a limit", "with 1"), free, one, since=TURNAROUND)
