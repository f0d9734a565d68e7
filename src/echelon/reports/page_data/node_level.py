"""The data behind the charts of a run on nodes: its nodes, and what jobs held of them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.model.schedules.features import Feature, is_capped_as_one, there
from echelon.reports.checks import POWER_COLUMNS

if TYPE_CHECKING:
    import polars as pl

    from echelon.metrics.columns.run_tables.core_occupancy import HeldCores
    from echelon.model.jobs.columns import FloatColumn
    from echelon.reports.page_data.blocks import Blocks
    from echelon.reports.tables import RunTables

JOB_COLUMNS = ("energy", "communication_volume", "speed_factor", "pairwise_hops", "diameter")
"""Columns of jobs.csv that a job's card has where they are there."""

SHARED = ("dedicated_time", "delivered_time", "forecast_wait", "forecast_run")
"""The same of jobs on a multicluster; times of each, -1 where there is none."""

_DIGITS = 4


def node_data(run: RunTables, blocks: Blocks) -> dict[str, Any] | None:
    """Pack the nodes, in the order in which the Gantt stacks them: cores of each, and of each processor."""
    if not run.is_stacked_by_node:
        return None
    machine = there(run.machine)
    types = there(run.nodes)["type"].cast(str).fill_null("")
    texts, codes = np.unique(np.asarray(list(types), dtype=str), return_inverse=True)
    return {
        "cores": blocks.add(machine.sizes),
        "processor": blocks.add(np.diff(machine.first_core_of_processor)),
        "type": blocks.add(codes),
        "types": texts.tolist(),
        **_clusters(run),
    }


def _clusters(run: RunTables) -> dict[str, Any]:
    """Return the clusters whose nodes have owners: their names, and how many nodes each has."""
    if Feature.PLACES not in run.has:
        return {}
    sites = there(run.machine).sites
    counts, names = Counter(sites), list(dict.fromkeys(sites))
    return {"clusters": {"name": names, "nodes": [counts[name] for name in names]}}


def job_columns(run: RunTables, blocks: Blocks) -> dict[str, int]:
    """Pack the columns of jobs that only jobs on nodes have, to four digits."""
    if Feature.NODES not in run.has:
        return {}
    present = [name for name in JOB_COLUMNS if name in run.jobs.columns]
    packed = {}
    for name in present:
        # -1 of jobs that were in no node of a run with several sites.
        column = _fill_unknown(run.jobs[name]) if Feature.SITES in run.has else run.float_column(name)
        packed[name] = blocks.add(_round(column))
    if Feature.PLACES in run.has:
        packed |= {
            name: blocks.add(_fill_unknown(run.jobs[name])) for name in SHARED if name in run.jobs.columns
        }
    return packed


def power_data(run: RunTables, blocks: Blocks) -> dict[str, Any] | None:
    """Pack what the machine drew over time, and what of it was idle, to four digits; and the cap."""
    if Feature.POWER not in run.has or not len(table := there(run.power)):
        return None
    time, power, idle = (table[name].cast(float).to_numpy() for name in POWER_COLUMNS)
    return {
        "time": blocks.add(time, differences=True),
        "value": blocks.add(_round(power)),
        "idle": blocks.add(_round(idle)),
        "cap": run.power_cap if is_capped_as_one(run.platform) else None,
    }


def held_data(held: HeldCores, blocks: Blocks) -> dict[str, int]:
    """Pack the job of each piece of what was held, when it began, how long it was held, woke up, was blocked.

    ``waking`` and ``blocked`` are there if any piece has some.
    """
    packed = {
        "job": blocks.add(held.row, differences=True),
        "start": blocks.add(held.start, differences=True),
        "run": blocks.add(held.release - held.start),
    }
    for name, time in (("waking", held.begin - held.start), ("blocked", held.release - held.end)):
        if time.any():
            packed[name] = blocks.add(_round(time))
    return packed


def _fill_unknown(column: pl.Series) -> FloatColumn:
    return np.asarray(column.cast(float).fill_null(-1.0).to_numpy(), dtype=np.float64)


def _round(column: FloatColumn) -> FloatColumn:
    """Return numbers to four digits, which pack into less."""
    with np.errstate(divide="ignore"):
        places = np.where(column != 0, np.floor(np.log10(np.abs(column))), 0.0)
    scale = 10.0 ** (_DIGITS - 1 - places)
    return np.rint(column * scale) / scale
