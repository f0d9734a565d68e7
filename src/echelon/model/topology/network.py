"""Network: the common part of all topologies with one bandwidth for all links."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from echelon.errors import InputError
from echelon.model.machines.hardware import MOST_CORES
from echelon.model.topology.contract import Topology
from echelon.quantities import is_number, is_whole

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn, IntColumn

MOST_LINKS = 2**26
"""Directed links of the largest network."""

SPELLED = {"in_name": True}
"""Of fields that are no parameters: what the spec of a topology says without keys, or not at all."""

_MOST_PAIRS = 2**20
"""Distances that are computed at once."""


@dataclass(frozen=True)
class Network(Topology):
    """A topology with equal links by default.

    Parameters
    ----------
    link_bandwidth : float, default infinity
        Bandwidth of each link, in bytes a second, > 0.

    Raises
    ------
    InputError
        If it is not positive, or the network has more than `MOST_CORES` nodes or `MOST_LINKS` links.
    """

    link_bandwidth: float = field(default=math.inf, kw_only=True, metadata=SPELLED)

    name: ClassVar[str] = ""
    _spec: ClassVar[str] = ""

    def __post_init__(self) -> None:
        bandwidth = self.link_bandwidth
        number = is_number(bandwidth)
        if not number or not bandwidth > 0:
            raise self._error(f"bandwidth of a link must be a number above 0, got {bandwidth!r}")
        for noun, count, most in (("nodes", self.nodes, MOST_CORES), ("links", self.links, MOST_LINKS)):
            if count > most:
                raise self._error(f"has {count} {noun}, expected at most {most}")

    @property
    def spec(self) -> str:
        """Canonical spec; of a user's own the spec that it was made of."""
        return self._spec or self.spelled

    @property
    def spelled(self) -> str:
        """Canonical spec of a built-in one: its name and sizes."""
        return type(self).__name__

    def diameter(self, nodes: IntColumn) -> int:
        """Return the maximum hops between any two of these nodes, at least one. Cost: O(n^2); O(n) memory."""
        # Nodes of one switch are equally far from all others.
        nodes = nodes[np.unique(self.switch[nodes], return_index=True)[1]]
        at_once = max(1, _MOST_PAIRS // len(nodes))
        rows = (nodes[first : first + at_once, None] for first in range(0, len(nodes), at_once))
        return max(int(self.distances(row, nodes).max()) for row in rows)

    def hops(self, a: int, b: int) -> int:
        """Return the links between nodes `a` and `b`."""
        return int(self.distances(np.int64(a), np.int64(b)))  # type: ignore[arg-type]

    @property
    def bandwidth(self) -> FloatColumn:
        """Bytes a second of each link, shape (links,)."""
        return np.broadcast_to(np.float64(self.link_bandwidth), (self.links,))

    def _error(self, problem: str) -> InputError:
        return InputError(problem, field=f"topology {self.spec!r}")


def check_counts(kind: str, counts: dict[str, object]) -> None:
    """Refuse counts that are not whole numbers from 1 on.

    Raises
    ------
    InputError
        The message names the first count.
    """
    for name, count in counts.items():
        if not is_whole(count) or count < 1:
            raise InputError(f"{name} must be a whole number >= 1, got {count!r}", field=f"topology {kind}")
