"""The sequence of nodes for rules that consider one node after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.policies.placement.node_order import NodeOrder
from echelon.policies.placement.node_search import NodeSearch

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.model.jobs.columns import IntColumn
    from echelon.policies.placement.contract import Placement, Room


def node_sequence(placement: Placement, job: Job, room: Room) -> IntColumn:
    """Return all nodes in the order of `placement` for `job`.

    Those of `node-order` and of a node search come in their order, those without an idle core last; any other
    placement chooses whole sets of nodes, so its nodes come as the platform lists them.
    """
    if isinstance(placement, NodeOrder):
        return placement.nodes(job, room)
    everything = np.arange(len(room.cores))
    if not isinstance(placement, NodeSearch):
        return everything
    order = np.fromiter(placement.nodes(job, room), dtype=np.int64)
    return np.concatenate((order, np.setdiff1d(everything, order)))
