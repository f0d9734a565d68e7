"""Variation: the factor by which each job alone takes longer than its profile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.multicluster.sharing.nodes import program_of
from echelon.model.streams import stream

if TYPE_CHECKING:
    from echelon.engine.contract import Scenario
    from echelon.execution.time_shared import TimeShared
    from echelon.model import Job


def times_of_profile(scenario: Scenario, execution: TimeShared) -> list[float]:
    """Return the time of each job alone as a multiple of its run time: noise times its program's error.

    Notes
    -----
    The noise is drawn with the scenario's seed. The error of a profile is the same in every run, for any
    seed.
    """
    factor = np.ones(len(scenario.instance))
    if deviation := execution.noise:
        random = stream(scenario.seed, "execution/noise")
        factor = np.exp(random.normal(-deviation * deviation / 2, deviation, len(factor)))
    if execution.profile:
        programs = [_program(job) for job in scenario.instance.jobs()]
        error = {program: _error(program, execution.profile) for program in sorted(set(programs))}
        factor = factor * np.array([error[program] for program in programs])
    times: list[float] = factor.tolist()
    return times


def _program(job: Job) -> str:
    return f"{program_of(job).name or job.executable} on {job.processors}"


def _error(program: str, deviation: float) -> float:
    """Return the factor of all jobs of a program: lognormal of mean 1."""
    exponent = stream(0, f"execution/profile/{program}").normal(-deviation * deviation / 2, deviation)
    return float(np.exp(exponent))
