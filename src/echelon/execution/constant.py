"""Network contention by a constant factor, as in the thesis."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

from echelon.errors import InputError
from echelon.execution.contract import volume_by_node

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.execution.contract import Traffic
    from echelon.model import Hardware


@dataclass(frozen=True, slots=True)
class Constant:
    """Slow communication down by one factor in each node whose tasks demand more than its bandwidth.

    In each node the volumes of all tasks with a sibling in another node are summed. If the sum is
    above the node's network bandwidth, these tasks communicate slower by `factor`, however much it is above;
    at the bandwidth itself they do not.

    Parameters
    ----------
    factor : float, default 0.8
        Factor of the communication speed in a node with contention, 0 < factor <= 1.
    per : {"task", "pair"}, default "task"
        The volume that a task adds: its job's volume once, as in the thesis's sum, or once for each sibling
        in another node, as in its total.
    over : float in seconds or "time", default 1
        The thesis compares bytes with bytes a second. So the volume is spread over one second, in which its
        tasks happen to run; or over this number of seconds, > 0; or over each job's own ``time``.

    Raises
    ------
    InputError
        If a parameter is out of range.

    Notes
    -----
    A task that has ended keeps its cores until its job ends, and its traffic with them: only so a job whose
    tasks are slowed alike takes 1.0204 s as printed.
    **Cost**: O(nodes of all jobs).
    **Source**: the thesis, sections 3.4.3 and 4.2.3.
    """

    factor: float = 0.8
    per: Literal["task", "pair"] = "task"
    over: float | Literal["time"] = field(default=1.0, metadata={"unit": "s"})

    name: ClassVar[str] = "constant"
    local: ClassVar[bool] = True
    source: ClassVar[str] = "Cuevas Cuesta, Universidad de Cantabria 2022, section 3.4.3"

    def __post_init__(self) -> None:
        if not 0 < self.factor <= 1:
            raise InputError(f"must be above 0 and at most 1, got {self.factor!r}", field="constant, factor")
        if self.per not in ("task", "pair"):
            raise InputError(f"must be task or pair, got {self.per!r}", field="constant, per")
        if self.over != "time" and not _is_time(self.over):
            raise InputError(
                f"must be 'time' or a finite time above 0, got {self.over!r}", field="constant, over"
            )

    def check(self, hardware: Hardware) -> None:
        """Accept any hardware."""

    def factors(self, traffic: Sequence[Traffic], hardware: Hardware) -> Sequence[Mapping[int, float]]:
        """Return for each job the factor of its communication in each of its nodes."""
        sent = volume_by_node(traffic, self._rate, pairs=self.per == "pair")
        bandwidth = hardware.node_bandwidth
        by_node = {node: self.factor if volume > bandwidth[node] else 1.0 for node, volume in sent.items()}
        return [{node: by_node[node] for node in job.tasks} for job in traffic]

    def _rate(self, job: Traffic) -> float:
        """Return what one task adds, or with one sibling, in bytes a second."""
        return job.volume / (job.time if isinstance(self.over, str) else self.over)


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and 0 < value < math.inf
