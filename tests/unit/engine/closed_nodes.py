"""Runs of small jobs on machines of one-core nodes whose calendar a test gives, in several shapes."""

from __future__ import annotations

import math
from dataclasses import replace

from tests.unit.engine import changing

from echelon.availability import Changes
from echelon.engine import reference
from echelon.model import JobStatus, OutageKind, Outages, Workload
from echelon.testing import check_calendar

MACHINES = {
    "processors": "counted",
    "nodes": "nodes",
    "grid of processors": "pair",
    "grid of nodes": "pair of nodes",
}
SHAPES = tuple(MACHINES)
"""By what they are called here; see `changing.machine_of`."""
ALWAYS = -math.inf


def outages(*rows):
    """Return outages from rows (kind, start, end, nodes from 1[, announced])."""
    return Outages.of(
        (start, end, [node - 1 for node in nodes], OutageKind[kind.upper()], (*late, ALWAYS)[0], 0)
        for kind, start, end, nodes, *late in rows
    )


def workload(*jobs, names=(), **columns):
    """Return jobs (submit, run, nodes[, requested]); `names` are of reservations, by code from 1."""
    submit, run, size, asked = zip(*((*job, job[1])[:4] for job in jobs), strict=True)
    table = Workload.from_columns(
        submit_time=submit, run_time=run, processors=size, requested_time=asked, **columns
    )
    return replace(table, names={**table.names, "reservation": tuple(names)}) if names else table


def scenario_of(shape, nodes, jobs, changes, spec, **more):
    """Return the scenario of these jobs and changes on so many nodes, under a policy."""
    return changing.scenario_of(MACHINES[shape], spec, nodes, jobs, changes, **more)


def run(shape, nodes, jobs, changes, spec, **more):
    """Return {job's number: (start, end, status)}, of held jobs (None, None, reason); check the calendar."""
    schedule = reference.simulate(scenario_of(shape, nodes, jobs, changes, spec, **more))
    check_calendar(schedule, changes).require()
    instance = schedule.instance
    found = {
        int(instance.workload.job_id[kept]): (start, end, JobStatus(status).name)
        for kept, start, end, status in zip(
            instance.kept,
            schedule.start_time.tolist(),
            schedule.end_time.tolist(),
            schedule.status,
            strict=True,
        )
    }
    for dropped in instance.dropped:
        found |= {position + 1: (None, None, dropped.reason) for position in dropped.positions}
    return found


def times(*arguments, **more):
    """Return (start, end) of each job, in order, all of which have completed."""
    found = run(*arguments, **more)
    assert {status for *_, status in found.values()} == {"COMPLETED"}
    return [found[number][:2] for number in sorted(found)]


__all__ = ["SHAPES", "Changes", "outages", "run", "scenario_of", "times", "workload"]
