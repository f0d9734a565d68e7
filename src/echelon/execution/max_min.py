"""Max-min fairness: the shares of flows over saturated links, by progressive filling."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from echelon.execution.flows import Flows
    from echelon.model.jobs.columns import FloatColumn

TOLERANCE = 1e-12
"""Links whose levels differ by less than this share are full at once: float64 does not distinguish them."""


def max_min_shares(flows: Flows, weight: FloatColumn) -> FloatColumn:
    """Return the share of its demand that each flow gets, 0 < share <= 1, shape (n_flows,).

    All flows rise together, each by its weight, until it meets its demand or crosses a full link.

    Parameters
    ----------
    flows : Flows
        The flows.
    weight : FloatColumn, shape (n_flows,)
        Rate at which each rises, > 0: its demand, or 1.

    Notes
    -----
    No link is above its capacity, and every flow with a share below 1 crosses a full one.
    **Ties**: links full at the same level are so together.
    **Cost**: O(r k) for r levels at which flows stop and k crossings of links by flows.
    **Source**: Bertsekas and Gallager, Data Networks, 1992, section 6.5.2; weights as usual since.
    """
    flow, link, links = flows.crossing_flow, flows.crossing_link, len(flows.capacity)
    load = np.bincount(link, flows.demand[flow], links)
    if (load <= flows.capacity).all():
        return np.ones(len(flows.demand))
    # The level at which each flow meets its demand; a full link lowers it.
    enough = flows.demand / weight
    level = enough.copy()
    rising = np.ones(len(level), dtype=np.bool_)
    room = flows.capacity.copy()
    reached = 0.0
    while rising.any():
        pace = np.bincount(link, weight[flow], links)
        full = np.divide(room, pace, out=np.full(links, np.inf), where=pace > 0)
        # Rounding may leave a link slightly less capacity than its flows already use.
        reached = max(reached, min(full.min(), level[rising].min()))
        stops = np.zeros(len(level), dtype=np.bool_)
        stops[flow[(full <= reached * (1 + TOLERANCE))[link]]] = True
        stops |= rising & (level <= reached)
        level[stops] = np.minimum(level[stops], reached)
        rising &= ~stops
        stopped = stops[flow]
        room -= np.bincount(link[stopped], (weight * level)[flow[stopped]], links)
        flow, link = flow[~stopped], link[~stopped]
    return level / enough
