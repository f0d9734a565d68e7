"""Why jobs never started, and which jobs of a run did not complete."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import echelon as ec
from echelon.model import JobStatus, Platform, Reservation, Site
from echelon.model.schedules.left_jobs import TOO_SHORT, find_never_started, incomplete_jobs, why_held
from echelon.model.schedules.status import REASONS

ENDED = REASONS[JobStatus.HELD]


def jobs():
    """Return jobs that name a reservation of two nodes for 100 s: too long, fitting, too large, too late."""
    plain = ec.Workload.from_columns(
        submit_time=[0, 0, 0, 270, 0], run_time=[150, 30, 30, 60, 500], processors=[1, 2, 3, 1, 2],
        requested_time=[150, 30, 30, 60, 500],
    )  # fmt: skip
    named = {"reservation": np.array([1, 1, 1, 1, -1])}
    return replace(plain, accounting=named, names={**plain.names, "reservation": ("course",)})


def course(**more):
    return Reservation("course", 200, 300, (0, 1), **more)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_jobs_that_never_fit_are_told_from_those_that_came_too_late(engine):
    """Two fit no occurrence, one came when too little was left of it; both engines say so."""
    found = ec.simulate(jobs(), processors=4, policy="easy", engine=engine, reservations=[course()])
    left = {drop.reason: drop.positions for drop in found.instance.dropped}
    assert left == {ENDED: (3,), TOO_SHORT: (0, 2)}
    assert incomplete_jobs(found.schedule).tolist() == [0, 2, 3]
    assert find_never_started(found.instance).tolist() == [3, 0, 2]
    assert find_never_started(found.instance, JobStatus.DEADLINE).tolist() == []
    assert found.metrics["incomplete_jobs"] == 3


def test_any_occurrence_that_is_long_enough_counts():
    """One occurrence is longer, another larger: a job of three fits neither. Flex lifts the length."""
    instance = ec.simulate(jobs(), processors=4, policy="easy", reservations=[course()]).scenario.instance
    long = Reservation("course", 1000, 2000, (0,))
    assert why_held({ENDED: [0, 1, 2, 3]}, instance, [course(), long]) == {ENDED: [0, 1, 3], TOO_SHORT: [2]}
    assert why_held({ENDED: [0, 2]}, instance, [course(flex=True)]) == {ENDED: [0], TOO_SHORT: [2]}
    assert why_held({"other": [2]}, instance, [course()]) == {"other": [2]}


def test_nodes_of_a_site_are_counted_there():
    """A reservation of the second site has two nodes: the job of three processors fits it nowhere."""
    grid = Platform((Site("north", 4), Site("south", 4)), "two")
    south = replace(course(), site=1)
    found = ec.simulate(jobs(), platform=grid, broker="mct", policy="easy", reservations=[south])
    assert {drop.reason: drop.positions for drop in found.instance.dropped}[TOO_SHORT] == (0, 2)
