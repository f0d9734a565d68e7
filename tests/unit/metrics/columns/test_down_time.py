"""What was down, and who held what, on machines of all kinds."""

from dataclasses import replace

import numpy as np
import pytest
from tests.unit.metrics.changed_machines import ALWAYS, f1, on_nodes, on_sites, result_of
from tests.unit.model.schedules.mixed import mixed_platform, mixed_schedule

from echelon.experiments.tables.change_tables import outage_table
from echelon.metrics import Measured, measure
from echelon.metrics.columns.down_time import Spans, merge_spans, within
from echelon.metrics.columns.held_units import attempt_nodes
from echelon.model import Instance, JobStatus, NodeUnits, OutageKind, Outages


def test_spans_of_a_node_are_joined():
    """Those that overlap are one, those that touch are two, and other nodes are left alone."""
    spans = Spans(
        np.array([1, 0, 0, 0, 1]),
        np.array([0.0, 20.0, 0.0, 10.0, 50.0]),
        np.array([np.inf, 30.0, 15.0, 20.0, 60.0]),
    )
    found = merge_spans(spans)
    assert list(zip(*(column.tolist() for column in found), strict=True)) == [
        (0, 0.0, 20.0),
        (0, 20.0, 30.0),
        (1, 0.0, np.inf),
    ]
    inside = within(found, 5.0, 25.0)
    assert (inside.start.tolist(), inside.end.tolist()) == ([5, 20, 5], [20, 25, 25])


def test_a_node_counts_for_its_cores():
    """A node of two cores that is down for 20 s takes 40 of 640 core-seconds."""
    found = measure(on_nodes())
    assert found["availability"] == pytest.approx(1 - 40 / 640)
    assert found["lost_node_seconds"] == 160
    assert attempt_nodes(on_nodes()) == ["1-2", "1-2"]
    assert outage_table(on_nodes())["jobs_killed"].to_list() == [1]


def test_nodes_are_numbered_in_their_site():
    """Processor 1 of the second site is down, and its number in tables is that within the site."""
    schedule = on_sites()
    assert attempt_nodes(schedule) == ["1-2", "1-2"]
    assert outage_table(schedule).to_dicts() == [
        {"node": 2, "site": "b", "down": 40, "up": 60, "kind": "fail", "jobs_killed": 1}
    ]
    assert measure(schedule)["availability"] == pytest.approx(1 - 20 / (5 * 160))


def test_nodes_of_all_kinds_are_one_row_of_units():
    """Five processors, two nodes of two cores, a slow desk, and two nodes for two tasks each."""
    units = NodeUnits.of(mixed_schedule().instance)
    assert units.first_node.tolist() == [0, 5, 7, 8, 10]
    assert units.first_unit.tolist() == [0, 1, 2, 3, 4, 5, 7, 9, 10, 11, 12]
    assert units.weight.tolist() == [1] * 9 + [0.5, 2, 2]
    assert units.weight.sum() == Measured(mixed_schedule()).capacity
    assert len(mixed_platform()) == 4


def test_what_goes_on_in_a_drained_node_of_any_kind_is_not_down():
    """All is drained from 20 to 30 s: the cores and slots that jobs hold then are still there."""
    rows = [(20, 30, range(count), OutageKind.DRAIN, ALWAYS, site) for site, count in enumerate((5, 2, 1, 2))]
    schedule = replace(mixed_schedule(), outages=Outages.of(rows))
    # Job 12 holds a core of each node, and 15 a slot of each node of the lab; of others it is not known.
    assert Measured(schedule).down.processor_seconds == pytest.approx(10 * (13.5 - 2 - 2))


def test_outages_outside_of_the_run_do_not_count():
    """Before the first submission and after the last end nothing is measured."""
    schedule = f1()
    rows = [(-50, 10, (1,), OutageKind.FAIL, ALWAYS, 0), (150, 500, (0,), OutageKind.DRAIN, ALWAYS, 0)]
    found = Measured(replace(schedule, outages=Outages.of(rows)))
    assert found.down.processor_seconds == 10
    assert len(found.down.failed) == 0
    assert isinstance(found.schedule.instance, Instance)


def test_tables_count_what_was_lost_and_how_long_jobs_ran():
    """A site is utilized by lost time, too, and a job that failed is of the class of what it ran."""
    from echelon.metrics import per_class, per_site, trace

    found = per_site(on_sites())
    assert found["utilization"].to_list() == pytest.approx([0, 2 * 140 / (3 * 160)])
    assert found["area"].to_list() == [0, 200]
    schedule = f1()
    assert trace(schedule, "utilization").value[-1] == measure(schedule)["utilization"]
    short = replace(schedule, status=np.array([JobStatus.FAILED_NODE], dtype=np.int8))
    lengths = (130.0, 150.0)
    classes = [per_class(one, lengths=lengths)["jobs"].to_list()[3:6] for one in (schedule, short)]
    assert classes == [[1, 0, 0], [0, 1, 0]]


def test_jobs_wait_between_attempts():
    """The queue has the job again from 40 to 60 s, and the steady part counts what it held."""
    from echelon.experiments.tables.change_tables import attempt_table
    from echelon.metrics import queue_length
    from echelon.metrics.schedule.steady import utilization_between

    steps = queue_length(f1()).changes()
    assert (steps.time.tolist(), steps.value.tolist()) == ([40, 60], [1, 0])
    result = result_of(f1())
    assert utilization_between(result.jobs, 0, 160, processors=2) == pytest.approx(280 / 320)
    assert len(attempt_table(result.measured, result.jobs["job_id"])) == 2
