"""The nodes of a machine as a table; equal nodes share a row."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from echelon.cli.terminal import grid
from echelon.quantities import figure

if TYPE_CHECKING:
    from rich.table import Table

    from echelon.model import Cluster, Hardware, Node

_HEADS = ("type", "processors\na node", "cores\na node", "core\nGop/s", "memory\nGB", "to memory\nGB/s")
_HEADS_AT_LAST = ("network\nMB/s", "idle\nW", "busy\nW")


def machine_table(hardware: "Hardware") -> "str | Table":
    """Return the nodes by cluster and type: position, number, speed, size and power."""
    clusters = ("cluster",) if len(hardware.clusters) > 1 else ()
    heads = ("nodes", *clusters, "count", *_HEADS, *_HEADS_AT_LAST)
    numbers = [place for place, head in enumerate(heads) if head not in ("nodes", "cluster", "type")]
    return grid(heads, [row if clusters else (row[0], *row[2:]) for row in _rows(hardware)], numbers=numbers)


def _rows(hardware: "Hardware") -> Iterator[tuple[str, ...]]:
    from echelon.model.schedules.number_sets import set_text

    first = 0
    for cluster in hardware.clusters:
        for node, places in _group_alike(cluster, first).items():
            yield (set_text(places), cluster.name, f"{len(places):,}", *_figures(node))
        first += len(cluster.nodes)


def _group_alike(cluster: "Cluster", first: int) -> "dict[Node, list[int]]":
    """Return the numbers of the nodes of each type."""
    places_by_node: dict[Node, list[int]] = {}
    for place, node in enumerate(cluster.nodes, first):
        places_by_node.setdefault(node, []).append(place)
    return places_by_node


def _figures(node: "Node") -> Iterator[str]:
    processors, cores = node.processors, [core for one in node.processors for core in one.cores]
    yield node.name or "–"
    yield f"{len(processors):,}"
    yield f"{len(cores):,}"
    yield _span((core.speed for core in cores), 1e9)
    yield _span([node.memory], 1e9)
    yield _span((one.memory_bandwidth for one in processors), 1e9)
    yield _span([node.network_bandwidth], 1e6)
    if node.power_curve is not None:
        yield from (_span([node.power_curve.pidle], 1), "curve")
        return
    static = sum(one.static_power for one in processors)
    yield _span([node.power + sum(one.idle_share * one.static_power for one in processors)], 1)
    yield _span([node.power + static + sum(core.dynamic_power for core in cores)], 1)


def _span(values: Iterable[float], unit: float) -> str:
    """Return a figure, or the smallest and the largest of several; a dash if there is no limit."""
    held = sorted({value / unit for value in values})
    return figure(held[0]) if len(held) == 1 else f"{figure(held[0])} to {figure(held[-1])}"
