"""Claims of the thesis' text on the choice of clusters that no figure shows alone (C21 to C24)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.reproduce.machinery.statement import above_zero, alike, lower, measured
from echelon.reproduce.multicluster.claims_clusters import (
    ALL,
    PLATFORMS,
    mean_of,
    of_all,
    of_broker,
    predictive,
)
from echelon.reproduce.multicluster.evidence import DELIVERED, OWNERS, RANDOM_BROKERS, TURNAROUND
from echelon.reproduce.multicluster.turnarounds import SINCE, shorter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.model.columns import FloatColumn
    from echelon.reproduce.machinery.statement import Statement
    from echelon.reproduce.multicluster.evidence import Evidence

ALIKE = 10.0
"""Percent of turnaround within which two brokers count as alike."""


def owners_are_spared(evidence: Evidence) -> Iterator[Statement]:
    """C21."""
    for platform in PLATFORMS:
        for words, slowdown in (
            ("TAT", mean_of(evidence, "TAT", OWNERS, platform)),
            (ALL, predictive(evidence, OWNERS, platform)),
        ):
            for other in RANDOM_BROKERS:
                theirs = mean_of(evidence, other, OWNERS, platform)
                yield lower((f"{platform}: owners' slowdown with {words}", other), (slowdown, theirs))


def ptt_is_tat_on_equal_clusters(evidence: Evidence) -> Iterator[Statement]:
    """C22."""
    shares = sorted({case.owners for case in evidence.selection if case.platform == "555"})
    # PTT with w = 1 ranks clusters by the square of what TAT ranks by: alike it must be, and tests nothing.
    for broker in ("PTT w = 0", "PTT w = 0.5"):
        for share in shares:
            pairs = {
                column: (_with(evidence, broker, share, column), _with(evidence, "TAT", share, column))
                for column in SINCE
            }
            names = (f"555, owners on {share} %: turnaround with {broker}", "TAT")
            found = alike(names, pairs[DELIVERED], ALIKE)
            beside = measured(100 * (pairs[TURNAROUND][0] / pairs[TURNAROUND][1] - 1))
            yield replace(found, text=f"{found.text} (from submission {beside.mean:+.1f} %)")


def _with(evidence: Evidence, broker: str, share: int, column: int) -> FloatColumn:
    cases = [
        values[:, column]
        for case, values in evidence.selection.items()
        if (case.platform, case.owners, case.broker) == ("555", share, broker)
    ]
    return np.asarray(np.mean(cases, axis=0))


def equal_clusters_gain_more(evidence: Evidence) -> Iterator[Statement]:
    """C23."""
    for words in ("TAT", ALL):
        gains = {
            column: {platform: _gained(evidence, platform, words, column) for platform in PLATFORMS}
            for column in SINCE
        }
        told = "; ".join(
            f"from {SINCE[column]} {measured(found['555']).text(' %', 1)} and "
            f"{measured(found['844']).text(' %', 1)}"
            for column, found in gains.items()
        )
        found = gains[DELIVERED]
        yield above_zero(f"{words} gains more on RR on 555 than on 844: {told}", found["555"] - found["844"])


def _gained(evidence: Evidence, platform: str, words: str, column: int) -> FloatColumn:
    ours = of_all(evidence, platform) if words == ALL else of_broker(evidence, words, platform)
    return 100 * (1 - ours(column) / mean_of(evidence, "RR", column, platform))


def round_robin_is_the_best_classical(evidence: Evidence) -> Iterator[Statement]:
    """C24."""
    for platform in PLATFORMS:
        names = (f"{platform}: turnaround with RR", "FFIT")
        ours, theirs = (of_broker(evidence, broker, platform) for broker in ("RR", "FFIT"))
        yield shorter(names, ours, theirs, since=DELIVERED)


STATED = (
    (
        "C21",
        "§ 4.3.4",
        "Choosing clusters by prediction is better for owners, too, than first fit and round robin",
        owners_are_spared,
    ),
    (
        "C22",
        "§ 4.3.3",
        "On equal clusters TAT and PTT are alike whatever the local load",
        ptt_is_tat_on_equal_clusters,
    ),
    (
        "C23",
        "§ 4.3.3",
        "Prediction gains more on equal clusters than on unequal ones",
        equal_clusters_gain_more,
    ),
    (
        "C24",
        "§ 4.3.3",
        "Round robin is the best of the classical methods",
        round_robin_is_the_best_classical,
    ),
)
