"""The thesis' tables beside ours (3.4 to 3.11), and the numbers of its text, whose figures are lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce.machinery.figure import Apart, Figure, Quantity, figures_beside
from echelon.reproduce.machinery.printed_table import beside_print
from echelon.reproduce.machinery.statement import gain, mean_interval
from echelon.reproduce.multicluster.claims_clusters import mean_of, mean_of_predictive
from echelon.reproduce.multicluster.claims_queues import BOUNDED, mean_over
from echelon.reproduce.multicluster.data import MISPRINTS, TABLES, printed_in_text, read_printed
from echelon.reproduce.multicluster.evidence import (
    CORRECTED,
    DELIVERED,
    MISSED,
    OWNERS,
    RULES,
    TURNAROUND,
    Predicted,
)
from echelon.reproduce.multicluster.fit import TARGETS

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn
    from echelon.reproduce.machinery.printed_table import Cell, PrintedFigure, PrintedTable
    from echelon.reproduce.multicluster.evidence import Evidence, Predicted


_MEASURES = ("slope", "Ra", "deviation")
_OF = {"run": "execution times", "wait": "waits"}
_WHERE = {"run": "§ 3.5.3", "wait": "§ 3.5.4"}
_WHY = {
    "3.8": "hardly any job waits under sharing, so that errors are many times a mean wait, and scatter",
    "3.11": "the times are of another program on another machine",
}
"""Why cells of a table differ, where that is known."""
_UNDER = {"dedicated": "dedicated", "shared": "shared without owners", "high load": "shared, owners on half"}


def estimate_tables(evidence: Evidence) -> list[PrintedTable]:
    """Return tables 3.4 to 3.11, means over seeds beside what was printed."""
    accuracy = [_accuracy(evidence, number, *what) for number, what in TABLES.items()]
    return [*accuracy, _correction(evidence), _cost(evidence)]


def _accuracy(evidence: Evidence, number: str, quantity: Predicted, load: str) -> PrintedTable:
    table = read_printed(number)

    def ours(labels: tuple[str, ...]) -> list[float]:
        column = _MEASURES.index(labels[0])
        return [_mean(evidence.statistic(load, quantity, name, column)) for name in table.columns]

    title = f"Accuracy of {_OF[quantity]}, {_UNDER[load]}; deviations as shares"
    return beside_print(
        table,
        (f"table {number}", title, f"{_WHERE[quantity]}, table {number}"),
        ours,
        unit="",
        ranked=lambda labels: labels == ("deviation",),
        misprints=MISPRINTS.get(number),
        apart=_fitted_cells(number),
        why=_WHY.get(number, ""),
    )


def _mean(values: FloatColumn) -> float:
    return mean_interval(values).mean


def _fitted_cells(number: str) -> dict[Cell, Apart]:
    """Return the cells that the world was fitted to: that they agree would say nothing."""
    apart = Apart("worked back", "the world was fitted to it")
    return {((target.statistic,), target.estimator): apart for target in TARGETS if target.table == number}


def _correction(evidence: Evidence) -> PrintedTable:
    table = read_printed("3.10")
    again = {
        (labels, column): Apart("printed before", "in tables 3.8 and 3.9")
        for labels in table.rows
        for column in table.columns
        if not column.startswith(CORRECTED) and (labels[1], column) != ("Hybrid", "deviation")
    }
    title = "Waits before and after correction; deviations as shares"
    heading = ("table 3.10", title, "§ 3.5.6.2, table 3.10")
    return beside_print(
        table, heading, lambda labels: _correction_row(evidence, *labels), unit="", ranked=False, apart=again
    )


def _correction_row(evidence: Evidence, load: str, estimator: str) -> tuple[float, ...]:
    return tuple(
        float(value)
        for name in (estimator, f"{CORRECTED} {estimator}")
        for value in map(_mean, evidence.accuracy[load, "wait", name].T)
    )


def _cost(evidence: Evidence) -> PrintedTable:
    table = read_printed("3.11")
    return beside_print(
        table,
        ("table 3.11", "Cost of a forecast", "§ 3.5.7, table 3.11"),
        lambda labels: [evidence.cost[labels[0], name].mean() for name in table.columns],
        unit="s",
        why=_WHY["3.11"],
    )


_QUANTITIES = {
    "gain": Quantity("gain", "shorter turnaround", "%", "mean(1 - ours / the other's)"),
    "comfort": Quantity("comfort", "less slowdown of owners", "%", "mean(1 - ours / the other's)"),
    "accuracy": Quantity("accuracy", "less deviation", "%", "mean(1 - ours / the other's)"),
}


_SQUARE = "by equation 4.1 PTT with w = 1 ranks clusters by the square of what TAT ranks by, so chooses alike"


def text_figures(evidence: Evidence) -> list[Figure]:
    """Return every number of the text, with our mean over seeds."""
    return figures_beside(
        printed_in_text(),
        _QUANTITIES,
        lambda line: gain(*_pair(evidence, line)).mean,
        why=lambda line: _SQUARE if line.subject.startswith("PTT w = 1 ") else "",
    )


def _pair(evidence: Evidence, line: PrintedFigure) -> tuple[FloatColumn, FloatColumn]:
    first, _, second = line.subject.partition(" against ")
    if second == "RR":
        platform = first.partition(":")[0]
        return mean_of_predictive(evidence, DELIVERED, platform), mean_of(evidence, "RR", DELIVERED, platform)
    if second == "TAT":
        column = OWNERS if line.quantity == "comfort" else DELIVERED
        return mean_of(evidence, first, column), mean_of(evidence, "TAT", column)
    column = MISSED if line.quantity == "accuracy" else TURNAROUND
    moving, pair = (None, (RULES[2:], RULES[:2])) if second == "none" else (True, ((first,), (second,)))
    ours, theirs = (mean_over(evidence, column, rules=rules, limits=BOUNDED, moving=moving) for rules in pair)
    return ours, theirs
