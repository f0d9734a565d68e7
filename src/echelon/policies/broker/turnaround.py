"""TAT and PTT: the shortest turnaround, of the job alone or weighed against the owners of nodes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.errors import InputError
from echelon.policies.broker.contract import Information
from echelon.policies.broker.strategy import Strategy

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.broker.contract import GridView


@dataclass(frozen=True, slots=True)
class TurnaroundTime(Strategy):
    """Choose the site with the shortest forecast turnaround of the job, wait plus run.

    On a multicluster the run's estimator forecasts it; on a grid whose nodes have no owners it is the job's
    end in the site's planned schedule, less the present time.

    Notes
    -----
    **Ties**: the lowest site.
    **Cost**: one forecast an allowed site.
    **Source**: Lérida Monsó, UAB 2009, algorithm 4.2.
    """

    name: ClassVar[str] = "tat"
    information: ClassVar[Information] = Information.SCHEDULES
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, algorithm 4.2"

    def value(self, job: Job, site: int, view: GridView) -> float:
        """Return the turnaround, in seconds; infinity if the job would never start."""
        return view.forecast(job, site).turnaround


@dataclass(frozen=True, slots=True)
class WeightedTurnaroundTime(Strategy):
    """Weigh the turnaround of the job against the owners at work at the nodes that it would get.

    PTT_k = TR_k (w TR_k / max TR + (1 - w) LT_k / max LT), where TR_k is the turnaround in cluster k and LT_k
    the number of nodes with a working owner among those it would give to the job; maxima are over the allowed
    clusters, and max LT is 1 if no owner is at work. The least PTT_k wins.

    Parameters
    ----------
    w : float, default 0.5
        From 0, for the owners, to 1, for the jobs. Of a site to which the platform gives a weight of its own,
        that one counts: PTT_k is with w_k.
    product : bool, default True
        Whether the leading factor TR_k counts. The formula is hard to read in its source.

    Raises
    ------
    InputError
        If `w` is not from 0 to 1.

    Notes
    -----
    With one w = 1 it chooses as `tat` does. On a grid whose nodes have no owners all LT_k are 0.

    **Ties**: the shorter turnaround, then the lowest site.
    **Cost**: one forecast and one scan of the nodes per allowed site.
    **Source**: Lérida Monsó, UAB 2009, algorithm 4.3 and eq. 4.1.
    """

    w: float = 0.5
    product: bool = True

    name: ClassVar[str] = "ptt"
    information: ClassVar[Information] = Information.SCHEDULES
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, algorithm 4.3"

    def __post_init__(self) -> None:
        Strategy.__post_init__(self)
        if not 0 <= self.w <= 1:
            raise InputError(f"must be from 0 to 1, got {self.w}", field="ptt, w")

    def choose(self, job: Job, view: GridView) -> int:
        """Return the allowed site of least PTT; ties: the shorter turnaround, then the lowest site."""
        turnaround = {site: view.forecast(job, site).turnaround for site in view.allowed}
        reachable = [site for site, time in turnaround.items() if time < math.inf]
        if not reachable:
            return view.allowed[0]
        occupied = {site: view.occupied(job, site) for site in reachable}
        # The divisor is also 1 if all turnarounds are 0.
        longest = max(turnaround[site] for site in reachable) or 1.0
        most = max(occupied.values()) or 1

        def rank(site: int) -> tuple[float, float]:
            time, own = turnaround[site], view.weight(site)
            w = self.w if own is None else own
            weighed = w * (time / longest) + (1 - w) * (occupied[site] / most)
            return time * weighed if self.product else weighed, time

        return min(reachable, key=rank)
