"""The data behind the Gantt chart: a rectangle for each interval of processors that a job held."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model.schedules.allocation import assign_at_sites, assign_processors
from echelon.model.schedules.features import Feature, there
from echelon.reports.page_data.node_level import held_data
from echelon.reports.tables import Pieces

if TYPE_CHECKING:
    from echelon.model import Platform
    from echelon.model.jobs.columns import FloatColumn
    from echelon.model.schedules.allocation import Allocation
    from echelon.model.schedules.number_sets import NumberSets
    from echelon.reports.page_data.blocks import Blocks
    from echelon.reports.tables import RunTables

MOST_PROCESSORS = 10_000_000
"""Processors a Gantt may have: numbering them takes memory for each."""

MOST_RECTANGLES = 5_000_000
"""Rectangles a Gantt may have: a page holds about one byte for each, a browser about thirty."""


def gantt_data(
    run: RunTables, name: str, blocks: Blocks, thinned: list[str], *, rows: int = 1
) -> dict[str, int] | None:
    """Pack a run's rectangles; None, and a sentence in `thinned`, where they cannot be drawn.

    Parameters
    ----------
    run : RunTables
        The run.
    name : str
        What it is called in sentences.
    blocks : Blocks
        Where the columns go: ``count`` rectangles of each job, in the jobs' order; for each rectangle the
        ``first`` processor and the ``height``, how many follow each other. On a grid processors are counted
        through all sites; without queues rows of processes are. With preemption, replication and inside a
        cluster the counts are those of pieces, what a job held together for a time: its ``job``, ``start``
        and ``run``. On nodes these may have ``waking`` and ``blocked``: how long after its start and before
        its end its tasks did not run.
    thinned : list of str
        Gets a sentence on whatever is left out.
    rows : int, default 1
        Least rows of a core that processes share.

    Notes
    -----
    Cost: that of `assign_processors` or `assign_at_sites`.
    """
    platform = run.chart_platform(rows)
    has_sites = Feature.SITES in run.has
    if (there(platform).processors if has_sites else run.processors) > MOST_PROCESSORS:
        whole = "grid" if has_sites else "machine"
        more = f"more than {MOST_PROCESSORS:,} processors"
        thinned.append(f"{name}: no Gantt chart, because the {whole} has {more}.")
        return None
    if run.is_stacked_by_node:
        held = there(run.held).join_rows()
        bars = _rectangles(held.cores, held.release - held.start, name, blocks, thinned)
        return bars | held_data(held, blocks)
    row, start, end = _pieces(run)
    try:
        allocation = _allocation(run, platform)
    except InputError as error:
        thinned.append(f"{name}: no Gantt chart: {error}.")
        return None
    packed = _rectangles(allocation, end - start, name, blocks, thinned)
    if run.segments is None and not run.has & (Feature.COPIES | Feature.NODES | Feature.ATTEMPTS):
        return packed
    times = {"start": blocks.add(start, differences=True), "run": blocks.add(end - start)}
    return packed | {"job": blocks.add(row, differences=True)} | times


def _pieces(run: RunTables) -> Pieces:
    """Return when jobs held what is drawn: where it is known which processors, each attempt."""
    if (pieces := run.closures.pieces) is not None:
        return Pieces(*pieces[:3])
    return run.at_sites[1] if Feature.SITES in run.has else run.pieces


def _allocation(run: RunTables, chart_platform: Platform | None) -> Allocation | NumberSets:
    if (pieces := run.closures.pieces) is not None:
        return pieces.processors
    if Feature.SITES in run.has:
        site, held, processes = run.at_sites
        return assign_at_sites(held.start, held.end, processes, site=site, platform=there(chart_platform))
    row, start, end = run.pieces
    size = run.int_column("processors")[row]
    return assign_processors(start, end, size, run.processors, orders=run.orders)


def _rectangles(
    intervals: Allocation | NumberSets, length: FloatColumn, name: str, blocks: Blocks, thinned: list[str]
) -> dict[str, int]:
    """Pack the rectangles of each job; of too many, the largest."""
    count, first = np.diff(intervals.offsets), intervals.first
    height = intervals.last - first + 1
    if len(first) > MOST_RECTANGLES:
        job = np.repeat(np.arange(len(count)), count)
        area = length[job] * height
        kept = np.sort(np.argpartition(-area, MOST_RECTANGLES)[:MOST_RECTANGLES])
        thinned.append(
            f"{name}: the Gantt chart shows the {len(kept):,} largest of {len(area):,} rectangles, "
            f"{100 * area[kept].sum() / area.sum():.2f} % of all processor-seconds; everything else includes "
            "all jobs."
        )
        count, first, height = np.bincount(job[kept], minlength=len(count)), first[kept], height[kept]
    return {"count": blocks.add(count), "first": blocks.add(first), "height": blocks.add(height)}
