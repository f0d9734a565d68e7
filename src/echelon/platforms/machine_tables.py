"""Clusters and nodes of a site in TOML, and what joins the nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.model.hardware import Cluster, Hardware
from echelon.platforms.fields import text
from echelon.platforms.parts import NODE, expanded, fits, made

if TYPE_CHECKING:
    from echelon.platforms.parts import Groups
    from echelon.platforms.table import Table
    from echelon.platforms.type_library import TypeLibrary

MACHINE_KEYS = ("cluster", "node")
"""What a site, or the top of a file without sites, has if its nodes are told apart."""

_NAME = text("name")


def is_machine(table: Table) -> bool:
    """Return whether a table tells nodes apart."""
    return any(key in table for key in MACHINE_KEYS)


def machine(table: Table, types: TypeLibrary, *, called: str, source: str) -> Hardware | None:
    """Return the machine that a site's table describes; None if something is wrong, which is noted."""
    if "cluster" in table and "node" in table:
        table.note("got [[cluster]] and [[node]] tables, expected the nodes within the clusters", "node")
        return None
    tables = table.listed("cluster", "one or more tables with nodes") if "cluster" in table else [table]
    groups = [types.groups(NODE, one) for one in tables]
    names: list[str | None] = ["cluster"]
    if "cluster" in table:
        names = [_cluster_name(one, k) for k, one in enumerate(tables, 1)]
    clusters = _clusters(table, names, groups)
    if clusters is None:
        return None
    return made(table, Hardware, {"clusters": clusters, "name": called, "source": source})


def _cluster_name(table: Table, number: int) -> str | None:
    """Return a cluster's name, by default its number; None if it is wrong."""
    table.refuse_unknown((_NAME.key, NODE.word))
    found: str | None = table.value(_NAME) if _NAME.key in table else f"cluster-{number}"
    return found


def _clusters(
    table: Table, names: list[str | None], groups: list[Groups | None]
) -> tuple[Cluster, ...] | None:
    """Return clusters of these names and nodes, all of which can be told apart."""
    known = [(name, nodes) for name, nodes in zip(names, groups, strict=True) if name is not None and nodes]
    cores = sum(node.cores * count for _, nodes in known for node, count in nodes)
    if not names or len(known) < len(names) or not fits(table, cores, "cluster"):
        return None
    return tuple(Cluster(expanded(nodes), name) for name, nodes in known)
