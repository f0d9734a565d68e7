"""The checker of calendars finds what it says, and passes what is allowed."""

from __future__ import annotations

import math

import pytest

from echelon.availability import Changes
from echelon.engine import reference
from echelon.engine.contract import Scenario
from echelon.errors import InputError, PolicyError
from echelon.model import Instance, OutageKind, Outages, Workload
from echelon.model.machines.reservations import Reservation
from echelon.policies import policy
from echelon.testing import check_calendar

FAR = Changes(Outages.of([(900, 901, (0,), OutageKind.DRAIN, -math.inf, 0)]))


def schedule():
    """Return two jobs of one processor, 0 to 10 on the first and 5 to 20 on the second."""
    jobs = Workload.from_columns(submit_time=[0, 5], run_time=[10, 15], processors=[1, 1], user=[1, 2])
    return reference.simulate(Scenario(Instance.of(jobs, 2), policy("easy"), changes=FAR))


def outage(kind, start, end, node):
    return Changes(Outages.of([(start, end, (node,), OutageKind[kind], -math.inf, 0)]))


@pytest.mark.parametrize(
    ("changes", "job"),
    [
        (outage("FAIL", 9, 12, 0), "job 1 held a node that was down"),
        (outage("DRAIN", 5, 12, 1), "job 2 started on a node that was drained"),
        (outage("MAINTENANCE", 19, 30, 1), "job 2 held a node that was closed to it"),
        (Changes(reservations=(Reservation("r", 3, 6, (0, 1), users=("1",)),)), "job 2 held a node"),
    ],
)
def test_what_it_finds(changes, job):
    """A schedule of another calendar breaks this one, and the first job at fault is named."""
    with pytest.raises(PolicyError, match=job):
        check_calendar(schedule(), changes).require()


@pytest.mark.parametrize(
    "changes",
    [
        outage("FAIL", 10, 12, 0),
        outage("DRAIN", 4, 5, 1),
        outage("DRAIN", 6, 99, 1),
        outage("MAINTENANCE", 10, 99, 0),
        Changes(reservations=(Reservation("r", 3, 30, (0, 1), users=("1", "2")),)),
        Changes(reservations=(Reservation("r", 6, 30, (1,), ignore_jobs=True),)),
    ],
)
def test_what_it_passes(changes):
    """A job may end as a closure begins, overlap the beginning of a drain, and use what it has access to."""
    check_calendar(schedule(), changes).require()


def test_a_schedule_that_does_not_say_where_jobs_ran():
    """Without changes processors are only counted, so there is nothing to check."""
    jobs = Workload.from_columns(submit_time=[0], run_time=[10], processors=[1])
    plain = reference.simulate(Scenario(Instance.of(jobs, 2), policy("easy")))
    with pytest.raises(InputError, match="does not say which nodes"):
        check_calendar(plain, FAR)
