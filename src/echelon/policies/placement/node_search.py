"""NodeSearch: first-fit, best-fit and worst-fit nodes in any resource order."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

import numpy as np

from echelon.errors import UnknownNameError
from echelon.model.jobs.demands import Demand, TaskGroup
from echelon.model.machines.capacity import capacity, enough, per_node
from echelon.policies.placement.resource_order import First

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from echelon.model import Hardware, Job
    from echelon.model.jobs.columns import IntColumn
    from echelon.policies.placement.contract import Room
    from echelon.policies.placement.ranking import Ranking
    from echelon.policies.placement.resource_order import ResourceOrder

Fit = Literal["first-fit", "best-fit", "worst-fit"]

FITS: tuple[Fit, ...] = get_args(Fit)
"""The node searches."""


@dataclass(frozen=True, slots=True)
class NodeSearch:
    """A node search, with a resource order for the cores.

    A node comes where the first of its idle cores comes in the resource order. ``first-fit`` takes the nodes
    as they come, ``best-fit`` the one with the fewest cores to give first, ``worst-fit`` the one with the
    most. Of the nodes that can hold all tasks of a sequential job the first takes them. An MPI job fills one
    node after the other; under ``first-fit`` it instead takes the first cores of the whole machine. An MPI
    job that names n nodes has equal shares in the first n that can hold one, the first of them taking what is
    left over.

    Parameters
    ----------
    fit : {"first-fit", "best-fit", "worst-fit"}, default "first-fit"
        The search.
    order : ResourceOrder, default first
        Which idle cores of a node, and which nodes of equals, come first.

    Raises
    ------
    UnknownNameError
        If the search is unknown.

    Notes
    -----
    Ties: the resource order, then the core number. Nodes that are switched off come after all that are on.
    A job is placed whenever `echelon.model.machines.capacity` allows it.

    Cost: O(nodes) per job if the resource order treats the cores of a node alike, else O(cores).
    """

    fit: Fit = "first-fit"
    order: ResourceOrder = First()  # noqa: RUF009  (frozen)

    takes_parameters: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.fit not in FITS:
            raise UnknownNameError("node search", str(self.fit), FITS)

    @property
    def name(self) -> str:
        """The spec: ``first-fit``, ``high-gigaflops``, ``best-fit:high-gigaflops``."""
        if isinstance(self.order, First):
            return self.fit
        return self.order.name if self.fit == "first-fit" else f"{self.fit}:{self.order.name}"

    def static_ranks(self, hardware: Hardware) -> IntColumn | None:
        """Return the place of each core in the resource order, or None if that changes; shape (n_cores,)."""
        return self.order.ranks(hardware)

    def nodes(self, job: Job, room: Room) -> Iterator[int]:
        """Yield the nodes that have cores to give, in the order of this search."""
        yield from _Search(self.fit, self.order.ranking(job, room), room).nodes(room.cores > 0)

    def place(self, job: Job, cores: int, room: Room) -> Sequence[int] | None:
        """See `echelon.policies.placement.Placement`."""
        demand = job.demand or Demand((TaskGroup(job.processors, 1.0),))
        holds = capacity(room.cores, room.memory, demand)
        if not enough(holds, demand, cores):
            return None
        search = _Search(self.fit, self.order.ranking(job, room), room)
        if demand.sequential:
            node = next(search.nodes(holds >= cores))
            return search.ranking.cores(node, room)[:cores]
        if demand.nodes:
            return search.shares(holds >= per_node(demand, cores), cores, demand.nodes)
        if demand.tasks_per_node:
            holds = np.minimum(holds, demand.tasks_per_node)
        return search.anywhere(holds, cores)


@dataclass(frozen=True, slots=True)
class _Search:
    """One search under way."""

    fit: Fit
    ranking: Ranking
    room: Room

    def nodes(self, usable: NDArray[np.bool_]) -> Iterator[int]:
        """Yield the `usable` nodes in the order of this search."""
        for awake in self._awake_first(usable):
            if self.fit == "first-fit":
                yield from self.ranking.nodes(awake, self.room)
                continue
            # One number of cores after the other: most searches end in the first.
            wanted = np.min if self.fit == "best-fit" else np.max
            while awake.any():
                equal = awake & (self.room.cores == wanted(self.room.cores[awake]))
                yield from self.ranking.nodes(equal, self.room)
                awake = awake & ~equal

    def shares(self, usable: NDArray[np.bool_], cores: int, nodes: int) -> list[int]:
        """Return equal shares of `cores` from the first so many nodes; the first ones take what is left."""
        chosen = islice(self.nodes(usable), nodes)
        sizes = [cores // nodes + (k < cores % nodes) for k in range(nodes)]
        return [
            core
            for node, size in zip(chosen, sizes, strict=True)
            for core in self.ranking.cores(node, self.room)[:size]
        ]

    def anywhere(self, holds: IntColumn, cores: int) -> list[int]:
        """Return the first cores of this search, no more of a node than it holds."""
        if self.fit == "first-fit":
            return self._first_cores(holds, cores)
        allocated: list[int] = []
        for node in self.nodes(holds > 0):
            allocated += self.ranking.cores(node, self.room)[: min(int(holds[node]), cores - len(allocated))]
            if len(allocated) == cores:
                break
        return allocated

    def _first_cores(self, holds: IntColumn, cores: int) -> list[int]:
        allocated: list[int] = []
        left: dict[int, int] = {}
        for usable in self._awake_first(holds > 0):
            for node, idle in self.ranking.idle_cores(usable, self.room):
                mine = left.get(node, int(holds[node]))
                here = idle[: min(mine, cores - len(allocated))]
                left[node] = mine - len(here)
                allocated += here
                if len(allocated) == cores:
                    return allocated
        return allocated

    def _awake_first(self, usable: NDArray[np.bool_]) -> Iterator[NDArray[np.bool_]]:
        asleep = self.room.asleep
        if not asleep.any():
            yield usable
            return
        yield usable & ~asleep
        yield usable & asleep
