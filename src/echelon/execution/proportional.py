"""Network contention by what its links can carry: all flows share them fairly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from echelon.errors import InputError
from echelon.execution.flows import flows_of
from echelon.execution.max_min import max_min_shares

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.execution.contract import Traffic
    from echelon.model import Hardware


@dataclass(frozen=True, slots=True)
class Proportional:
    r"""Slow communication down by as much as the links it crosses are too narrow.

    The tasks of a job in one node and those in another are a flow between the two. It asks for

    .. math::

        d = \text{pairs of tasks} \times \text{volume} / \text{time}

    bytes a second and crosses the link of either node and, if the machine has a topology, the links of the
    route. All flows rise together, each from nothing to what it asks for, until a link is full; those that
    cross it stay as they are, the others rise on (progressive filling). A task must wait for the slowest of
    its siblings: its communication slows down to the smallest share that a flow of its gets of what it asks
    for. Where one link is too narrow, that is exactly min(1, bandwidth / demand).

    Parameters
    ----------
    weights : {"demand", "equal"}, default "demand"
        How flows rise: ``demand`` in proportion to what they ask for, so that those that meet at a full link
        get the same share of it; ``equal`` with the same bytes a second each, plain max-min fairness, so that
        small flows are not slowed by large ones.

    Notes
    -----
    Which task of a pair sends is not said. So a flow may need all it asks for in either direction, of links
    that are as wide in one as in the other: a node's link is full when the flows from and to it ask for its
    bandwidth.
    Because each task talks with each of its siblings elsewhere, all tasks of a job have the same factor.
    **Ties**: links that fill at once stay full together; the order of jobs is of no matter.
    **Cost**: O(r k) for r links full in turn and k crossings of links by flows; a job in m nodes has
    m (m - 1) / 2 flows.
    **Source**: the thesis asks for such a model (section 5.2) and gives none. Progressive filling: Bertsekas
    and Gallager, Data Networks, 1992, section 6.5.2.
    """

    weights: Literal["demand", "equal"] = "demand"

    name: ClassVar[str] = "proportional"
    local: ClassVar[bool] = False
    source: ClassVar[str] = "Bertsekas and Gallager, Data Networks 1992, section 6.5.2"

    def __post_init__(self) -> None:
        if self.weights not in ("demand", "equal"):
            raise InputError(f"must be demand or equal, got {self.weights!r}", field="proportional, weights")

    def check(self, hardware: Hardware) -> None:
        """Accept any hardware."""

    def factors(self, traffic: Sequence[Traffic], hardware: Hardware) -> Sequence[Mapping[int, float]]:
        """Return for each job the factor of its communication in each of its nodes."""
        if not traffic:
            return []
        flows = flows_of(traffic, hardware)
        weight = flows.demand if self.weights == "demand" else np.ones(len(flows.demand))
        share = max_min_shares(flows, weight)
        # Every node of a job has a flow to the node at the far end of its slowest one.
        least = np.minimum.reduceat(share, flows.first_flow[:-1]).tolist()
        return [dict.fromkeys(job.tasks, factor) for job, factor in zip(traffic, least, strict=True)]
