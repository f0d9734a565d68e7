"""Rules: the settings of time-shared machines, apart from the metascheduler."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from echelon.errors import InputError, UnknownNameError
from echelon.model import Monitoring

Experience: TypeAlias = Literal["warm", "cold"]
"""What metaschedulers know of CPU times before the run.

``warm``: of every application at every machine, the mean CPU time of the application's jobs there. ``cold``:
nothing.
"""

CpuUse: TypeAlias = Literal["full", "log"]
"""The share of a core that a process demands.

``full``: jobs are CPU-bound, as in the SINAPAD study. ``log``: a job computes for the average CPU time in its
log and waits for input and output for the rest of its run time; without that time in the log it is CPU-bound.
"""

EXPERIENCES: tuple[str, ...] = get_args(Experience)
CPU_USES: tuple[str, ...] = get_args(CpuUse)


@dataclass(frozen=True, slots=True)
class ImmediateRules:
    """How time-shared machines are monitored, and how a metascheduler works.

    Parameters
    ----------
    monitoring : Monitoring, default one minute linear, every 15 s, random phases
        How loads are averaged and published.
    decision_time : float, default 0
        Time that the metascheduler takes for each decision, in seconds, >= 0: one at a time, in the order of
        submission. It uses the information at the end of the decision, when the job is dispatched.
    experience : {"warm", "cold"}, default "warm"
        Knowledge of CPU times before the run; see `Experience`.
    cpu_use : {"full", "log"}, default "full"
        See `CpuUse`.

    Raises
    ------
    InputError
        If the decision time is not a finite number >= 0.
    UnknownNameError
        If a value is unknown.
    """

    monitoring: Monitoring = field(default_factory=Monitoring)
    decision_time: float = 0.0
    experience: Experience = "warm"
    cpu_use: CpuUse = "full"

    def __post_init__(self) -> None:
        time = self.decision_time
        if not isinstance(time, int | float) or isinstance(time, bool) or not 0 <= time < math.inf:
            raise InputError(f"must be a finite number >= 0, got {time!r}", field="decision-time")
        if self.experience not in EXPERIENCES:
            raise UnknownNameError("experience", str(self.experience), EXPERIENCES)
        if self.cpu_use not in CPU_USES:
            raise UnknownNameError("CPU use", str(self.cpu_use), CPU_USES)
