"""Numbers of the thesis' text on E2 and E3, whose figures are lost, beside ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce.machinery.figure import Figure, Quantity
from echelon.reproduce.machinery.statement import gain
from echelon.reproduce.multicluster.claims_clusters import mean_of, predictive
from echelon.reproduce.multicluster.claims_queues import BOUNDED, mean_over
from echelon.reproduce.multicluster.evidence import DELIVERED, MISSED, OWNERS, RULES, TURNAROUND
from echelon.reproduce.multicluster.printed import printed_in_text

if TYPE_CHECKING:
    from echelon.model.columns import FloatColumn
    from echelon.reproduce.machinery.printed_data import PrintedFigure
    from echelon.reproduce.multicluster.evidence import Evidence

_QUANTITIES = {
    "gain": Quantity("gain", "shorter turnaround", "%", "mean(1 - ours / the other's)"),
    "comfort": Quantity("comfort", "less slowdown of owners", "%", "mean(1 - ours / the other's)"),
    "accuracy": Quantity("accuracy", "less deviation", "%", "mean(1 - ours / the other's)"),
}


_SQUARE = "by equation 4.1 PTT with w = 1 ranks clusters by the square of what TAT ranks by, so chooses alike"


def text_figures(evidence: Evidence) -> list[Figure]:
    """Return every number of the text, with our mean over seeds."""
    return [
        Figure(
            line.subject,
            _QUANTITIES[line.quantity],
            line.printed,
            line.where,
            _ours(evidence, line),
            why=_SQUARE if line.subject.startswith("PTT w = 1 ") else "",
        )
        for line in printed_in_text()
    ]


def _ours(evidence: Evidence, line: PrintedFigure) -> float:
    return gain(*_pair(evidence, line)).mean


def _pair(evidence: Evidence, line: PrintedFigure) -> tuple[FloatColumn, FloatColumn]:
    first, _, second = line.subject.partition(" against ")
    if second == "RR":
        platform = first.partition(":")[0]
        return predictive(evidence, DELIVERED, platform), mean_of(evidence, "RR", DELIVERED, platform)
    if second == "TAT":
        column = OWNERS if line.quantity == "comfort" else DELIVERED
        return mean_of(evidence, first, column), mean_of(evidence, "TAT", column)
    column = MISSED if line.quantity == "accuracy" else TURNAROUND
    if second == "none":
        again, once = RULES[2:], RULES[:2]
        return (
            mean_over(evidence, column, rules=again, limits=BOUNDED),
            mean_over(evidence, column, rules=once, limits=BOUNDED),
        )
    return (
        mean_over(evidence, column, rules=(first,), limits=BOUNDED, moving=True),
        mean_over(evidence, column, rules=(second,), limits=BOUNDED, moving=True),
    )
