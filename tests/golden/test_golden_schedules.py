"""Schedules that an independent, slow program computed: every start and end is the same in both engines.

The compiled engine runs whole logs. The reference engine runs one of them whole, and the first jobs of the
longer ones: what started before the next job was submitted depends on these alone.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import polars as pl
import pytest

from budgets import IN_FULL
from echelon.engine import reference
from echelon.engine.contract import Scenario
from echelon.model import Instance
from echelon.policies import policy
from echelon.workloads import read_workload, transform

PROCESSORS = {"KTH-SP2-1996-2.1-cln": 100, "SDSC-SP2-1998-4.2-cln": 128, "lublin_256": 256}
RULES = (
    "none.fcfs.raise",
    "first-fit.fcfs.raise",
    "easy.fcfs.raise",
    "easy.fcfs.kill",
    "easy.shortest-first.raise",
    "conservative.fcfs.raise",
)

WHOLE = "lublin_256"
FIRST = 6_000
"""Jobs of the other logs for the reference engine."""

log_of = cache(read_workload)
"""Each log is read once, not for every rule and engine: workloads are frozen."""


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("trace", PROCESSORS)
def test_golden_schedule(engine, data_file, trace, rules):
    """Every job of the file starts, ends and is sized as there, and no job is missing."""
    file = data_file(f"{trace}.{rules}.csv.gz")
    backfill, order, estimates = rules.split(".")
    log = "kth-sp2" if trace.startswith("KTH-SP2") else data_file(f"{trace}.swf.gz")  # KTH-SP2 is bundled
    workload, decided = log_of(log), np.inf
    if trace != WHOLE and engine is reference.simulate and not IN_FULL:
        decided = workload.submit_time[FIRST]
        workload = transform.head(workload, FIRST)
    instance = Instance.of(workload, PROCESSORS[trace], estimates=estimates)
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
    ours, golden = (table.filter(pl.col("start_time") < decided) for table in (ours, golden))
    assert len(ours) > 0.85 * len(instance)
    assert ours.sort("job_id").equals(golden.sort("job_id"))
