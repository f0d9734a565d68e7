"""Tiny workloads, crowds and drawings."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.engine.contract import Scenario
from echelon.engine.reference import simulate
from echelon.errors import UnknownNameError
from echelon.model import Instance, Workload
from echelon.policies import policy
from echelon.testing import CASES, case, crowd, draw


@pytest.mark.parametrize("tiny", CASES, ids=lambda tiny: tiny.name)
def test_tiny_workloads_run_whole(tiny):
    """Every job of a tiny workload fits its machine, and its name finds it."""
    instance = tiny.instance()
    assert instance.dropped == ()
    assert len(instance) == len(tiny.jobs)
    assert tiny.workload.name == tiny.name
    assert case(tiny.name) is tiny


def test_an_unknown_case():
    """A misspelled name is refused with the nearest one."""
    with pytest.raises(UnknownNameError, match="did you mean 'one-job'"):
        case("one-jop")


def test_crowds():
    """Equal seeds give equal crowds; jobs tie, wait in bursts, and ask for the load that was wanted."""
    table = crowd(1, 500, processors=8, load=2).workload
    assert table == crowd(1, 500, processors=8, load=2).workload
    assert table != crowd(2, 500, processors=8, load=2).workload
    assert len(np.unique(table.submit_time)) < 450
    assert crowd(1, 500, processors=8, load=2).instance().dropped == ()
    area = (table.run_time * table.processors).sum()
    assert area / (8 * table.submit_time.max()) == pytest.approx(2, rel=0.1)
    assert (table.requested_time < 0).any()
    assert (table.requested_time < table.run_time).any()


def test_drawing():
    """A drawing shows waiting and running between the times at which something happens."""
    schedule = simulate(Scenario(case("three-jobs-one-gap").instance(), policy("fcfs")))
    assert draw(schedule).splitlines() == [
        "time  0    1    2    10   20   25",
        "1 x1  ===============",
        "2 x2       ..........=====",
        "3 x1            ..........=====",
    ]


def test_drawing_long_times():
    """Columns are as wide as the longest time needs."""
    table = Workload.from_columns(submit_time=[1000000], run_time=[1e8], processors=[12])
    schedule = simulate(Scenario(Instance.of(table, 12), policy("fcfs")))
    assert draw(schedule).splitlines() == ["time   1e+06    1.01e+08", "1 x12  ========="]
