"""What the report on the M-CISNE thesis draws, in the place of its lost figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.reproduce.machinery.picture import Bars, Curves
from echelon.reproduce.machinery.statement import mean_interval
from echelon.reproduce.multicluster.claims_clusters import mean_of
from echelon.reproduce.multicluster.claims_queues import deviation_by_limit, mean_over, moved_owners
from echelon.reproduce.multicluster.data import TABLES, read_printed
from echelon.reproduce.multicluster.evidence import (
    BROKERS,
    DELIVERED,
    DEVIATION,
    LIMITS,
    OWNERS,
    PREDICTIVE_BROKERS,
    RULES,
    SIX,
    TURNAROUND,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.reproduce.machinery.picture import Picture
    from echelon.reproduce.multicluster.evidence import Evidence


def pictures(evidence: Evidence) -> list[Picture]:
    """Return all pictures, in the order of the experiments."""
    return [*_accuracy(evidence), *_selection(evidence), *_queueing(evidence), *_program(evidence)]


MOST = 10
"""Deviation above which a printed bar is left out: Smith and Li are off by a factor of 80 in one table."""


def _accuracy(evidence: Evidence) -> Iterator[Bars]:
    for number, (quantity, load) in TABLES.items():
        table = read_printed(number)
        shown = [name for name in SIX if table.number("deviation", column=name) < MOST]
        means = {
            name: mean_interval(evidence.statistic(load, quantity, name, DEVIATION)).mean for name in shown
        }
        # Where no job waited there is no deviation to draw.
        ours = {name: value for name, value in means.items() if np.isfinite(value)}
        bars = {
            "printed": {name: 100 * table.number("deviation", column=name) for name in ours or shown},
            **({"ours": {name: 100 * float(value) for name, value in ours.items()}} if ours else {}),
        }
        what = {"run": "execution", "wait": "waits"}[quantity]
        yield Bars(
            f"deviation-of-{what}-{load.replace(' ', '-')}",
            f"Table {number}: deviation of {what}, {load}",
            "deviation, %",
            bars,
        )


def _selection(evidence: Evidence) -> Iterator[Bars]:
    for number, platform in (("4.1", "555"), ("4.2", "844")):
        bars = {
            spread: {broker: _mean_delivery(evidence, platform, spread, broker) for broker in BROKERS}
            for spread in ("uniform", "grouped")
        }
        title = f"Figure {number}: mean turnaround on {platform}, by how owners are spread"
        yield Bars(f"turnaround-{platform}", title, "mean turnaround, s", bars)
    slow = {broker: float(mean_of(evidence, broker, OWNERS).mean()) for broker in PREDICTIVE_BROKERS}
    yield Bars("owners-slowdown", "Figure 4.4: slowdown of owners' system calls", "slowdown", {"": slow})


def _mean_delivery(evidence: Evidence, platform: str, spread: str, broker: str) -> float:
    """Return the mean over cases; where no node or every node has an owner, both ways are one."""
    cases = [
        values[:, DELIVERED]
        for case, values in evidence.selection.items()
        if (case.platform, case.broker) == (platform, broker)
        and (case.spread == spread or case.owners in (0, 100))
    ]
    return float(np.mean(cases))


def _queueing(evidence: Evidence) -> Iterator[Curves]:
    places = list(range(1, len(LIMITS) + 1))
    label = "limit of the queues (5: unlimited)"
    if moved_owners(evidence):
        lines = {
            name: [float(values.mean()) for values in deviation_by_limit(evidence, moving=moving).values()]
            for name, moving in (("fixed owners", False), ("moving owners", True))
        }
        title = "Figure 4.6: deviation of forecast turnarounds by limit"
        yield Curves("deviation-by-limit", title, label, "deviation", places, lines)
    lines = {rule: [_turnaround(evidence, rule, limit) for limit in LIMITS] for rule in RULES}
    title = "Figure 4.7: mean turnaround by limit"
    yield Curves("turnaround-by-limit", title, label, "mean turnaround, s", places, lines)


def _turnaround(evidence: Evidence, rule: str, limit: str) -> float:
    return float(mean_over(evidence, TURNAROUND, rules=(rule,), limits=(limit,)).mean())


def _program(evidence: Evidence) -> Iterator[Curves]:
    bandwidths = sorted({case.bandwidth for case in evidence.program})
    crossing = {
        variant: [evidence.answers(variant, bandwidth)[0] for bandwidth in bandwidths]
        for variant in ("optimal", "non-saturated")
    }
    title = "Figure 4.12: slowdown SC of the answer by bandwidth of a task"
    yield Curves("saturation-by-bandwidth", title, "PNBW, % of a link", "mean SC", bandwidths, crossing)
    sizes = sorted({clusters for _, clusters in evidence.scaling})
    times = {
        variant: [1000 * float(evidence.scaling[variant, clusters].mean()) for clusters in sizes]
        for variant in dict.fromkeys(variant for variant, _ in evidence.scaling)
    }
    title = "Figure 4.15: time of the program by clusters of eight nodes"
    yield Curves("program-by-clusters", title, "clusters", "milliseconds", sizes, times, logarithmic=True)
