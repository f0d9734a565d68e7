"""EASY schedules that other researchers published: every start is the same under their rule of cycles.

The compiled engine runs both logs. The reference engine runs the shorter one under every rule.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import polars as pl
import pytest

from budgets import IN_FULL
from echelon.engine import compiled, reference
from echelon.engine.contract import Scenario
from echelon.model import Instance
from echelon.policies import policy
from echelon.workloads import read_workload

JOBS = {"KTH-SP2": 28481, "SDSC-SP2": 54006}
DIFFERENT = {
    ("KTH-SP2", "pyss"): 0,
    ("KTH-SP2", "instant"): 456,
    ("KTH-SP2", "event"): 9,
    ("SDSC-SP2", "pyss"): 0,
    ("SDSC-SP2", "instant"): 2395,
    ("SDSC-SP2", "event"): 45,
}

log_of = cache(read_workload)
"""Each log is read once, not for every rule and engine: workloads are frozen."""


RUNS = [
    (trace, cycles, engine)
    for trace, cycles in DIFFERENT
    for engine in (compiled, reference)
    if engine is compiled or trace == "KTH-SP2" or IN_FULL
]


@pytest.mark.parametrize(("trace", "cycles", "engine"), RUNS)
def test_published_schedule(engine, data_file, trace, cycles):
    """Under pyss no start differs; under the other rules exactly as many as are known to."""
    log = log_of(data_file(f"{trace}.swf.gz"))
    published = pl.read_csv(data_file(f"{trace}.easy.csv.gz")).sort("job")
    instance = Instance.of(log, log.header.max_procs)
    ids = instance.workload.job_id[instance.kept]
    assert len(published) == len(instance) == JOBS[trace]
    assert np.array_equal(np.sort(ids), published["job"].to_numpy())
    start = engine.simulate(Scenario(instance, policy("easy"), cycles=cycles)).start_time
    differ = start[np.argsort(ids)] != published["start"].to_numpy()
    assert int(differ.sum()) == DIFFERENT[trace, cycles]
