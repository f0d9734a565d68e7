"""Flows: the traffic of jobs between nodes, and the links it crosses."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.execution.contract import Traffic
    from echelon.model import Hardware
    from echelon.model.jobs.columns import FloatColumn, IntColumn

KEPT_NODES = 64
"""Largest number of nodes of a job whose links are cached: a larger job has thousands of flows."""


class Flows(NamedTuple):
    """Flows of some jobs over the links of a machine.

    Links are those of the nodes, by the nodes' numbers, then those of the topology.

    Attributes
    ----------
    demand : FloatColumn, shape (n_flows,)
        Demand of each flow, in bytes a second, > 0.
    one, other : IntColumn, shape (n_flows,)
        Its two ends: indices in the list of all jobs' nodes, one job after the other.
    crossing_flow, crossing_link : IntColumn, shape (n_crossings,)
        The links that each flow crosses, each pair once.
    capacity : FloatColumn, shape (n_links,)
        Bandwidth of each link, in bytes a second, > 0.
    """

    demand: FloatColumn
    one: IntColumn
    other: IntColumn
    crossing_flow: IntColumn
    crossing_link: IntColumn
    capacity: FloatColumn


class _Crossings(NamedTuple):
    """The flows of one job: indices of their two nodes among its nodes, and the links they cross."""

    one: IntColumn
    other: IntColumn
    flow: IntColumn
    link: IntColumn


def flows_of(traffic: Sequence[Traffic], hardware: Hardware) -> Flows:
    """Return the flows of at least one job that sends: one a pair of its nodes. Cost: O(links crossed)."""
    demand, crossings, first, place = [], [], [0], [0]
    for job in traffic:
        nodes = tuple(job.tasks)
        crossing = (_cached_crossings if len(nodes) <= KEPT_NODES else _crossings)(hardware, nodes)
        tasks = np.array([job.tasks[node] for node in nodes], dtype=np.float64)
        demand.append(tasks[crossing.one] * tasks[crossing.other] * (job.volume / job.time))
        crossings.append(crossing)
        first.append(first[-1] + len(crossing.one))
        place.append(place[-1] + len(nodes))
    return Flows(
        np.concatenate(demand),
        np.concatenate([crossing.one + start for crossing, start in zip(crossings, place, strict=False)]),
        np.concatenate([crossing.other + start for crossing, start in zip(crossings, place, strict=False)]),
        np.concatenate([crossing.flow + start for crossing, start in zip(crossings, first, strict=False)]),
        np.concatenate([crossing.link for crossing in crossings]),
        link_capacity(hardware),
    )


@lru_cache(maxsize=16)
def link_capacity(hardware: Hardware) -> FloatColumn:
    """Return the bandwidth of each link, in bytes a second: the nodes' links, then those of the topology."""
    topology = hardware.topology
    return (
        hardware.node_bandwidth
        if topology is None
        else np.append(hardware.node_bandwidth, topology.bandwidth)
    )


def _crossings(hardware: Hardware, nodes: tuple[int, ...]) -> _Crossings:
    one, other = np.triu_indices(len(nodes), 1)
    of, numbers = np.arange(len(one)), np.array(nodes)
    flow, link = np.concatenate((of, of)), np.concatenate((numbers[one], numbers[other]))
    if hardware.topology is not None:
        routes = [_route(hardware, nodes[a], nodes[b]) for a, b in zip(one, other, strict=True)]
        flow = np.append(flow, np.repeat(of, [len(route) for route in routes]))
        link = np.append(link, np.concatenate(routes))
    return _Crossings(one, other, flow, link)


_cached_crossings = lru_cache(maxsize=4096)(_crossings)


@lru_cache(maxsize=2**17)
def _route(hardware: Hardware, one: int, other: int) -> IntColumn:
    """Return the links of the topology in both directions, each once, numbered after those of the nodes."""
    topology = hardware.topology
    assert topology is not None
    crossed = {*topology.route(one, other), *topology.route(other, one)}
    return np.array(sorted(crossed), dtype=np.int64) + len(hardware.nodes)
