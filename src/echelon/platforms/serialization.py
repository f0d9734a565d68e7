"""Platforms and machines as plain values for JSON, as ``run.json`` tells them, and back."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeAlias

from echelon.errors import InputError
from echelon.model import Hardware, SharedCluster, TimeSharedMachine
from echelon.platforms.files.mistakes import Mistakes
from echelon.platforms.files.table import Table
from echelon.platforms.platform_file import build_platform, drop_sizes
from echelon.platforms.sections.group_tables import GROUP, group_tables
from echelon.platforms.sections.hardware_tables import cluster_tables, network, node_table, node_types
from echelon.platforms.sections.immediate_tables import immediate_values
from echelon.platforms.sections.machine_tables import MACHINE_KEYS
from echelon.platforms.sections.shared_tables import shared_values
from echelon.platforms.sections.site_names import POLICY, WEIGHT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.model import Node, Platform, Site

PlainDict: TypeAlias = "dict[str, Any]"


def to_dict(platform: Platform) -> PlainDict:
    """Return a platform as plain values: name, source, sites and inner sites; what is unknown is left out.

    Where nodes are modeled individually there is ``node_type``, and a site has ``cluster``, as in a platform
    file; where they are shared a site has ``contract`` and ``node``; one without a queue ``queue`` and
    ``speed``. ``group`` has what is said about inner sites.
    """
    names = node_types(platform.node_level.values())
    sites = [_site(site, names) for site in platform.sites]
    group = {GROUP: group_tables(platform.inner)} if platform.inner else {}
    return {"name": platform.name, "source": platform.source, "sites": sites, **group} | _types(names)


def machine_to_dict(hardware: Hardware) -> PlainDict:
    """Return a machine as plain values, in the keys of a platform file of one machine."""
    names = node_types([hardware])
    head = {"name": hardware.name, "source": hardware.source}
    return {**head, **network(hardware), **_types(names), "cluster": cluster_tables(hardware, names)}


def platform_from_dict(data: Mapping[str, Any]) -> Platform:
    """Return the platform that `to_dict` described.

    Parameters
    ----------
    data : mapping
        Name, source, ``sites``, ``group`` where something is said about inner sites, and, where nodes are
        modeled individually, ``node_type``.

    Raises
    ------
    InputError
        If it says something it may not: all that at once.
    """
    content = {key: value for key, value in data.items() if key != "sites"}
    return _read(content | {"site": drop_sizes(data.get("sites"))}, "platform")


def machine_from_dict(data: Mapping[str, Any]) -> Hardware:
    """Return the machine that `machine_to_dict` described, ignoring other entries.

    Raises
    ------
    InputError
        If it says something it may not: all that at once.
    """
    keys = ("name", "source", "node_type", *MACHINE_KEYS)
    platform = _read({key: data[key] for key in keys if data.get(key) is not None}, "hardware")
    if (hardware := platform.hardware) is None:
        raise InputError("has no clusters of nodes", field="hardware")
    return hardware


def _types(names: Mapping[Node, str]) -> PlainDict:
    types = {name: node_table(node, name) for node, name in names.items()}
    return {"node_type": types} if types else {}


def _site(site: Site, names: Mapping[Node, str]) -> PlainDict:
    power = {} if site.power is None else {"power": asdict(site.power)}
    weight = {} if site.ptt_weight is None else {WEIGHT.key: float(site.ptt_weight)}
    policy = {} if site.policy is None else {POLICY.key: site.policy}
    nodes: PlainDict = {}
    if isinstance(site.resource, Hardware):
        nodes = {**network(site.resource), "cluster": cluster_tables(site.resource, names)}
    if isinstance(site.resource, SharedCluster):
        nodes = shared_values(site.resource)
    if isinstance(site.resource, TimeSharedMachine):
        nodes = immediate_values(site.resource)
    return {"name": site.name, "processors": int(site.processors), **weight, **policy, **power, **nodes}


def _read(content: Mapping[str, Any], field: str) -> Platform:
    return build_platform(Table(content, (), Mistakes()), field, field=field)
