"""Claims on the rules of the upper queue and the limit of the queues below (C13 to C16)."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from echelon.reproduce.multicluster.evidence import LIMITS, MISSED, RULES, TURNAROUND, Queueing
from echelon.reproduce.parts import Part, gain, lower, measured, together

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from echelon.model.columns import FloatColumn
    from echelon.reproduce.multicluster.evidence import Evidence

    Judged = tuple[bool, str]

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


def deviation_grows(evidence: Evidence) -> Judged:
    """C13."""
    still, moving = (deviation_by_limit(evidence, moving=kind) for kind in (False, True))
    rises = [found[UNLIMITED] - found["1"] for found in (still, moving)]
    steeper = measured(rises[1] - rises[0])
    return together(
        [
            *(_rising(name, found) for name, found in (("fixed owners", still), ("moving owners", moving))),
            Part(
                f"from 1 to unlimited it rises by {steeper.text()} more with moving owners", steeper.low > 0
            ),
        ]
    )


def _rising(name: str, found: dict[str, FloatColumn]) -> Part:
    means = {limit: float(values.mean()) for limit, values in found.items()}
    said = ", ".join(f"{limit}: {value:.3f}" for limit, value in means.items())
    least = min(measured(after - before).mean for before, after in pairwise(found.values()))
    whole = measured(found[UNLIMITED] - found["1"])
    return Part(f"deviation by limit, {name}: {said}", least >= 0 and whole.low > 0)


def again_is_better(evidence: Evidence) -> Judged:
    """C14."""
    return together(
        lower((f"{name} of B.RS and NB.RS", "of B and NB"), _again(evidence, column))
        for column, name in ((MISSED, "deviation"), (TURNAROUND, "turnaround"))
    )


def _again(evidence: Evidence, column: int) -> tuple[FloatColumn, FloatColumn]:
    again = mean_over(evidence, column, rules=RULES[2:], limits=BOUNDED)
    return again, mean_over(evidence, column, rules=RULES[:2], limits=BOUNDED)


def not_blocking_again_is_best(evidence: Evidence) -> Judged:
    """C15."""
    return together(_best_rule(evidence))


def _best_rule(evidence: Evidence) -> Iterable[Part]:
    rules = {rule: _rule(evidence, rule) for rule in RULES}
    means = {rule: float(values.mean()) for rule, values in rules.items()}
    said = ", ".join(f"{rule} {value:,.1f} s" for rule, value in means.items())
    yield Part(f"turnaround, moving owners: {said}", min(means, key=means.__getitem__) == "NB.RS")
    yield lower(("NB.RS", "B.RS"), (rules["NB.RS"], rules["B.RS"]))


def _rule(evidence: Evidence, rule: str) -> FloatColumn:
    return mean_over(evidence, TURNAROUND, rules=(rule,), limits=BOUNDED, moving=True)


def three_is_the_knee(evidence: Evidence) -> Judged:
    """C16."""
    return together([_coincide(evidence), *_knee(evidence)])


def _coincide(evidence: Evidence) -> Part:
    cases = [case for case in evidence.queueing if case.limit == UNLIMITED and case.rule == RULES[0]]
    apart = [
        np.abs(_turnaround(evidence, case._replace(rule=rule)) / _turnaround(evidence, case) - 1).max()
        for case in cases
        for rule in RULES[1:]
    ]
    most = 100 * float(max(apart))
    return Part(f"unlimited, the four rules differ by at most {most:.2g} % in any run", most <= ALIKE)


def _turnaround(evidence: Evidence, case: Queueing) -> FloatColumn:
    return evidence.queueing[case][:, TURNAROUND]


def _knee(evidence: Evidence) -> Iterable[Part]:
    by_limit = {
        limit: [mean_over(evidence, column, limits=(limit,)) for column in (TURNAROUND, MISSED)]
        for limit in LIMITS
    }
    first, knee, last = (by_limit[limit] for limit in ("1", KNEE, UNLIMITED))
    yield lower((f"turnaround with limit {KNEE}", "with 1"), (knee[0], first[0]))
    until, beyond = gain(knee[0], first[0]), gain(last[0], knee[0])
    grown, growing = measured(knee[1] - first[1]), measured(last[1] - knee[1])
    yield Part(
        f"without a limit turnaround gains {beyond.text(' %', 1)} more (until {KNEE}: "
        f"{until.text(' %', 1)}), deviation rises by {growing.text()} more (until {KNEE}: {grown.text()})",
        beyond.mean < until.mean and growing.mean > grown.mean,
    )


STATED = (
    (
        "C13",
        "§ 4.4.4, figure 4.6",
        "Deviation of forecasts grows with the limit of the queues, more with owners that move",
        deviation_grows,
    ),
    (
        "C14",
        "§ 4.4.4 and § 4.4.5",
        "Choosing the cluster again when the state has changed lowers deviation (by 4 %) and turnaround "
        "(by 20 %)",
        again_is_better,
    ),
    (
        "C15",
        "§ 4.4.4, figure 4.7",
        "Not blocking and choosing again, NB.RS, is best with moving owners, 13 % below B.RS",
        not_blocking_again_is_best,
    ),
    (
        "C16",
        "§ 4.4.4, figure 4.8",
        "A limit of about 3 is the knee: beyond it turnaround gains less and deviation rises more; without "
        "a limit the rules coincide",
        three_is_the_knee,
    ),
)
