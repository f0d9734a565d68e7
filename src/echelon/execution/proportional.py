"""Network contention by link capacity: all flows share the links fairly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from echelon.errors import InputError
from echelon.execution.contract import volume_by_node
from echelon.execution.flows import flows_of
from echelon.execution.max_min import max_min_shares

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.execution.contract import Traffic
    from echelon.model import Hardware


@dataclass(frozen=True, slots=True)
class Proportional:
    """Slow communication down in proportion to the overload of the links it crosses.

    The tasks of a job in one node and those in another are a flow between the two. It demands pairs of tasks
    x volume / time bytes per second and crosses the link of either node and, if the machine has a topology,
    the links of the route. All flows rise together, each from zero to its demand, until a link is full; flows
    that cross it keep their rates, the others rise further (progressive filling). A task waits for the
    slowest of those it talks with: communication in a node slows down to the smallest share of its demand
    that a flow of the job from this node gets. Where one link is too narrow, that is exactly min(1, bandwidth
    / demand).

    Parameters
    ----------
    weights : {"demand", "equal"}, default "demand"
        How flows rise: ``demand``: in proportion to their demands, so that flows that share a full link get
        the same share of their demands; ``equal`` with the same bytes a second each, plain max-min fairness,
        so that small flows are not slowed by large ones.
    links : {"all", "own"}, default "all"
        Which links a task's communication waits for. ``own``: only that of its own node, whose load is the
        total demand of its tasks; communication there slows down to min(1, bandwidth / demand), regardless of
        the other ends, and `weights` has no effect.

    Notes
    -----
    Which task of a pair sends is not given. So a flow may need its whole demand in either direction, on links
    of equal width in both: a node's link is full when the demands of flows from and to it reach its
    bandwidth. Without a topology, and with ``weights=demand``, all nodes of a job have the same factor: each
    has a flow to the node whose link is the fullest.
    **Ties**: links that fill at once stay full together; the order of jobs is of no matter.
    **Cost**: O(r k) for r links full in turn and k crossings of links by flows; a job in m nodes has
    m (m - 1) / 2 flows.
    **Source**: the thesis calls for such a model (section 5.2) and defines none. Progressive filling:
    Bertsekas and Gallager, Data Networks, 1992, section 6.5.2.
    """

    weights: Literal["demand", "equal"] = "demand"
    links: Literal["all", "own"] = "all"

    name: ClassVar[str] = "proportional"
    local: ClassVar[bool] = False
    source: ClassVar[str] = "Bertsekas and Gallager, Data Networks 1992, section 6.5.2"

    def __post_init__(self) -> None:
        if self.weights not in ("demand", "equal"):
            raise InputError(f"must be demand or equal, got {self.weights!r}", field="proportional, weights")

        if self.links not in ("all", "own"):
            raise InputError(f"must be all or own, got {self.links!r}", field="proportional, links")

    def check(self, hardware: Hardware) -> None:
        """Accept any hardware."""

    def factors(self, traffic: Sequence[Traffic], hardware: Hardware) -> Sequence[Mapping[int, float]]:
        """Return for each job the factor of its communication in each of its nodes."""
        if not all(job.volume for job in traffic):  # a job that sends nothing is not slowed down
            of_senders = iter(self.factors([job for job in traffic if job.volume], hardware))
            return [next(of_senders) if job.volume else dict.fromkeys(job.tasks, 1.0) for job in traffic]
        if self.links == "own":
            return _by_own_link(traffic, hardware)
        if not traffic or (hardware.topology is None and _fits(traffic, hardware)):
            return [dict.fromkeys(job.tasks, 1.0) for job in traffic]
        flows = flows_of(traffic, hardware)
        weight = flows.demand if self.weights == "demand" else np.ones(len(flows.demand))
        share = max_min_shares(flows, weight)
        least = np.ones(sum(len(job.tasks) for job in traffic))
        for end in (flows.one, flows.other):
            np.minimum.at(least, end, share)
        places = iter(least.tolist())
        return [{node: next(places) for node in job.tasks} for job in traffic]


def _fits(traffic: Sequence[Traffic], hardware: Hardware) -> bool:
    """Return whether no node's link is overloaded; much cheaper than the flows."""
    bandwidth = hardware.node_bandwidth
    return all(rate <= bandwidth[node] for node, rate in _demand_of(traffic).items())


def _by_own_link(traffic: Sequence[Traffic], hardware: Hardware) -> list[dict[int, float]]:
    """Return for each job and node the ratio of that node's link capacity to its demand, at most 1."""
    bandwidth = hardware.node_bandwidth
    share = {
        node: min(1.0, float(bandwidth[node]) / rate) if rate else 1.0
        for node, rate in _demand_of(traffic).items()
    }
    return [{node: share[node] for node in job.tasks} for job in traffic]


def _demand_of(traffic: Sequence[Traffic]) -> dict[int, float]:
    """Return the demand of the tasks in each node on its link, in bytes a second."""
    return volume_by_node(traffic, lambda job: job.volume / job.time, pairs=True)
