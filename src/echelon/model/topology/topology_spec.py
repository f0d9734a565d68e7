"""The specs of topologies, parsed and formatted."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from echelon.errors import InputError, UnknownNameError
from echelon.model.topology.dragonfly import Dragonfly
from echelon.model.topology.fat_tree import FatTree
from echelon.model.topology.mesh import Mesh
from echelon.model.topology.star import Star
from echelon.model.topology.torus import Torus
from echelon.model.topology.tree import Tree

if TYPE_CHECKING:
    from echelon.model.topology.contract import Topology

FORMS = {
    "star": "star or star:NODES",
    "mesh": "mesh:XxYxZ, one or more sizes",
    "torus": "torus:XxYxZ, one or more sizes",
    "tree": "tree:AxBxC (branches from the root down) or tree:AxBxC:growth=G",
    "fat-tree": "fat-tree:k=K, K even",
    "dragonfly": "dragonfly:groups=G:routers=A:nodes=P, or dragonfly:a=A:h=H:p=P of A x H + 1 groups",
}
"""How each topology is written."""

_LONGEST_NUMBER = 9


def topology_named(words: str, *, bandwidth: float = math.inf) -> Topology:
    """Return the topology of the spec `words`.

    Parameters
    ----------
    words : str
        One of `FORMS`: ``"star"``, ``"mesh:8x8"``, ``"torus:4x4x2"``, ``"tree:4x8x16"``, ``"fat-tree:k=4"``,
        ``"dragonfly:groups=9:routers=4:nodes=2"``. Settings may also be separated by commas.
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
    >>> topology_named("dragonfly:a=4:h=2:p=2").words
    'dragonfly:groups=9:routers=4:nodes=2'
    """
    if not isinstance(words, str):
        raise InputError(
            f"must be a specification such as 'torus:4x4x2', got {words!r:.60}", field="topology"
        )
    kind, *rest = (part.strip() for part in re.split("[:,]", words))
    if kind not in FORMS:
        raise UnknownNameError("topology", kind, FORMS)
    sizes, settings = _parted(kind, rest, words)
    if kind in ("mesh", "torus") and sizes and not settings:
        return (Mesh if kind == "mesh" else Torus)(sizes, link_bandwidth=bandwidth)
    if kind == "star" and len(sizes) < 2 and not settings:
        return Star(*sizes, link_bandwidth=bandwidth)
    if kind == "tree" and sizes and set(settings) <= {"growth"}:
        return Tree(sizes, _number(settings.get("growth", "1"), words, kind), link_bandwidth=bandwidth)
    if kind == "fat-tree" and not sizes and set(settings) == {"k"}:
        return FatTree(_whole(settings["k"], words, kind), link_bandwidth=bandwidth)
    if kind == "dragonfly" and not sizes:
        counts = {key: _whole(text, words, kind) for key, text in settings.items()}
        if set(counts) == {"groups", "routers", "nodes"}:
            return Dragonfly(counts["groups"], counts["routers"], counts["nodes"], link_bandwidth=bandwidth)
        if set(counts) == {"a", "h", "p"}:
            return Dragonfly(
                counts["a"] * counts["h"] + 1, counts["a"], counts["p"], link_bandwidth=bandwidth
            )
    raise _misread(words, kind)


def _parted(kind: str, rest: list[str], words: str) -> tuple[tuple[int, ...], dict[str, str]]:
    """Return the sizes ``4x4x2`` after the name, and the settings ``key=value``."""
    sizes: tuple[int, ...] = ()
    if rest and "=" not in rest[0]:
        sizes = tuple(_whole(text, words, kind) for text in rest.pop(0).split("x"))
    settings = dict(part.split("=", 1) for part in rest if "=" in part)
    if len(settings) < len(rest):
        raise _misread(words, kind)
    return sizes, {key.strip(): value.strip() for key, value in settings.items()}


def _whole(text: str, words: str, kind: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= _LONGEST_NUMBER and int(text) > 0):
        raise _misread(words, kind)
    return int(text)


def _number(text: str, words: str, kind: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise _misread(words, kind) from None


def _misread(words: str, kind: str) -> InputError:
    return InputError(f"must be {FORMS[kind]} of whole numbers >= 1, got {words!r}", field="topology")
