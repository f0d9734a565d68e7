"""NodeOutlook: when enough cores of one node are free for a job, and how many more."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class Cores(NamedTuple):
    """Cores of a node: all, idle, and requested by a job."""

    total: int
    idle: int
    asked: int


def node_outlook(cores: Cores, ends: Sequence[tuple[float, int]], now: float) -> tuple[float, int]:
    """Return when the requested cores are free, in seconds, and how many more are free then.

    Parameters
    ----------
    cores : Cores
        Of the node.
    ends : sequence of (float, int)
        When each job that runs there ends, in seconds, ascending, and the cores that it gives back.
    now : float
        Simulation time, returned where nothing runs, in seconds.

    Returns
    -------
    (float, int)
        As `echelon.policies.contract.NodeView.outlook`.
    """
    idle, spare = cores.idle, cores.total - cores.asked
    for place, (end, held) in enumerate(ends):
        idle += held
        if idle >= cores.asked:
            return end, spare - sum(later for _, later in ends[place + 1 :])
    return (ends[-1][0] if ends else now), spare
