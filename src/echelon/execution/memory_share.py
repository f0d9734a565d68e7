"""Memory contention per processor by sharing its bandwidth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from echelon.errors import InputError
from echelon.model import Processor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.execution.contract import Load
    from echelon.model import Hardware, Node

WEIGHTS = ("demand", "equal")


@dataclass(frozen=True, slots=True)
class MemoryShare:
    """Share a processor's memory bandwidth among its tasks when their demand exceeds it.

    Parameters
    ----------
    weights : {"demand", "equal"}, default "demand"
        Shares of the bandwidth B. ``demand``: in proportion to demand, so that all tasks slow down alike, to
        min(1, B / Q) for a total demand Q. ``equal``: the same for each, except that no task gets more than
        its demand (max-min fairness): tasks with little demand are not slowed.

    Notes
    -----
    A processor without a given bandwidth has no limit.
    **Cost**: O(loads), with equal weights O(loads log loads) a processor.
    **Source**: none; max-min fairness as in Bertsekas and Gallager, Data Networks, 1992, section 6.5.
    """

    weights: Literal["demand", "equal"] = "demand"

    name: ClassVar[str] = "memory-share"
    scope: ClassVar[Literal["processor", "node"]] = "processor"
    source: ClassVar[str] = "Bertsekas and Gallager, Data Networks 1992, section 6.5"

    def __post_init__(self) -> None:
        if self.weights not in WEIGHTS:
            raise InputError(f"must be demand or equal, got {self.weights!r}", field="memory-share, weights")

    def check(self, hardware: Hardware) -> None:
        """Accept any hardware."""

    def factors(self, loads: Sequence[Load], part: Processor | Node) -> Sequence[float]:
        """Return the factor of each load's tasks, 0 < factor <= 1."""
        assert isinstance(part, Processor)
        limit = part.memory_bandwidth
        asked = sum(load.tasks * load.bandwidth for load in loads)
        if asked <= limit:
            return [1.0] * len(loads)
        if self.weights == "demand":
            return [limit / asked if load.bandwidth else 1.0 for load in loads]
        level = _fair_level(loads, limit)
        return [min(1.0, level / load.bandwidth) if load.bandwidth else 1.0 for load in loads]


def _fair_level(loads: Sequence[Load], limit: float) -> float:
    """Return the bandwidth of each task with unmet demand, in bytes a second, if all exceed `limit`."""
    tasks, level = sum(load.tasks for load in loads), 0.0
    for load in sorted(loads, key=lambda load: load.bandwidth):
        level = limit / tasks
        if load.bandwidth >= level:
            break
        limit -= load.tasks * load.bandwidth
        tasks -= load.tasks
    return level
