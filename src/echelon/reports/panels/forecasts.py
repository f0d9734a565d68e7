"""Forecasts of waits and runs: how accurate each estimator was, and each forecast beside what happened."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.metrics import accuracy_table
from echelon.model.schedules.features import Feature, there
from echelon.quantities import figure, percentage
from echelon.reports.page_data.blocks import Blocks
from echelon.reports.panels.panel import Content, Panel, body, column_heads, hint, round_numbers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from echelon.reports.tables import RunTables

MOST_POINTS = 5_000
"""Forecasts of an estimator that a scatter draws: of more, every so many."""

_HEADS = ("Estimator", "Of", "Forecasts", "Deviation", "Slope", "Ra", "Corrected", "Cost")


def _content(runs: Sequence[RunTables], names: Sequence[str]) -> Content | None:
    forecast = [(run, name) for run, name in zip(runs, names, strict=True) if PANEL.has(run)]
    forecast_tables = [(run, name, table) for run, name in forecast if len(table := there(run.forecasts))]
    if not forecast_tables:
        return None
    tables = [(name, accuracy_table(table)) for _, name, table in forecast_tables]
    captions = len(runs) > 1
    listed = "".join(_table(name if captions else "", table) for name, table in tables)
    data = [
        {"run": runs.index(run), "estimators": _points(table, accuracy)}
        for (run, _, table), (_, accuracy) in zip(forecast_tables, tables, strict=True)
    ]
    reading = (
        "Waits are those in the queue of a cluster, from dispatch on; turnaround is wait plus run time. "
        "Deviation is the sum of all errors over the sum of the real times. Slope is that of the regression "
        "line of forecasts on real times through the origin: above 1 the estimator predicts too much, below "
        "1 too little. Ra is near 1 if its error is a constant factor; the corrected deviation is the one "
        "that remains if each forecast is divided by the slope. Cost is the mean time that a forecast took. "
        "A forecast was made when its job was dispatched to a cluster; jobs that were never dispatched have "
        "none."
    )
    longest = max(len(part) for _, _, table in forecast_tables for part in table.partition_by("estimator"))
    if longest > MOST_POINTS:
        reading += f" The charts show at most {MOST_POINTS:,} forecasts of an estimator, evenly chosen."
    return Content(listed + body("forecasts") + hint(reading), data)


PANEL = Panel("forecasts", "Forecasts", _content, needs=Feature.FORECASTS, shows_some=True)


def _table(caption: str, accuracy: pl.DataFrame) -> str:
    head, rows = column_heads(_HEADS), "".join(map(_row, accuracy.iter_rows(named=True)))
    title = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="Accuracy of the forecasts">'
        f'<table class="accuracy">{title}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _row(row: Mapping[str, Any]) -> str:
    cells = [
        row["quantity"],
        f"{row['jobs']:,}",
        _percent(row["deviation"]),
        _number(row["slope"]),
        _number(row["adjusted_correlation"]),
        _percent(row["corrected_deviation"]),
        _cost(row["seconds"]),
    ]
    # An estimator is named once, beside its first quantity.
    first = html.escape(row["estimator"]) if row["quantity"] == "wait" else ""
    group = ' class="first"' if first else ""
    forecast = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr{group}><th scope="row">{first}</th>{forecast}</tr>'


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _percent(value: float | None) -> str:
    return "–" if value is None else percentage(100 * value)


def _cost(seconds: float | None) -> str:
    return "–" if seconds is None else f"{figure(1000 * seconds, 3)} ms"


def _points(forecasts: pl.DataFrame, accuracy: pl.DataFrame) -> list[dict[str, Any]]:
    """Pack the forecasts of each estimator, with the regression lines of waits and runs."""
    points = []
    for table in forecasts.partition_by("estimator", maintain_order=True):
        name = str(table["estimator"][0])
        rows = [row for row in accuracy.iter_rows(named=True) if row["estimator"] == name]
        slope = {row["quantity"]: row["slope"] for row in rows}
        step = -(-len(table) // MOST_POINTS)
        kept = table.gather_every(step)
        blocks = Blocks()
        columns = {"row": blocks.add(kept["row"].cast(int).to_numpy())}
        for column in ("wait", "run", "real_wait", "real_run"):
            values = round_numbers(kept[column].cast(float).to_list(), 4)
            columns[column] = blocks.add(np.array(values, dtype=np.float64))
        lines = {quantity: _slope(slope.get(quantity)) for quantity in ("wait", "run")}
        points.append({"name": name, "blocks": blocks.packed, "columns": columns, "slope": lines})
    return points


def _slope(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else round_numbers([value])[0]
