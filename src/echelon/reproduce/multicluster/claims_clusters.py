"""Claims on the choice of clusters and on queues in two levels (C10 to C12, C20)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.reproduce.multicluster.evidence import (
    DELIVERED,
    MAKESPAN,
    OWNERS,
    PREDICTIVE_BROKERS,
    RANDOM_BROKERS,
    TURNAROUND,
)
from echelon.reproduce.parts import Part, lower, together

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.model.columns import FloatColumn
    from echelon.reproduce.multicluster.evidence import Evidence

    Judged = tuple[bool, str]

PLATFORMS = ("555", "844")


def mean_of(evidence: Evidence, broker: str, column: int, platform: str | None = None) -> FloatColumn:
    """Return the mean over cases of E2 of one measure, by seed."""
    return np.asarray(evidence.chosen(broker, column, platform=platform).mean(axis=1))


def predictive(evidence: Evidence, column: int, platform: str) -> FloatColumn:
    """Return the mean over the predictive brokers, by seed."""
    found = [mean_of(evidence, broker, column, platform) for broker in PREDICTIVE_BROKERS]
    return sum(found[1:], found[0]) / len(found)


def prediction_pays(evidence: Evidence) -> Judged:
    """C10."""
    return together(part for platform in PLATFORMS for part in _pays(evidence, platform))


def _pays(evidence: Evidence, platform: str) -> Iterable[Part]:
    for column, name in ((DELIVERED, "turnaround"), (MAKESPAN, "makespan")):
        for other in RANDOM_BROKERS:
            theirs = mean_of(evidence, other, column, platform)
            yield lower(
                (f"{platform}: {name} with TAT", other), (mean_of(evidence, "TAT", column, platform), theirs)
            )
            mean = predictive(evidence, column, platform)
            yield lower((f"{platform}: {name} with all four that predict", other), (mean, theirs))


def weight_trades(evidence: Evidence) -> Judged:
    """C11."""
    slow, fast = "PTT w = 0", "PTT w = 1"
    turnaround = {name: mean_of(evidence, name, DELIVERED) for name in PREDICTIVE_BROKERS}
    owners = {name: mean_of(evidence, name, OWNERS) for name in PREDICTIVE_BROKERS}
    mean = {name: float(values.mean()) for name, values in owners.items()}
    least = ", ".join(f"{name} {value:.4f}" for name, value in mean.items())
    return together(
        [
            lower((f"turnaround with {fast}", slow), (turnaround[fast], turnaround[slow])),
            lower(("turnaround with TAT", slow), (turnaround["TAT"], turnaround[slow])),
            lower((f"owners' slowdown with {slow}", fast), (owners[slow], owners[fast])),
            Part(f"{slow} disturbs owners least: {least}", min(mean, key=mean.__getitem__) == slow),
        ]
    )


def unequal_clusters(evidence: Evidence) -> Judged:
    """C12."""
    parts = []
    for broker in ("PTT w = 0.5", "PTT w = 1"):
        values = [_grouped(evidence, which) for which in (broker, "TAT")]
        parts.append(lower((f"844, owners grouped: turnaround with {broker}", "TAT"), (values[0], values[1])))
    return together(parts)


def _grouped(evidence: Evidence, broker: str) -> FloatColumn:
    cases = [
        values[:, DELIVERED]
        for case, values in evidence.selection.items()
        if case.platform == "844" and case.spread == "grouped" and case.broker == broker
    ]
    return sum(cases[1:], cases[0]) / len(cases)


def same_as_tat(evidence: Evidence) -> tuple[int, int]:
    """Return in how many of how many runs of E2 PTT with w = 1 gave every measure that TAT gave."""
    same = runs = 0
    for case, values in evidence.selection.items():
        if case.broker == "PTT w = 1":
            other = evidence.selection[case._replace(broker="TAT")]
            same += int(np.isclose(values, other, rtol=0, atol=0, equal_nan=True).all(axis=1).sum())
            runs += len(values)
    return same, runs


def hierarchy_pays(evidence: Evidence) -> Judged:
    """C20."""
    arrangements = list(dict.fromkeys(case.arrangement for case in evidence.central))
    two_levels, *one_queue = arrangements
    return together(
        lower(
            (f"{platform}: turnaround with {two_levels}", other),
            (_queued(evidence, platform, two_levels), _queued(evidence, platform, other)),
        )
        for platform in dict.fromkeys(case.platform for case in evidence.central)
        for other in one_queue
    )


def _queued(evidence: Evidence, platform: str, arrangement: str) -> FloatColumn:
    cases = [
        values[:, TURNAROUND]
        for case, values in evidence.central.items()
        if (case.platform, case.arrangement) == (platform, arrangement)
    ]
    return sum(cases[1:], cases[0]) / len(cases)


STATED = (
    (
        "C10",
        "§ 4.3.3, figures 4.1, 4.2 and 4.5",
        "Choosing clusters by prediction beats first fit and round robin in turnaround (43.3 % over RR on "
        "555, 29.9 % on 844) and in makespan",
        prediction_pays,
    ),
    (
        "C11",
        "§ 4.3.3, figures 4.3 and 4.4",
        "The weight of PTT trades turnaround for owners' comfort: with w = 0 jobs are slowest and owners "
        "disturbed least",
        weight_trades,
    ),
    (
        "C12",
        "§ 4.3.3, figure 4.2",
        "With unequal clusters and owners grouped in some, PTT (w = 0.5 and 1) gives shorter turnarounds "
        "than TAT",
        unequal_clusters,
    ),
    (
        "C20",
        "§ 4.1 and § 5",
        "Two levels of queues give shorter turnarounds than one central queue",
        hierarchy_pays,
    ),
)
