"""The tables that a run on sites of all kinds leaves."""

from __future__ import annotations

import json

import polars as pl
from tests.unit.model.schedules.mixed import IDS, mixed_schedule

from echelon.experiments.tables.holding_table import holding_table, power_table
from echelon.experiments.tables.immediate_table import replica_table
from echelon.metrics import measure
from echelon.metrics.columns.measured_schedule import Measured
from echelon.metrics.tables.node_table import node_table
from echelon.platforms.serialization import to_dict
from echelon.reports import RunTables


def mixed_run(*, copies: bool = False, **without) -> RunTables:
    """Return what a report shows of `mixed_schedule`; tables that are given replace its own."""
    schedule = mixed_schedule(copies=copies)
    measured, platform = Measured(schedule), schedule.instance.sites
    ids = pl.Series("job_id", IDS)
    jobs = pl.DataFrame(
        {
            "job_id": ids,
            "submit_time": schedule.instance.submit_time,
            "start_time": schedule.start_time,
            "end_time": measured.end,
            "run_time": measured.run,
            "processors": measured.size,
            "site": [platform.names[place] for place in schedule.site],
            "cpu_time": pl.Series(schedule.cpu_time).fill_nan(None),
        }
    )
    told = json.loads(json.dumps({"platform": to_dict(platform), "policy": "easy", "broker": "mct"}))
    tables = {
        "holdings": holding_table(schedule, ids),
        "nodes": node_table(measured),
        "power": power_table(measured),
        "places": measured.shared_nodes.table(ids),
        "replicas": replica_table(schedule, ids),
    }
    return RunTables(jobs, measure(schedule), told, **(tables | without))
