"""Check an arrangement of one's own: whether sites without a broker start every job, and always the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.compiled import supports
from echelon.engine.contract import Scenario
from echelon.errors import InputError
from echelon.model import Schedule
from echelon.policies import Decentralized, broker_of, broker_words, policy
from echelon.testing.finding import Check, Finding
from echelon.testing.grids import grid_instances
from echelon.testing.runs import differences, doubled, finding_of, repeated, run

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def check_arrangement(given: str | Decentralized, *, seed: int = 0) -> Check:
    """Check an arrangement without a broker in the reference engine, on small grids.

    Parameters
    ----------
    given : str or Decentralized
        Words (``"stealing:50"``, ``"my.py:Arrangement"``) or the arrangement itself.
    seed : int, default 0
        Of the crowds of jobs and of the runs; equal seeds check the same.

    Returns
    -------
    Check
        What was found. An arrangement that breaks a rule is a finding, not an exception.

    Raises
    ------
    InputError, UnknownNameError
        If `given` names no arrangement, its file cannot be loaded, or it is a broker; for those there is
        `check_broker`.

    Notes
    -----
    Looked at: every run comes to its end, with every job started where it fits and is known; the same again
    gives the same schedule; a run leaves nothing behind that changes another run; other job numbers give the
    same schedule. As notes: whether twice the time everywhere gives twice the start times (an arrangement
    with a latency or another span of its own need not); how many jobs run elsewhere than at home; whether the
    compiled engine can run it.

    Cost: some fifty simulations of up to 60 jobs.
    """
    checked = broker_of(given)
    if not isinstance(checked, Decentralized):
        raise InputError("is a broker; use check_broker", field=checked.name)
    # The sites' policy has no say.
    scenarios = [
        Scenario(instance, policy("fcfs"), seed=seed, broker=checked) for instance in grid_instances(seed)
    ]
    return Check("arrangement", broker_words(checked), tuple(_findings(scenarios)))


def _findings(scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    ran = [run(scenario) for scenario in scenarios]
    yield finding_of("runs", ran, "comes to its end without a forbidden decision")
    schedules = [outcome for outcome in ran if isinstance(outcome, Schedule)]
    if len(schedules) < len(ran):
        return
    yield from repeated(schedules, scenarios, "the same again gives the same schedule")
    found = differences(schedules, [doubled(scenario) for scenario in scenarios], factor=2.0)
    yield finding_of("scale", found, "twice the time everywhere gives twice the start times", required=False)
    yield _use(schedules)
    reason = supports(scenarios[0])
    yield Finding("compiled engine", reason is None, reason or "can run it", required=False)


def _use(schedules: Sequence[Schedule]) -> Finding:
    away = sum(int(np.count_nonzero(schedule.site != schedule.home_site)) for schedule in schedules)
    jobs = sum(len(schedule.instance) for schedule in schedules)
    return Finding("use", away > 0, f"{away} of {jobs} jobs run elsewhere than at home", required=False)
