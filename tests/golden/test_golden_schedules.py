"""Schedules that an independent, slow program computed: every start and end is the same in both engines."""

from __future__ import annotations

from functools import cache

import polars as pl
import pytest

from echelon.engine.contract import Scenario
from echelon.model import Instance
from echelon.policies import policy
from echelon.workloads import read_workload

PROCESSORS = {"KTH-SP2-1996-2.1-cln": 100, "SDSC-SP2-1998-4.2-cln": 128, "lublin_256": 256}
RULES = (
    "none.fcfs.raise",
    "first-fit.fcfs.raise",
    "easy.fcfs.raise",
    "easy.fcfs.kill",
    "easy.shortest-first.raise",
    "conservative.fcfs.raise",
)

log_of = cache(read_workload)
"""Each log is read once, not for every rule and engine: workloads are frozen."""


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("trace", PROCESSORS)
def test_golden_schedule(engine, data_file, trace, rules):
    """Every job of the file starts, ends and is sized as there, and no job is missing."""
    file = data_file(f"{trace}.{rules}.csv.gz")
    backfill, order, estimates = rules.split(".")
    log = "kth-sp2" if trace.startswith("KTH-SP2") else data_file(f"{trace}.swf.gz")  # KTH-SP2 is bundled
    instance = Instance.of(log_of(log), PROCESSORS[trace], estimates=estimates)
    words = order if backfill == "none" else f"{backfill}:{order}"
    schedule = engine(Scenario(instance, policy(words)))
    ours = pl.DataFrame(
        {
            "job_id": instance.workload.job_id[instance.kept],
            "submit_time": instance.submit_time,
            "start_time": schedule.start_time,
            "end_time": schedule.end_time,
            "processors": instance.size,
        }
    )
    golden = pl.read_csv(file, columns=ours.columns).cast(ours.schema).select(ours.columns)
    assert ours.sort("job_id").equals(golden.sort("job_id"))
