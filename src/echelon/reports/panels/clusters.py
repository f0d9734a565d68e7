"""The clusters of a multicluster: how shared their nodes were, what owners paid, and what was rejected."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import polars as pl

from echelon.model.schedules.features import Feature, there
from echelon.quantities import duration, figure
from echelon.reports.facts import dropped_sentences
from echelon.reports.panels.panel import Content, Panel, hint

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.reports.tables import RunTables

MOST_CLUSTERS = 60
"""Rows of the table of a run: of more clusters, those with the most work."""

_HEADS = (
    *("Cluster", "Nodes", "Tasks", "Spanning jobs", "Nodes busy", "Tasks of a busy node"),
    *("Owners at work", "Owners slowed down"),
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
    head = "".join(f'<th scope="col">{text}</th>' for text in _HEADS)
    body = "".join(_row(row, run) for row in rows[:MOST_CLUSTERS])
    title = f"<caption>{html.escape(name)}</caption>" if name else ""
    more = len(rows) - MOST_CLUSTERS
    beyond = f'<p class="hint">The {more:,} other clusters had less work.</p>' if more > 0 else ""
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="Clusters">'
        f'<table class="clusters">{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
        f"{beyond}{_left_out(run)}"
    )


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


def _row(row: Mapping[str, Any], run: RunTables) -> str:
    span = float(run.float_column("end_time").max() - run.float_column("submit_time").min()) or 1.0
    busy, active = row["busy_time"], row["active_time"]
    cells = [
        f"{row['nodes']:,}",
        f"{row['tasks']:,}",
        f"{row['spanning'] or 0:,}",
        f"{100 * busy / (row['nodes'] * span):.1f} %",
        figure(row["task_time"] / busy, 3) if busy > 0 else "–",
        f"{100 * active / (row['nodes'] * span):.1f} % ({duration(active)})" if active > 0 else "–",
        f"{row['delayed_time'] / active:.2f} ×" if active > 0 else "–",
    ]
    texts = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr><th scope="row">{html.escape(str(row["site"]))}</th>{texts}</tr>'


def _left_out(run: RunTables) -> str:
    """Return the list of jobs that were rejected or left out, with reasons."""
    sentences = dropped_sentences(run)
    if not sentences:
        return ""
    items = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in sentences)
    return f'<p class="told">Jobs rejected, or impossible to simulate:</p><ul class="told">{items}</ul>'
