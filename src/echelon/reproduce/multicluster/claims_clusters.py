"""Claims on the choice of clusters and on queues in two levels (C10 to C12, C20 to C24)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.reproduce.machinery.claims import Claims
from echelon.reproduce.machinery.experiments import mean_table
from echelon.reproduce.machinery.statement import above_zero, alike, all_above_zero, lower, mean_interval
from echelon.reproduce.multicluster.comparisons import SINCE, measure_of, shorter
from echelon.reproduce.multicluster.evidence import (
    DELIVERED,
    MAKESPAN,
    OWNERS,
    PREDICTIVE_BROKERS,
    RANDOM_BROKERS,
    TURNAROUND,
)

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn
    from echelon.reproduce.machinery.claims import Statements
    from echelon.reproduce.multicluster.comparisons import Measure
    from echelon.reproduce.multicluster.evidence import Evidence


CLAIMS: Claims[Evidence] = Claims()

PLATFORMS = ("555", "844")


def mean_of(evidence: Evidence, broker: str, column: int, platform: str | None = None) -> FloatColumn:
    """Return the mean over cases of E2 of one measure, by seed."""
    return np.asarray(evidence.broker_cases(broker, column, platform=platform).mean(axis=1))


def mean_of_predictive(evidence: Evidence, column: int, platform: str) -> FloatColumn:
    """Return the mean over the predictive brokers, by seed."""
    means = [mean_of(evidence, broker, column, platform) for broker in PREDICTIVE_BROKERS]
    return sum(means[1:], means[0]) / len(means)


def of_broker(evidence: Evidence, broker: str, platform: str | None = None) -> Measure:
    """Return the measures of a broker, means over cases of E2."""
    return lambda column: mean_of(evidence, broker, column, platform)


def of_all(evidence: Evidence, platform: str) -> Measure:
    """Return the measures of all brokers that predict, means over them and over cases of E2."""
    return lambda column: mean_of_predictive(evidence, column, platform)


ALL = "all four that predict"


@CLAIMS.states(
    "C10",
    "§ 4.3.3, figures 4.1, 4.2 and 4.5",
    "Choosing clusters by prediction beats first fit and round robin in turnaround (43.3 % over RR on "
    "555, 29.9 % on 844) and in makespan",
)
def _prediction_pays(evidence: Evidence) -> Statements:
    for platform in PLATFORMS:
        for rule, ours in (("TAT", of_broker(evidence, "TAT", platform)), (ALL, of_all(evidence, platform))):
            for other in RANDOM_BROKERS:
                theirs = of_broker(evidence, other, platform)
                yield shorter((f"{platform}: turnaround with {rule}", other), ours, theirs, since=DELIVERED)
                yield lower((f"{platform}: makespan with {rule}", other), (ours(MAKESPAN), theirs(MAKESPAN)))


@CLAIMS.states(
    "C11",
    "§ 4.3.3, figures 4.3 and 4.4",
    "The weight of PTT trades turnaround for owners' comfort: with w = 0 jobs are slowest and owners "
    "disturbed least",
)
def _weight_trades(evidence: Evidence) -> Statements:
    slow, fast = "PTT w = 0", "PTT w = 1"
    least = of_broker(evidence, slow)
    # With w = 1 it chooses as TAT does, so that one of the two is enough.
    for name in ("PTT w = 0.5", fast):
        yield shorter((f"turnaround with {name}", slow), of_broker(evidence, name), least, since=DELIVERED)
    owners = {name: mean_of(evidence, name, OWNERS) for name in PREDICTIVE_BROKERS}
    yield lower((f"owners' slowdown with {slow}", fast), (owners[slow], owners[fast]))
    listing = ", ".join(f"{name} {float(values.mean()):.3f}" for name, values in owners.items())
    others = [values - owners[slow] for name, values in owners.items() if name != slow]
    yield all_above_zero(f"{slow} disturbs owners least: {listing}", others)


@CLAIMS.states(
    "C12",
    "§ 4.3.3, figure 4.2",
    "With unequal clusters and owners grouped in some, PTT (w = 0.5 and 1) gives shorter turnarounds "
    "than TAT",
)
def _unequal_clusters(evidence: Evidence) -> Statements:
    for broker in ("PTT w = 0.5", "PTT w = 1"):
        names = (f"844, owners grouped: turnaround with {broker}", "TAT")
        ours, theirs = (
            measure_of(evidence.selection, platform="844", spread="grouped", broker=one)
            for one in (broker, "TAT")
        )
        yield shorter(names, ours, theirs, since=DELIVERED)


def same_as_tat(evidence: Evidence) -> tuple[int, int]:
    """Return in how many of how many runs of E2 PTT with w = 1 gave every measure that TAT gave."""
    same = runs = 0
    for case, values in evidence.selection.items():
        if case.broker == "PTT w = 1":
            other = evidence.selection[case._replace(broker="TAT")]
            same += int(np.isclose(values, other, rtol=0, atol=0, equal_nan=True).all(axis=1).sum())
            runs += len(values)
    return same, runs


@CLAIMS.states("C20", "§ 4.1 and § 5", "Two levels of queues give shorter turnarounds than one central queue")
def _hierarchy_pays(evidence: Evidence) -> Statements:
    arrangements = list(dict.fromkeys(case.arrangement for case in evidence.central))
    two_levels, *one_queue = arrangements
    for platform in dict.fromkeys(case.platform for case in evidence.central):
        for other in one_queue:
            yield shorter(
                (f"{platform}: turnaround with {two_levels}", other),
                measure_of(evidence.central, platform=platform, arrangement=two_levels),
                measure_of(evidence.central, platform=platform, arrangement=other),
                since=TURNAROUND,
            )


ALIKE = 10.0
"""Percent of turnaround within which two brokers count as alike."""


@CLAIMS.states(
    "C21",
    "§ 4.3.4",
    "Choosing clusters by prediction is better for owners, too, than first fit and round robin",
)
def _owners_are_spared(evidence: Evidence) -> Statements:
    for platform in PLATFORMS:
        for rule, slowdown in (
            ("TAT", mean_of(evidence, "TAT", OWNERS, platform)),
            (ALL, mean_of_predictive(evidence, OWNERS, platform)),
        ):
            for other in RANDOM_BROKERS:
                theirs = mean_of(evidence, other, OWNERS, platform)
                yield lower((f"{platform}: owners' slowdown with {rule}", other), (slowdown, theirs))


@CLAIMS.states("C22", "§ 4.3.3", "On equal clusters TAT and PTT are alike whatever the local load")
def _ptt_is_tat_on_equal_clusters(evidence: Evidence) -> Statements:
    shares = sorted({case.owners for case in evidence.selection if case.platform == "555"})
    # PTT with w = 1 ranks clusters by the square of what TAT ranks by: alike it must be, and tests nothing.
    for broker in ("PTT w = 0", "PTT w = 0.5"):
        for share in shares:
            pairs = {
                column: (_with(evidence, broker, share, column), _with(evidence, "TAT", share, column))
                for column in SINCE
            }
            names = (f"555, owners on {share} %: turnaround with {broker}", "TAT")
            statement = alike(names, pairs[DELIVERED], ALIKE)
            beside = mean_interval(100 * (pairs[TURNAROUND][0] / pairs[TURNAROUND][1] - 1))
            yield replace(statement, text=f"{statement.text} (from submission {beside.mean:+.1f} %)")


def _with(evidence: Evidence, broker: str, share: int, column: int) -> FloatColumn:
    return mean_table(evidence.selection, platform="555", owners=share, broker=broker)[:, column]


@CLAIMS.states("C23", "§ 4.3.3", "Prediction gains more on equal clusters than on unequal ones")
def _equal_clusters_gain_more(evidence: Evidence) -> Statements:
    for rule in ("TAT", ALL):
        gains = {
            column: {platform: _gain_of(evidence, platform, rule, column) for platform in PLATFORMS}
            for column in SINCE
        }
        message = "; ".join(
            f"from {SINCE[column]} {mean_interval(gain['555']).text(' %', 1)} and "
            f"{mean_interval(gain['844']).text(' %', 1)}"
            for column, gain in gains.items()
        )
        gain = gains[DELIVERED]
        yield above_zero(f"{rule} gains more on RR on 555 than on 844: {message}", gain["555"] - gain["844"])


def _gain_of(evidence: Evidence, platform: str, rule: str, column: int) -> FloatColumn:
    ours = of_all(evidence, platform) if rule == ALL else of_broker(evidence, rule, platform)
    return 100 * (1 - ours(column) / mean_of(evidence, "RR", column, platform))


@CLAIMS.states("C24", "§ 4.3.3", "Round robin is the best of the classical methods")
def _round_robin_is_the_best_classical(evidence: Evidence) -> Statements:
    for platform in PLATFORMS:
        names = (f"{platform}: turnaround with RR", "FFIT")
        ours, theirs = (of_broker(evidence, broker, platform) for broker in ("RR", "FFIT"))
        yield shorter(names, ours, theirs, since=DELIVERED)
