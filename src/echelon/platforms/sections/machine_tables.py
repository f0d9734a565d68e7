"""Clusters and nodes of a site in TOML, and what joins the nodes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.errors import InputError, UnknownNameError
from echelon.model.machines.hardware import Cluster, Hardware
from echelon.model.topology import topology_named
from echelon.platforms.files.fields import name, quantity, text
from echelon.platforms.files.units import BANDWIDTH
from echelon.platforms.sections.parts import NODE, expand_groups, fits, make_part
from echelon.user_file import is_in_file

if TYPE_CHECKING:
    from echelon.model.topology import Topology
    from echelon.platforms.files.table import Table
    from echelon.platforms.sections.parts import Groups
    from echelon.platforms.sections.type_library import TypeLibrary

MACHINE_KEYS = ("cluster", "node", "topology", "link_bandwidth")
"""What a site, or the top of a file without sites, may have if its nodes are modeled individually."""

_NAME = text("name")
_TOPOLOGY = name("topology")
_LINK = quantity("link_bandwidth", BANDWIDTH, above=0, endless=True)


def is_machine(table: Table) -> bool:
    """Return whether a table tells nodes apart."""
    return "cluster" in table or "node" in table


def machine(table: Table, types: TypeLibrary, *, called: str, source: str) -> Hardware | None:
    """Return the machine that a site's table describes; None if something is wrong, which is noted."""
    if "cluster" in table and "node" in table:
        table.note("got [[cluster]] and [[node]] tables, expected the nodes within the clusters", "node")
        return None
    tables = table.list_tables("cluster", "one or more tables with nodes") if "cluster" in table else [table]
    groups = [types.groups(NODE, one) for one in tables]
    names: list[str | None] = ["cluster"]
    if "cluster" in table:
        names = [_cluster_name(one, k) for k, one in enumerate(tables, 1)]
    before = len(table.mistakes)
    clusters, network = _clusters(table, names, groups), topology(table)
    if clusters is None or len(table.mistakes) > before:
        return None
    values = {"clusters": clusters, "topology": network, "name": called, "source": source}
    return make_part(table, Hardware, values)


def topology(table: Table) -> Topology | None:
    """Return what joins the nodes of a site; None if it does not say, or that is wrong, which is noted."""
    spec, bandwidth = table.value(_TOPOLOGY), table.value(_LINK)
    if spec is None:
        if _TOPOLOGY.key not in table and _LINK.key in table:
            table.note("got a bandwidth of links without a topology", _LINK.key)
        return None
    try:
        if is_in_file(spec):
            # From wherever the platform may be written, and read again.
            spec = str((table.folder / spec).resolve())
        return topology_named(spec, bandwidth=math.inf if bandwidth is None else bandwidth)
    except InputError as error:
        table.note(error.problem, _TOPOLOGY.key)
    except UnknownNameError as error:
        # Its hint stands after a semicolon, which parts mistakes here.
        table.note(str(error).replace(";", ","), _TOPOLOGY.key)
    return None


def _cluster_name(table: Table, number: int) -> str | None:
    """Return a cluster's name, by default its number; None if it is wrong."""
    table.refuse_unknown((_NAME.key, NODE.word))
    cluster_name: str | None = table.value(_NAME) if _NAME.key in table else f"cluster-{number}"
    return cluster_name


def _clusters(
    table: Table, names: list[str | None], groups: list[Groups | None]
) -> tuple[Cluster, ...] | None:
    """Return clusters of these names and nodes, unless there are too many to model individually."""
    clusters = [
        (name, nodes) for name, nodes in zip(names, groups, strict=True) if name is not None and nodes
    ]
    cores = sum(node.cores * count for _, nodes in clusters for node, count in nodes)
    if not names or len(clusters) < len(names) or not fits(table, cores, "cluster"):
        return None
    return tuple(Cluster(expand_groups(nodes), name) for name, nodes in clusters)
