"""PlannedChanges: when a run outlasts the horizon of its failures."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import echelon as ec
from echelon.errors import InputError
from echelon.experiments.changes.planned_changes import (
    MOST_HORIZONS,
    PlannedChanges,
    extend_horizon,
    planned_changes_of,
)
from echelon.experiments.scenario import scenario_of
from echelon.model import Schedule

JOBS = ec.Workload.from_columns(submit_time=[0], run_time=[100], processors=[1])


def scenario(**settings):
    """Return a scenario on two processors."""
    return scenario_of(JOBS, processors=2, **settings)


def schedule(one, end):
    """Return a schedule of the scenario whose last job ends at `end`."""
    start = np.array([end - 100.0])
    return Schedule(one.instance, start)


def test_a_run_within_its_horizon_is_over():
    """Up to the horizon nothing has to be repeated; without endless changes there is no horizon."""
    weekly = scenario(maintenance="50/10/weekly")
    assert extend_horizon(weekly, schedule(weekly, weekly.changes.horizon)) is None
    once = scenario(maintenance="50/10")
    assert extend_horizon(once, schedule(once, 1e12)) is None
    assert [planned_changes_of(one).are_endless for one in (weekly, once, scenario())] == [True, False, False]
    assert [planned_changes_of(one).horizon for one in (once, scenario())] == [math.inf] * 2


def test_a_run_beyond_its_horizon_is_made_again():
    """It gets twice the horizon, with the occurrences that it missed."""
    weekly = scenario(maintenance="50/10/daily")
    end = weekly.changes.horizon + 1
    longer = extend_horizon(weekly, schedule(weekly, end))
    assert longer is not None
    assert planned_changes_of(longer).horizon == 2 * weekly.changes.horizon
    assert len(longer.changes.outages) > len(weekly.changes.outages)
    assert longer.instance is weekly.instance


@pytest.mark.slow
def test_a_run_that_never_ends_is_given_up():
    """After so many horizons the message says what helps."""
    one = scenario(failures="constant:50", repair_times="constant:0")
    far = replace(one, changes=one.changes.up_to(MOST_HORIZONS * one.changes.horizon))
    with pytest.raises(InputError, match=r"--checkpoint daly .*--max-requeues"):
        extend_horizon(far, schedule(far, far.changes.horizon + 1))


@pytest.mark.slow
def test_a_job_that_cannot_end_is_given_up_at_once():
    """Where an attempt meets more failures than could ever be missed, nothing is repeated first."""
    one = scenario(failures="exponential:mean=1s", repair_times="constant:0")
    with pytest.raises(InputError, match="nodes fail faster than the largest jobs end"):
        extend_horizon(one, schedule(one, one.changes.horizon + 1))
    saved = scenario(failures="exponential:mean=1s", repair_times="constant:0", checkpoint=1)
    assert extend_horizon(saved, schedule(saved, saved.changes.horizon + 1)) is not None


def test_a_run_that_repeats_keep_from_ending_says_so():
    """Without failures the message names the job that waits for what repeats."""
    one = scenario(maintenance="50/10/weekly/nodes=1-2")
    far = replace(one, changes=one.changes.up_to(MOST_HORIZONS * one.changes.horizon))
    with pytest.raises(InputError, match=r"maintenance: .* 1 job, first job 1, could not start"):
        extend_horizon(far, schedule(far, far.changes.horizon + 200))


def test_a_machine_that_never_changes_has_no_settings():
    """Everything about changes is empty where there are none."""
    plain = scenario()
    assert planned_changes_of(plain) == PlannedChanges()
    assert (planned_changes_of(plain).asked, planned_changes_of(plain).streams) == ({}, ())
    assert (planned_changes_of(plain).not_modelled, planned_changes_of(plain).notes) == ((), ())


def test_plans_see_what_repeats_beyond_the_horizon():
    """A job that no gap can hold does not start in the empty time between the last repeat and the horizon."""
    jobs = ec.Workload.from_columns(submit_time=[0, 0], run_time=[1500, 300], processors=[2, 2])
    with pytest.raises(InputError, match=r"1 job, first job 2, could not start before what repeats ends"):
        ec.simulate(
            jobs, processors=2, policy="fcfs", maintenance="1600/500/every=750", reservation_conflict="wait"
        )


def test_repeats_reach_as_far_as_the_longest_attempt():
    """Maintenance is known up to the end of an attempt, with its checkpoints, that starts at the horizon."""
    settings = {
        "maintenance": "50/10/every=20000",
        "failures": "exponential:mean=9d",
        "repair_times": "constant:9",
    }
    long = ec.Workload.from_columns(submit_time=[0], run_time=[19000], processors=[1])
    for given, longest in (({}, 19000), ({"checkpoint": 100, "checkpoint_cost": 90}, 19000 + 189 * 90)):
        changes = scenario_of(long, processors=2, **settings, **given).changes
        kept = changes.outages.of_kind(ec.model.OutageKind.MAINTENANCE)
        first_beyond = 20000 * np.ceil((changes.horizon + longest - 50) / 20000) + 50
        assert kept.start.max() == first_beyond - 20000


def test_a_job_that_no_gap_of_its_site_can_hold_is_refused_at_once():
    """Where repeats leave a site too little time, the first run already shows that its job never starts."""
    jobs = ec.Workload.from_columns(submit_time=[0, 0], run_time=[1500, 300], processors=[1, 1])
    one = scenario_of(jobs, platform=[1, 2], broker="mpl", maintenance="1600/500/every=750@site-2")
    start = np.array([0, one.changes.horizon + 1])
    assert extend_horizon(one, Schedule(one.instance, start, site=np.array([1, 0]))) is not None
    with pytest.raises(InputError, match=r"jobs still run after .*: 1 job, first job 2,"):
        extend_horizon(one, Schedule(one.instance, start, site=np.array([1, 1])))
