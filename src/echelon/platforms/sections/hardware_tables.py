"""A machine as tables of a platform file: types of nodes, and clusters of so many nodes of each."""

from __future__ import annotations

import math
from dataclasses import fields
from itertools import count as count_from
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from echelon.model import Hardware, Node
    from echelon.model.machines.node import Core, Processor

Values: TypeAlias = "dict[str, Any]"

_Part = TypeVar("_Part")


def node_types(machines: Iterable[Hardware]) -> dict[Node, str]:
    """Return a name for each different node, its own where that says something and no other has it."""
    names: dict[Node, str] = {}
    used: set[str] = set()
    for node in dict.fromkeys(node for machine in machines for node in machine.nodes):
        names[node] = node.name if node.name.strip() and node.name not in used else _free(used)
        used.add(names[node])
    return names


def node_table(node: Node, name: str) -> Values:
    """Return the table of a type of node, without what is as by default or its name if that is `name`."""
    own = {} if node.name == name else {"name": node.name}
    groups = [_processor(processor, count) for processor, count in _runs(node.processors)]
    return {**own, **_set(node, but=("name", "processors")), "processor": groups}


def cluster_tables(hardware: Hardware, names: Mapping[Node, str]) -> list[Values]:
    """Return the clusters, each with its runs of equal nodes by the names of their types."""
    return [
        {
            "name": cluster.name,
            "node": [{"type": names[node], "count": count} for node, count in _runs(cluster.nodes)],
        }
        for cluster in hardware.clusters
    ]


def network(hardware: Hardware) -> Values:
    """Return the spec of what joins the nodes, and the bandwidth of its links where it is limited."""
    topology = hardware.topology
    if topology is None:
        return {}
    bandwidth = float(getattr(topology, "link_bandwidth", math.inf))
    return {"topology": topology.spec} | ({} if math.isinf(bandwidth) else {"link_bandwidth": bandwidth})


def _processor(processor: Processor, count: int) -> Values:
    settings = {"count": count, **_set(processor, but=("cores",))}
    cores = [(_set(core), number) for core, number in _runs(processor.cores)]
    if len(cores) == 1:
        (core, number) = cores[0]
        return {**settings, "cores": number, **core}
    return {**settings, "core": [{"count": number, **core} for core, number in cores]}


def _set(part: Core | Processor | Node | Any, but: Iterable[str] = ()) -> Values:  # noqa: ANN401
    """Return the fields of a part that are not as by default; parts below are tables."""
    settings = {
        field.name: getattr(part, field.name)
        for field in fields(part)
        if field.name not in but and getattr(part, field.name) != field.default
    }
    return {key: _plain(value) for key, value in settings.items()}


def _plain(value: Any) -> Any:  # noqa: ANN401  (a number, a text, or a part)
    if isinstance(value, tuple):
        return [{field.name: float(getattr(one, field.name)) for field in fields(one)} for one in value]
    if isinstance(value, str):
        return value
    return _set(value) if hasattr(value, "__dataclass_fields__") else float(value)


def _runs(parts: Iterable[_Part]) -> list[tuple[_Part, int]]:
    """Return parts without equal ones beside each other, and how many of each there were."""
    return [(part, len(list(same))) for part, same in groupby(parts)]


def _free(used: set[str]) -> str:
    """Return the first of node-1, node-2 ... that is not used."""
    return next(name for name in map("node-{}".format, count_from(1)) if name not in used)
