"""Shared nodes of a site as tables of a platform file: the nodes, the contract, the link, the software."""

from __future__ import annotations

import math
from itertools import groupby
from typing import TYPE_CHECKING, Any

from echelon.model import SharedCluster, Site, SocialContract
from echelon.model.machines.hardware import MOST_CORES
from echelon.platforms.files.fields import Field, number, quantity, whole
from echelon.platforms.files.units import BANDWIDTH
from echelon.platforms.sections.parts import WORKSTATION, expand_groups, make_part
from echelon.platforms.sections.site_names import COUNT, count_sites, site_name

if TYPE_CHECKING:
    from echelon.model import Power, Workstation
    from echelon.platforms.files.table import Table
    from echelon.platforms.sections.type_library import TypeLibrary


def _names(entry: object) -> frozenset[str] | None:
    listed = entry if isinstance(entry, list) else [entry]
    names = frozenset(name for name in listed if isinstance(name, str) and name.strip())
    return names if len(names) == len(listed) else None


_CONTRACT = (
    whole("mpl", MOST_CORES),
    number("memory", above=0, most=1),
    number("bandwidth", above=0),
    number("cpu", above=0, most=1),
)
_CLUSTER = (
    quantity("link", BANDWIDTH, above=0, endless=True),
    quantity("link_traffic", BANDWIDTH),
    Field("software", _names, "a list of names in quotes"),
)
SHARED_KEYS = ("contract", *(field.key for field in _CLUSTER))
"""What tells that the nodes of a site may belong to someone; every such site has a contract."""

_DEFAULT = SharedCluster.__dataclass_fields__


def is_shared(table: Table) -> bool:
    """Return whether a site's table describes nodes that may have owners."""
    return any(key in table for key in SHARED_KEYS)


def shared_sites(table: Table, types: TypeLibrary, power: Power | None) -> list[Site] | None:
    """Return the site that a table describes, or `count` of them; None if something is wrong, which is noted.

    The sites of a table with a count are named after it: ``lab-1``, ``lab-2`` ...
    """
    before = len(table.mistakes)
    called, count = site_name(table), table.value(COUNT)
    shared = shared_cluster(table, types)
    if shared is None or len(table.mistakes) > before:
        return None
    return count_sites(called, shared, power, count)


def shared_cluster(table: Table, types: TypeLibrary) -> SharedCluster | None:
    """Return the shared nodes that a table describes; None if something is wrong, which is noted."""
    before = len(table.mistakes)
    contract = _contract(table)
    groups = types.groups(WORKSTATION, table, key="node")
    values = table.values(_CLUSTER)
    if groups is None or contract is None or len(table.mistakes) > before:
        return None
    count = sum(count for _, count in groups)
    if count * contract.mpl > MOST_CORES:
        table.note(f"may hold {count * contract.mpl} tasks at once, expected at most {MOST_CORES}", "node")
        return None
    return make_part(table, SharedCluster, {"nodes": expand_groups(groups), "contract": contract, **values})


def _contract(table: Table) -> SocialContract | None:
    """Return a site's contract, by default one task a node; None if it is wrong, which is noted."""
    before = len(table.mistakes)
    below = table.below("contract", f"a table of {', '.join(field.key for field in _CONTRACT)}")
    values = {}
    if below is not None:
        below.refuse_unknown(field.key for field in _CONTRACT)
        values = below.values(_CONTRACT)
    return SocialContract(**values) if len(table.mistakes) == before else None


def shared_values(shared: SharedCluster) -> dict[str, Any]:
    """Return what a site's table says of shared nodes, without what is as by default but the MPL."""
    contract = _set(shared.contract, ("memory", "bandwidth", "cpu"))
    nodes = [{"count": len(list(same)), **_node(node)} for node, same in groupby(shared.nodes)]
    software = {"software": sorted(shared.software)}
    return {
        **_set(shared, ("link", "link_traffic")),
        **(software if shared.software != _DEFAULT["software"].default else {}),
        "contract": {"mpl": int(shared.contract.mpl), **contract},
        "node": nodes,
    }


def _node(node: Workstation) -> dict[str, Any]:
    named = {"name": node.name} if node.name else {}
    processors = {} if node.processors == 1 else {"processors": int(node.processors)}
    return {**named, **_set(node, ("power",)), **processors, **_set(node, ("memory", "bandwidth"))}


def _set(part: SharedCluster | SocialContract | Workstation, keys: tuple[str, ...]) -> dict[str, float]:
    """Return the numbers of a part that are not at their defaults; infinite ones are left out."""
    values = {key: float(getattr(part, key)) for key in keys}
    defaults = type(part).__dataclass_fields__
    return {
        key: value
        for key, value in values.items()
        if value != defaults[key].default and not math.isinf(value)
    }
