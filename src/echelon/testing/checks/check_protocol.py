"""Check a user's own decentralized protocol: whether sites start every job, and deterministically."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.contract import Scenario
from echelon.engine.system_model import DecentralizedGrid
from echelon.errors import InputError
from echelon.policies import Decentralized, broker_of, format_broker, policy
from echelon.testing.finding import Check, Finding
from echelon.testing.grids import grid_instances
from echelon.testing.runs import compiled_engine, differences, double_times, finding_of, repeat_runs, run_all

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.model import Schedule


def check_protocol(rule: str | Decentralized, *, seed: int = 0) -> Check:
    """Check a decentralized protocol in the reference engine, on small grids.

    Parameters
    ----------
    rule : str or Decentralized
        A spec (``"stealing:50"``, ``"my.py:Protocol"``) or the protocol itself.
    seed : int, default 0
        Seed of the crowds of jobs and of the runs; equal seeds check the same.

    Returns
    -------
    Check
        The findings. A violation is a finding, not an exception.

    Raises
    ------
    InputError, UnknownNameError
        If `rule` is not a protocol, its file cannot be loaded, or it is a broker, which `check_broker`
        checks.

    Notes
    -----
    Checked: every run ends, with every job started at a site where it fits and is known; a second run gives
    the same schedule; a run has no effect on later runs; other job numbers give the same schedule. Notes:
    whether doubling all times doubles the start times (not for a protocol with a latency or other times of
    its own); how many jobs run away from home; whether the compiled engine can run it.

    Cost: some fifty simulations of up to 60 jobs.
    """
    checked = broker_of(rule)
    if not isinstance(checked, Decentralized):
        raise InputError("is a broker; use check_broker", field=checked.name)
    # The sites' policy is not used.
    scenarios = [
        Scenario(instance, policy("fcfs"), seed=seed, system_model=DecentralizedGrid(checked))
        for instance in grid_instances(seed)
    ]
    return Check("decentralized protocol", format_broker(checked), tuple(_findings(scenarios)))


def _findings(scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    schedules = yield from run_all("runs", scenarios, "ends without a forbidden decision")
    if not schedules:
        return
    yield from repeat_runs(schedules, scenarios, "a second run gives the same schedule")
    deviations = differences(schedules, [double_times(scenario) for scenario in scenarios], factor=2.0)
    yield finding_of("scale", deviations, "doubling all times doubles the start times", required=False)
    yield _use(schedules)
    yield compiled_engine(scenarios[0])


def _use(schedules: Sequence[Schedule]) -> Finding:
    away = sum(int(np.count_nonzero(schedule.site != schedule.home_site)) for schedule in schedules)
    jobs = sum(len(schedule.instance) for schedule in schedules)
    return Finding("use", away > 0, f"{away} of {jobs} jobs run away from home", required=False)
