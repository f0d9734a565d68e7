"""Claims on the choice of clusters and on queues in two levels (C10 to C12, C20)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.reproduce.machinery.statement import all_above_zero, lower
from echelon.reproduce.multicluster.evidence import (
    DELIVERED,
    MAKESPAN,
    OWNERS,
    PREDICTIVE_BROKERS,
    RANDOM_BROKERS,
    TURNAROUND,
)
from echelon.reproduce.multicluster.turnarounds import shorter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.model.columns import FloatColumn
    from echelon.reproduce.machinery.statement import Statement
    from echelon.reproduce.multicluster.evidence import Evidence
    from echelon.reproduce.multicluster.turnarounds import Measure

PLATFORMS = ("555", "844")


def mean_of(evidence: Evidence, broker: str, column: int, platform: str | None = None) -> FloatColumn:
    """Return the mean over cases of E2 of one measure, by seed."""
    return np.asarray(evidence.chosen(broker, column, platform=platform).mean(axis=1))


def predictive(evidence: Evidence, column: int, platform: str) -> FloatColumn:
    """Return the mean over the predictive brokers, by seed."""
    found = [mean_of(evidence, broker, column, platform) for broker in PREDICTIVE_BROKERS]
    return sum(found[1:], found[0]) / len(found)


def of_broker(evidence: Evidence, broker: str, platform: str | None = None) -> Measure:
    """Return the measures of a broker, means over cases of E2."""
    return lambda column: mean_of(evidence, broker, column, platform)


def of_all(evidence: Evidence, platform: str) -> Measure:
    """Return the measures of all brokers that predict, means over them and over cases of E2."""
    return lambda column: predictive(evidence, column, platform)


ALL = "all four that predict"


def prediction_pays(evidence: Evidence) -> Iterator[Statement]:
    """C10."""
    for platform in PLATFORMS:
        for words, ours in (("TAT", of_broker(evidence, "TAT", platform)), (ALL, of_all(evidence, platform))):
            for other in RANDOM_BROKERS:
                theirs = of_broker(evidence, other, platform)
                yield shorter((f"{platform}: turnaround with {words}", other), ours, theirs, since=DELIVERED)
                yield lower((f"{platform}: makespan with {words}", other), (ours(MAKESPAN), theirs(MAKESPAN)))


def weight_trades(evidence: Evidence) -> Iterator[Statement]:
    """C11."""
    slow, fast = "PTT w = 0", "PTT w = 1"
    least = of_broker(evidence, slow)
    # With w = 1 it chooses as TAT does, so that one of the two is enough.
    for name in ("PTT w = 0.5", fast):
        yield shorter((f"turnaround with {name}", slow), of_broker(evidence, name), least, since=DELIVERED)
    owners = {name: mean_of(evidence, name, OWNERS) for name in PREDICTIVE_BROKERS}
    yield lower((f"owners' slowdown with {slow}", fast), (owners[slow], owners[fast]))
    said = ", ".join(f"{name} {float(values.mean()):.3f}" for name, values in owners.items())
    others = [values - owners[slow] for name, values in owners.items() if name != slow]
    yield all_above_zero(f"{slow} disturbs owners least: {said}", others)


def unequal_clusters(evidence: Evidence) -> Iterator[Statement]:
    """C12."""
    for broker in ("PTT w = 0.5", "PTT w = 1"):
        names = (f"844, owners grouped: turnaround with {broker}", "TAT")
        yield shorter(names, _grouped(evidence, broker), _grouped(evidence, "TAT"), since=DELIVERED)


def _grouped(evidence: Evidence, broker: str) -> Measure:
    def measure(column: int) -> FloatColumn:
        cases = [
            values[:, column]
            for case, values in evidence.selection.items()
            if case.platform == "844" and case.spread == "grouped" and case.broker == broker
        ]
        return sum(cases[1:], cases[0]) / len(cases)

    return measure


def same_as_tat(evidence: Evidence) -> tuple[int, int]:
    """Return in how many of how many runs of E2 PTT with w = 1 gave every measure that TAT gave."""
    same = runs = 0
    for case, values in evidence.selection.items():
        if case.broker == "PTT w = 1":
            other = evidence.selection[case._replace(broker="TAT")]
            same += int(np.isclose(values, other, rtol=0, atol=0, equal_nan=True).all(axis=1).sum())
            runs += len(values)
    return same, runs


def hierarchy_pays(evidence: Evidence) -> Iterator[Statement]:
    """C20."""
    arrangements = list(dict.fromkeys(case.arrangement for case in evidence.central))
    two_levels, *one_queue = arrangements
    for platform in dict.fromkeys(case.platform for case in evidence.central):
        for other in one_queue:
            yield shorter(
                (f"{platform}: turnaround with {two_levels}", other),
                _queued(evidence, platform, two_levels),
                _queued(evidence, platform, other),
                since=TURNAROUND,
            )


def _queued(evidence: Evidence, platform: str, arrangement: str) -> Measure:
    def measure(column: int) -> FloatColumn:
        cases = [
            values[:, column]
            for case, values in evidence.central.items()
            if (case.platform, case.arrangement) == (platform, arrangement)
        ]
        return sum(cases[1:], cases[0]) / len(cases)

    return measure


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
