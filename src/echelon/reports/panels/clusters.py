"""The clusters of a multicluster: how shared their nodes were, what owners paid, and what was rejected."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import polars as pl

from echelon.model.schedules.features import Feature, there
from echelon.quantities import figure
from echelon.reports.facts import dropped_sentences
from echelon.reports.panels.cells import UNKNOWN, Cell, duration_cell, in_unit
from echelon.reports.panels.panel import Content, Panel, hint, labeled_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.reports.tables import RunTables

MOST_CLUSTERS = 60
"""Rows of the table of a run: of more clusters, those with the most work."""

_HEADS = (
    *("Nodes", "Tasks", "Spanning jobs", "Nodes busy", "Tasks of a busy node"),
    *("Owners at work", in_unit("Owners at work, all nodes together", "s"), "Owners slowed down"),
)


def _content(runs: Sequence[RunTables], names: Sequence[str]) -> Content:
    shared = [(run, name) for run, name in zip(runs, names, strict=True) if PANEL.has(run)]
    parts = [_part(run, name if len(runs) > 1 else "") for run, name in shared]
    reading = (
        "A node is busy while it has a parallel task. Owners at work is the share of the makespan, averaged "
        "over the nodes; owners slowed down is the mean slowdown of their system calls in that time, 1 if "
        "undisturbed."
    )
    return Content("".join(parts) + hint(reading), None)


PANEL = Panel(
    "clusters",
    "Clusters and their owners",
    _content,
    needs=Feature.PLACES | Feature.NODES,
    shows_some=True,
)


def _part(run: RunTables, name: str) -> str:
    rows = cluster_rows(run)
    cells_html = [(str(row["site"]), _cells(row, run)) for row in rows[:MOST_CLUSTERS]]
    under = f" under {name}" if name else ""
    more = len(rows) - MOST_CLUSTERS
    beyond = hint(f"The {more:,} other clusters had less work.") if more > 0 else ""
    table = labeled_table(f"Clusters{under}", f"Clusters{under}", _HEADS, cells_html)
    return f"{table}{beyond}{_list_left_out(run)}"


def cluster_rows(run: RunTables) -> list[dict[str, Any]]:
    """Return what the shared nodes of each cluster did together, those with the most task time first."""
    nodes, places = there(run.nodes).filter(pl.col("slots").is_not_null()), there(run.places)
    # A column in which nothing is known is read from a file as text.
    mpl, slowdown = (pl.col(name).cast(pl.Float64).fill_null(0.0) for name in ("mean_mpl", "owner_slowdown"))
    sums = nodes.group_by("site", maintain_order=True).agg(
        nodes=pl.len(),
        tasks=pl.col("tasks").sum(),
        busy_time=pl.col("busy_time").sum(),
        task_time=(mpl * pl.col("busy_time")).sum(),
        active_time=pl.col("owner_active_time").sum(),
        delayed_time=(slowdown * pl.col("owner_active_time")).sum(),
    )
    spans = places.group_by("row").agg(pl.col("site").n_unique()).filter(pl.col("site") > 1)["row"]
    here = places.filter(pl.col("row").is_in(spans.implode())).group_by("site")
    spanning = here.agg(pl.col("row").n_unique().alias("spanning"))
    joined = sums.join(spanning, on="site", how="left", maintain_order="left")
    return joined.sort("task_time", descending=True, maintain_order=True).to_dicts()


def _cells(row: Mapping[str, Any], run: RunTables) -> list[Cell]:
    span = (run.span[1] - run.span[0]) or 1.0
    busy, active = row["busy_time"], row["active_time"]
    counts = [int(row[key] or 0) for key in ("nodes", "tasks", "spanning")]
    at_work = [UNKNOWN] * 3
    if active > 0:
        slowdown = row["delayed_time"] / active
        at_work = [_share(active / (row["nodes"] * span)), duration_cell(active)]
        at_work.append(Cell(f"{slowdown:.2f} ×", slowdown))
    return [
        *(Cell(f"{count:,}", count) for count in counts),
        _share(busy / (row["nodes"] * span)),
        Cell(figure(level := row["task_time"] / busy, 3), level) if busy > 0 else UNKNOWN,
        *at_work,
    ]


def _share(share: float) -> Cell:
    return Cell(f"{100 * share:.1f} %", share)


def _list_left_out(run: RunTables) -> str:
    """Return the list of jobs that were rejected or left out, with reasons."""
    sentences = dropped_sentences(run)
    if not sentences:
        return ""
    items = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in sentences)
    return f'<p class="told">Jobs rejected, or impossible to simulate:</p><ul class="told">{items}</ul>'
