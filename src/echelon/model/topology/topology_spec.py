"""The topologies by name: the lines to add a new one to; and their specs, whose sizes need no keys."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.lazy import Rules
from echelon.model.topology.dragonfly import Dragonfly
from echelon.model.topology.fat_tree import FatTree
from echelon.model.topology.mesh import Mesh
from echelon.model.topology.network import Network
from echelon.model.topology.star import Star
from echelon.model.topology.torus import Torus
from echelon.model.topology.tree import Tree
from echelon.rules.family import Family
from echelon.rules.own_rule import Guard

if TYPE_CHECKING:
    from echelon.rules.spec import Spec

TOPOLOGIES: Rules[type[Network]] = Rules(
    __package__,
    {
        "star": "star.Star",
        "mesh": "mesh.Mesh",
        "torus": "torus.Torus",
        "tree": "tree.Tree",
        "fat-tree": "fat_tree.FatTree",
        "dragonfly": "dragonfly.Dragonfly",
    },
)
"""Every built-in topology."""

FORMS = {kind.name: kind.formula for kind in (Star, Mesh, Torus, Tree, FatTree, Dragonfly)}
"""How each topology is written."""

_LONGEST_NUMBER = 9


def topology_named(spec: str, *, bandwidth: float = math.inf) -> Network:
    """Return the topology of a spec.

    Parameters
    ----------
    spec : str
        One of `FORMS`: ``"star"``, ``"mesh:8x8"``, ``"torus:4x4x2"``, ``"tree:4x8x16"``, ``"fat-tree:k=4"``,
        ``"dragonfly:groups=9:routers=4:nodes=2"``. Settings may also be separated by commas. Or your own, a
        dataclass that derives from `Network`: ``"FILE.py:NAME:key=value"``.
    bandwidth : float, default infinity
        Bytes a second of each link, > 0; of a tree's lowest ones.

    Raises
    ------
    UnknownNameError
        If the name is not that of a topology.
    InputError
        If the rest does not fit it, or a number is out of range.

    Examples
    --------
    >>> topology_named("torus:4x4x2").nodes
    32
    >>> topology_named("dragonfly:a=4:h=2:p=2").spec
    'dragonfly:groups=9:routers=4:nodes=2'
    """
    if not isinstance(spec, str):
        raise InputError(f"must be a specification such as 'torus:4x4x2', got {spec!r:.60}", field="topology")
    network = TOPOLOGY.parse(spec)
    if bandwidth == math.inf:
        return network
    topology = replace(network, link_bandwidth=bandwidth)
    return topology if TOPOLOGY.is_built_in(topology) else _set_spec(topology, network.spec)


class _Topologies(Family[Network]):
    """Topologies, of which the built-in ones have sizes instead of parameters: ``torus:4x4x2``."""

    def parse(self, text: str) -> Network:
        """Return the topology that `text` specifies."""
        kind, *rest = (part.strip() for part in re.split("[:,]", text))
        if not kind:
            raise self.refusal(kind)
        if not self.has(kind):
            return super().parse(text)
        kind = self.built_in(kind).name
        network = _built_in(kind, *_split_parts(kind, rest, text), text)
        if network is None:
            raise _misread(text, kind)
        return network


def _built_in(  # noqa: PLR0911  (one line a form)
    kind: str, sizes: tuple[int, ...], settings: dict[str, str], spec: str
) -> Network | None:
    """Return the topology of that kind; None if what follows does not fit it."""
    if kind in ("mesh", "torus") and sizes and not settings:
        return (Mesh if kind == "mesh" else Torus)(sizes)
    if kind == "star" and len(sizes) < 2 and not settings:
        return Star(*sizes)
    if kind == "tree" and sizes and set(settings) <= {"growth"}:
        return Tree(sizes, _number(settings.get("growth", "1"), spec, kind))
    if kind == "fat-tree" and not sizes and set(settings) == {"k"}:
        return FatTree(_whole(settings["k"], spec, kind))
    if kind == "dragonfly" and not sizes:
        counts = {key: _whole(text, spec, kind) for key, text in settings.items()}
        if set(counts) == {"groups", "routers", "nodes"}:
            return Dragonfly(counts["groups"], counts["routers"], counts["nodes"])
        if set(counts) == {"a", "h", "p"}:
            return Dragonfly(counts["a"] * counts["h"] + 1, counts["a"], counts["p"])
    return None


def _own(rule: Network, spec: Spec | None) -> Network:
    """Return a user's own topology, once it answers."""
    network = rule if spec is None else _set_spec(rule, spec.text.strip())
    where = f"topology {network.spec!r}"
    with Guard(lambda failure: InputError(f"fails with {failure}", field=where)):
        far = network.nodes - 1
        hops, route = network.hops(0, far), network.route(0, far)
        shapes = (len(network.switch), len(network.place), len(network.ends), len(network.bandwidth))
    wanted = (network.nodes, network.nodes, network.links, network.links)
    if shapes != wanted:
        raise InputError(
            f"must have a switch and a place for each of its nodes and both ends of each link, {wanted}, got "
            f"{shapes}",
            field=where,
        )
    if len(route) != hops:
        raise InputError(
            f"must have as many hops as links, got {hops} hops and a route of {len(route)} links from node 0 "
            f"to {far}",
            field=where,
        )
    return network


def _set_spec(topology: Network, spec: str) -> Network:
    object.__setattr__(topology, "_spec", spec)
    return topology


TOPOLOGY: Family[Network] = _Topologies(
    "topology",
    [TOPOLOGIES],
    example="torus:4x4x2",
    is_rule=lambda thing: (
        isinstance(thing, Network) or (isinstance(thing, type) and issubclass(thing, Network))
    ),
    is_ready=lambda rule: isinstance(rule, Network),
    must="derive from Network",
    groups=["echelon.topologies"],
    own=_own,
)


def _split_parts(kind: str, rest: list[str], spec: str) -> tuple[tuple[int, ...], dict[str, str]]:
    """Return the sizes ``4x4x2`` after the name, and the settings ``key=value``."""
    sizes: tuple[int, ...] = ()
    if rest and "=" not in rest[0]:
        sizes = tuple(_whole(text, spec, kind) for text in rest.pop(0).split("x"))
    settings = dict(part.split("=", 1) for part in rest if "=" in part)
    if len(settings) < len(rest):
        raise _misread(spec, kind)
    return sizes, {key.strip(): value.strip() for key, value in settings.items()}


def _whole(text: str, spec: str, kind: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= _LONGEST_NUMBER and int(text) > 0):
        raise _misread(spec, kind)
    return int(text)


def _number(text: str, spec: str, kind: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise _misread(spec, kind) from None


def _misread(spec: str, kind: str) -> InputError:
    return InputError(f"must be {FORMS[kind]} of whole numbers >= 1, got {spec!r}", field="topology")
