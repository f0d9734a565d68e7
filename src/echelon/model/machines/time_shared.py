"""Time-shared machines: every job starts at once and shares the cores; and how their load is published."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from echelon.errors import InputError, UnknownNameError
from echelon.lazy import Ready, Rules
from echelon.rules.family import Family

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn

Average: TypeAlias = Literal["linear", "exponential"]
"""How an operating system averages its load over a window.

``linear``: the mean of the last window, so that a new process is fully seen after one window.
``exponential``: dL/dt = (n - L) / window, as kernels do: 63 % of a change is seen after one window.
"""

Phase: TypeAlias = Literal["random", "zero"]
"""When daemons publish first: each at a time of its own within one period, or all at second 0."""

Ended: TypeAlias = Literal["ran", "full", "none"]
"""How a corrected load takes out a job that ended within the last window, elapsed seconds ago.

``ran``: what a linear average still shows of it, min(window - elapsed, the time it ran) / window. ``full``:
(window - elapsed) / window, as if it had run for a whole window. ``none``: not at all.
"""

AVERAGES: tuple[str, ...] = get_args(Average)
PHASES: tuple[str, ...] = get_args(Phase)
ENDED: tuple[str, ...] = get_args(Ended)


def _positive(value: object, name: str) -> None:
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not number or not 0 < float(value) < math.inf:  # type: ignore[arg-type]
        raise InputError(f"must be a finite number > 0, got {value!r}", field=name)


@dataclass(frozen=True, slots=True)
class ImmediateMachine:
    """A time-shared machine, apart from its cores: every job submitted to it runs at once.

    Its processes share its cores evenly (processor sharing): each makes progress at `speed` as long as there
    are no more processes than cores, and at speed x cores / processes beyond.

    Parameters
    ----------
    speed : float, default 1
        Of a core, relative to the machine on which run times were measured; > 0.

    Raises
    ------
    InputError
        If the speed is not a finite number > 0.
    """

    speed: float = 1.0

    def __post_init__(self) -> None:
        _positive(self.speed, "speed")


@dataclass(frozen=True, slots=True)
class Monitoring:
    """How the load of time-shared machines is averaged and how often it is published.

    Load is the number of processes that run or are ready to.

    Parameters
    ----------
    average : {"linear", "exponential"}, default "linear"
        See `Average`.
    window : float, default 60
        Over which the load is averaged, in seconds, > 0.
    period : float, default 15
        Time between publications, in seconds, > 0: until then the last value is used.
    phase : {"random", "zero"}, default "random"
        See `Phase`; random phases are of the stream ``"monitoring"`` of the run's seed.
    ended : {"ran", "full", "none"}, default "ran"
        See `Ended`; where metaschedulers correct loads, for which their source gives no formula.

    Raises
    ------
    InputError
        If window or period is not a finite number > 0.
    UnknownNameError
        If average, phase or ended is none of the words.

    Notes
    -----
    Source: Rodrigues, Ishii, Gomes & dos Reis, about 2014, section 3.2 (one minute, 15 s).
    """

    average: Average = field(default="linear", metadata={"in_name": True})
    window: float = field(default=60.0, metadata={"unit": "s"})
    period: float = field(default=15.0, metadata={"unit": "s"})
    phase: Phase = "random"
    ended: Ended = "ran"

    @property
    def name(self) -> str:
        """Name in specs: that of the average."""
        return self.average

    def __post_init__(self) -> None:
        if self.average not in AVERAGES:
            raise UnknownNameError("load average", str(self.average), AVERAGES)
        if self.phase not in PHASES:
            raise UnknownNameError("phase", str(self.phase), PHASES)
        if self.ended not in ENDED:
            raise UnknownNameError("rule for ended jobs", str(self.ended), ENDED)
        _positive(self.window, "window")
        _positive(self.period, "period")


MONITORINGS: Rules[Monitoring] = Ready({average: Monitoring(average) for average in get_args(Average)})
"""Monitoring by each average."""


class _Monitorings(Family[Monitoring]):
    """Monitoring, by the name of its average."""

    def of(self, given: object) -> Monitoring:
        """Return `given` as monitoring: words, one itself, or None for the usual one."""
        return Monitoring() if given is None else super().of(given)


MONITORING: Family[Monitoring] = _Monitorings(
    "monitoring",
    [MONITORINGS],
    example="exponential:period=15",
    is_rule=lambda thing: isinstance(thing, Monitoring),
    must="be a Monitoring",
)


@dataclass(frozen=True, slots=True, eq=False)
class Replicas:
    """Every copy of a job that ran somewhere, of runs whose jobs may be replicated.

    Parameters
    ----------
    job : IntColumn, shape (n_replicas,)
        Position of the job.
    site : IntColumn, shape (n_replicas,)
        Place of its site in the platform.
    start, end : FloatColumn, shape (n_replicas,)
        When it was dispatched, and when it ended or was canceled, in seconds.
    finished : ndarray of bool, shape (n_replicas,)
        Whether the copy completed; exactly one a job. The others were canceled then.
    cpu_time : FloatColumn, shape (n_replicas,), optional
        How long each of its processes had computed by its end, in seconds.
    """

    job: IntColumn
    site: IntColumn
    start: FloatColumn
    end: FloatColumn
    finished: NDArray[np.bool_]
    cpu_time: FloatColumn | None = None

    def __post_init__(self) -> None:
        columns = [self.job, self.site, self.start, self.end, self.finished]
        columns += [] if self.cpu_time is None else [self.cpu_time]
        if len({len(column) for column in columns}) > 1:
            raise InputError("columns of replicas must be equally long")
        for column in columns:
            column.flags.writeable = False

    def __len__(self) -> int:
        """Return the number of copies."""
        return len(self.job)
