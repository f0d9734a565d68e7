"""Nodes that are switched off while idle, and the first job that wakes them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from echelon.availability import Changes
from echelon.engine import reference
from echelon.metrics import energy
from echelon.model import Demand, OutageKind, Outages, Sleep, TaskGroup


def job(seconds, tasks=1):
    return Demand((TaskGroup(tasks, seconds),))


def test_a_node_is_off_from_the_instant_it_has_been_idle_for_so_long(run, machine):
    """Idle from 4, off from 14 to 20; ready at 23, where the job begins; it holds its core from 20 on."""
    hardware = machine({"cores": 1, "sleep": Sleep(after=10.0, wake_time=3.0)})
    schedule = run(hardware, (0, job(4)), (20, job(5)), (100, job(1)))
    assert schedule.start_time.tolist() == [0, 20, 100]
    assert schedule.end_time.tolist() == [4, 28, 104]
    assert schedule.sleeps.start.tolist() == [14, 38]
    assert schedule.sleeps.wake.tolist() == [20, 100]
    assert schedule.holdings.begin.tolist() == [0, 23, 103]


def test_nodes_that_are_on_come_first(run, machine):
    """The first node is off at 10; a job goes to the second, which has no sleep."""
    hardware = machine({"cores": 1, "sleep": Sleep(after=5.0, wake_time=3.0)}, 1)
    schedule = run(hardware, (0, job(1)), (10, job(1)))
    assert schedule.holdings.cores.tolist() == [0, 1]
    assert schedule.end_time.tolist() == [1, 11]


def test_an_mpi_job_begins_when_its_last_node_is_ready(run, machine):
    """Nodes ready at 13 and 18, off since 5 and 7: all tasks begin at 18."""
    hardware = machine(
        {"cores": 1, "sleep": Sleep(after=5.0, wake_time=3.0)},
        {"cores": 1, "sleep": Sleep(after=7.0, wake_time=8.0)},
        {"cores": 1},
    )
    schedule = run(hardware, (0, job(1)), (10, job(2, tasks=3)))
    assert schedule.holdings.begin[1:].tolist() == [18, 18, 18]
    assert schedule.end_time[1] == 20


def test_who_joins_a_node_that_wakes_up_waits_for_it_too(run, machine):
    """The node is ready at 110; a second job that takes its other core at 50 begins then."""
    hardware = machine({"cores": 2, "sleep": Sleep(after=0.0, wake_time=100.0)})
    schedule = run(hardware, (10, job(5)), (50, job(1)))
    assert schedule.start_time.tolist() == [10, 50]
    assert schedule.end_time.tolist() == [115, 111]


def test_sleep_after_of_the_run_goes_before_that_of_the_node(run, machine):
    """Off after 2 s, not after 10."""
    hardware = machine({"cores": 1, "sleep": Sleep(after=10.0)})
    schedule = run(hardware, (0, job(1)), (7, job(1)), sleep_after=2.0)
    assert schedule.sleeps.start.tolist() == [3]
    assert schedule.sleeps.wake.tolist() == [7]


def test_a_job_cut_before_its_node_is_ready_leaves_nothing_behind(run, machine):
    """It is cut at 10, its node would have been ready at 50: the run ends at 10, with no sleep after it."""
    hardware = machine({"cores": 1, "sleep": Sleep(after=0.0, wake_time=50.0)})
    demand = Demand((TaskGroup(1, 100.0),))
    schedule = run(hardware, (0, demand, 10.0), estimates="kill")
    assert schedule.end_time.tolist() == [10]
    assert schedule.sleeps.start.tolist() == [0, 10]
    assert schedule.sleeps.wake.tolist() == [0, np.inf]


def failing(scenario, hardware, *jobs, down, up):
    """Return the schedule of jobs on a node that fails at `down` and is back at `up`, in seconds."""
    outages = Outages.of([(down, up, [0], OutageKind.FAIL, -math.inf, 0)])
    return reference.simulate(replace(scenario(hardware, *jobs), changes=Changes(outages=outages)))


def test_a_node_that_is_off_fails_as_any_other(scenario, machine):
    """Off from 14, it is down from 20 to 40: the job of 25 starts at 40, and wakes it up then."""
    hardware = machine({"cores": 1, "sleep": Sleep(after=10.0, wake_time=3.0)})
    schedule = failing(scenario, hardware, (0, job(4)), (25, job(5)), down=20, up=40)
    assert schedule.start_time.tolist() == [0, 40]
    assert schedule.end_time.tolist() == [4, 48]
    assert (schedule.sleeps.start.tolist(), schedule.sleeps.wake.tolist()) == ([14], [40])


def test_a_node_that_is_down_draws_what_it_would_idle(scenario, machine):
    """It loses its job at 6 and is off from 16, ten seconds later, though down to 40: 10 s idle, 24 s off."""
    sleep = Sleep(after=10.0, wake_time=0.0, power=1.0, wake_power=0.0)
    hardware = machine({"cores": 1, "sleep": sleep, "power": 2.0})
    schedule = failing(scenario, hardware, (0, job(10)), down=6, up=40)
    assert schedule.attempts.start.tolist() == [0, 40]
    assert (schedule.sleeps.start.tolist(), schedule.sleeps.wake.tolist()) == ([16], [40])
    # Two attempts of 6 s and 10 s: 2 W of the node and 1 W of the core.
    assert energy(schedule).total == pytest.approx(16 * 3 + 10 * 2 + 24 * 1)
