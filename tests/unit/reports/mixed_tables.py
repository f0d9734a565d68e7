"""The tables that a run on sites of all kinds leaves."""

from __future__ import annotations

import json

import polars as pl
from tests.unit.model.schedules.mixed import mixed_schedule

from echelon.experiments.tables.place_table import holding_table, power_table, replica_table
from echelon.metrics import measure
from echelon.metrics.columns.measured_schedule import Measured
from echelon.metrics.tables.nodes.node_table import node_table
from echelon.platforms.serialization import to_dict
from echelon.reports import RunTables


def mixed_run(*, copies: bool = False) -> RunTables:
    """Return what a report shows of `mixed_schedule`."""
    return run_of(mixed_schedule(copies=copies))


def run_of(schedule) -> RunTables:
    """Return what a report shows of a schedule with sites; its jobs are called 11, 12 and so on."""
    measured, platform = Measured(schedule), schedule.instance.sites
    ids = pl.Series("job_id", range(11, 11 + len(schedule.instance)))
    jobs = pl.DataFrame(
        {
            "job_id": ids,
            "submit_time": schedule.instance.submit_time,
            "start_time": schedule.start_time,
            "end_time": measured.end,
            "run_time": measured.run,
            "processors": measured.size,
            "site": [platform.names[place] for place in schedule.site],
        }
    )
    if schedule.cpu_time is not None:
        jobs = jobs.with_columns(cpu_time=pl.Series(schedule.cpu_time).fill_nan(None))
    told = json.loads(json.dumps({"platform": to_dict(platform), "policy": "easy", "broker": "mct"}))
    tables = {
        "holdings": holding_table(schedule, ids),
        "nodes": node_table(measured),
        "power": power_table(measured),
        "places": measured.shared_nodes and measured.shared_nodes.table(ids),
        "replicas": replica_table(schedule, ids),
    }
    return RunTables(jobs, measure(schedule), told, **tables)
