"""Monitoring: how the load of time-shared machines is averaged, and how often it is published."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from echelon.errors import UnknownNameError
from echelon.lazy import Ready, Rules
from echelon.model.machines.time_shared import check_positive
from echelon.rules.family import Family

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


@dataclass(frozen=True, slots=True)
class Monitoring:
    """How the load of time-shared machines is averaged and how often it is published.

    Load is the number of processes that run or are ready to.

    Parameters
    ----------
    average : {"linear", "exponential"}, default "linear"
        How loads are averaged, see `Average`.
    window : float, default 60
        Time over which the load is averaged, in seconds, > 0.
    period : float, default 15
        Time between publications, in seconds, > 0: until then the last value is used.
    phase : {"random", "zero"}, default "random"
        When a machine first publishes, see `Phase`; random phases are of the stream ``"monitoring"`` of the
        run's seed.
    ended : {"ran", "full", "none"}, default "ran"
        What of ended jobs is subtracted, see `Ended`; used where metaschedulers correct loads, for which
        their source gives no formula.

    Raises
    ------
    InputError
        If window or period is not a finite number > 0.
    UnknownNameError
        If average, phase or ended is none of the names.

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
        for kind, name, names in (
            ("load average", self.average, AVERAGES),
            ("phase", self.phase, PHASES),
            ("rule for ended jobs", self.ended, ENDED),
        ):
            if name not in names:
                raise UnknownNameError(kind, str(name), names)
        check_positive(self.window, "window")
        check_positive(self.period, "period")


MONITORINGS: Rules[Monitoring] = Ready({average: Monitoring(average) for average in get_args(Average)})
"""Monitoring by each average."""


class _Monitorings(Family[Monitoring]):
    """Monitoring, by the name of its average."""

    def of(self, rule: object) -> Monitoring:
        """Return `rule` as monitoring: its spec, one itself, or None for the usual one."""
        return Monitoring() if rule is None else super().of(rule)


MONITORING: Family[Monitoring] = _Monitorings(
    "monitoring",
    [MONITORINGS],
    example="exponential:period=15",
    is_rule=lambda thing: isinstance(thing, Monitoring),
    must="be a Monitoring, whose averages are linear and exponential: machines know no others between events",
)
