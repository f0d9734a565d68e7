"""Grids small enough to be followed by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from echelon.engine.contract import Scenario
from echelon.engine.reference import simulate
from echelon.engine.system_model import tree_of_sites
from echelon.model import Instance, Platform, Workload
from echelon.policies import broker_of, policy


def run_on(sizes, broker, *rows):
    """Return (start, site number) of jobs given as (submit, run, processors) or with their home behind.

    Homes and sites count from 1 in ascending order of size; requests are exact.
    """
    submit, run, size, home = zip(*((*row, 0)[:4] for row in rows), strict=True)
    platform = Platform.of_sizes(sorted(sizes))
    table = Workload.from_columns(
        submit_time=submit, run_time=run, processors=size, requested_time=run, partition=home
    )
    table = replace(table, names={"partition": platform.names})
    scenario = Scenario(
        Instance.of(table, platform), policy("fcfs"), system_model=tree_of_sites(broker_of(broker))
    )
    schedule = simulate(scenario)
    return list(zip(schedule.start_time.tolist(), (schedule.site + 1).tolist(), strict=True))


@pytest.fixture(name="run_on")
def the_function():
    """Give tests `run_on`."""
    return run_on
