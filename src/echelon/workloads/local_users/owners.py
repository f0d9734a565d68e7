"""Owners: how many nodes have an owner at work, which, when that changes, and in which bursts."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from heapq import heapify, heapreplace
from itertools import chain, count
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from echelon.errors import InputError, UnknownNameError
from echelon.model.machines.local_use import AWAY, LocalChange, LocalUse
from echelon.model.streams import stream
from echelon.rules.parameter import settings_of
from echelon.workloads.local_users.profile import Profile  # noqa: TC001  (read as the type of a parameter)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, MutableMapping

    Place = tuple[int, int]
    from collections.abc import Sequence

    from echelon.model import Platform

    Clusters = Sequence[Sequence[Place]]


def bursts(
    owners: Mapping[Place, LocalUse],
    now: MutableMapping[Place, LocalUse],
    spell: float,
    *,
    since: float,
    until: float,
    random: np.random.Generator,
) -> Iterator[LocalChange]:
    """Yield what the owners use in turn from `since` to before `until`, and keep it in `now`.

    Parameters
    ----------
    owners : mapping of (site, node) to LocalUse
        The mean use of each owner at work; an owner not among them leaves at `since`.
    now : mapping of (site, node) to LocalUse
        What is used before `since`, changed over time.
    spell : float
        Mean length of a busy spell, in seconds, > 0.
    since, until : float
        In seconds; `until` may be infinite.
    random : numpy.random.Generator
        Draws the owners that are busy at first, and all spells.

    Notes
    -----
    An owner is busy a share b = max(1/2, CPU) of the time, and then uses 1/b of the mean CPU and network.
    Spells have no memory, so that they may be drawn again at any time. **Cost**: O(log owners) a change.
    """
    toggles: list[tuple[float, Place, bool]] = []
    for place in sorted(now.keys() | owners.keys()):
        mean = owners.get(place, AWAY)
        is_busy = place in owners and bool(random.random() < _busy_share(mean))
        use = _use(mean, is_busy=is_busy)
        if use != now.get(place, AWAY):
            now[place] = use
            yield LocalChange(since, *place, use)
        if place in owners and alternates(mean):
            toggles.append((since + _spell(mean, spell, random, is_busy=is_busy), place, is_busy))
    heapify(toggles)
    while toggles and toggles[0][0] < until:
        time, place, was_busy = toggles[0]
        mean = owners[place]
        use = _use(mean, is_busy=not was_busy)
        if use != now.get(place, AWAY):
            now[place] = use
            yield LocalChange(time, *place, use)
        heapreplace(toggles, (time + _spell(mean, spell, random, is_busy=not was_busy), place, not was_busy))


def alternates(mean: LocalUse) -> bool:
    """Return whether an owner of this mean use is ever seen busy and ever seen idle."""
    return mean.cpu < 1 and (mean.cpu > 0 or mean.network > 0)


def _busy_share(mean: LocalUse) -> float:
    return max(0.5, mean.cpu)


def _use(mean: LocalUse, *, is_busy: bool) -> LocalUse:
    scale = 1 / _busy_share(mean) if is_busy else 0.0
    return LocalUse(min(1.0, mean.cpu * scale), mean.memory, mean.network * scale)


def _spell(mean: LocalUse, spell: float, random: np.random.Generator, *, is_busy: bool) -> float:
    busy = _busy_share(mean)
    return float(random.exponential(spell if is_busy else spell * (1 - busy) / busy))


LEAST_SPELL = 0.001
"""In seconds, the shortest stay of an owner: shorter ones would slow down a run without end."""


@dataclass(frozen=True, slots=True)
class Owners:
    """Owners of one profile at a share of the nodes.

    Parameters
    ----------
    profile : Profile
        What they use.
    share : float, default 1
        Of the nodes, those with an owner at work, 0 to 1; rounded to the nearest whole number, halves up.
    spread : {"uniform", "grouped"}, default uniform
        Uniform: any nodes at random. Grouped: the clusters are filled one after another, the last of them
        in part, any of its nodes at random.
    clusters : str, default all
        Names of the clusters whose nodes may have owners, or their numbers from 0, separated by blanks. The
        share is of their nodes, and they are filled in this order.
    period : float, default infinity
        After so many seconds, >= 0.001, the nodes with an owner are redrawn again and again. Of those
        grouped, each time another cluster is the first to be filled.
    burst : float, default 0
        Mean length in seconds of the spells, exponential, in which an owner is busy; between them one is idle
        as long on average (less if the profile's CPU is above 1/2). A busy owner uses twice the CPU and the
        network of the profile, an idle one only memory, so that the mean stays. 0: no bursts; else >= 0.001.
    cpu, memory, network : float, optional
        In place of the profile's: shares of the node's processors and memory, traffic in bytes a second.

    Raises
    ------
    InputError
        If a value is out of its range.

    Notes
    -----
    With one seed, the nodes with an owner at a share are among those at a larger one, and a node's owner is
    of the same kind in both. **Cost**: O(nodes log nodes) at each draw, O(log nodes) for each burst.
    **Source**: M-CISNE thesis, sections 4.3.3 and 4.4.4 and table D.2, which has no period and no bursts.
    """

    are_drawn: ClassVar[bool] = True
    """That a run counts their times from the full hour before its first job, instead of the log's 0."""

    profile: Profile = field(metadata={"in_name": True})
    share: float = 1.0
    spread: Literal["uniform", "grouped"] = "uniform"
    clusters: str = ""
    period: float = field(default=math.inf, metadata={"unit": "s"})
    burst: float = field(default=0.0, metadata={"unit": "s"})
    cpu: float | None = None
    memory: float | None = None
    network: float | None = None

    def __post_init__(self) -> None:
        for name in ("share", "cpu", "memory"):
            if (value := getattr(self, name)) is not None and not 0 <= value <= 1:
                raise InputError(f"{name} must be from 0 to 1, got {value!r}", field=self._field)
        if self.network is not None and not 0 <= self.network < math.inf:
            raise InputError(
                f"network must be bytes a second >= 0 and finite, got {self.network!r}", field=self._field
            )
        if not self.period >= LEAST_SPELL:
            raise InputError(
                f"period must be at least {LEAST_SPELL} s, got {self.period!r}", field=self._field
            )
        if self.burst != 0 and not LEAST_SPELL <= self.burst < math.inf:
            raise InputError(
                f"burst must be 0, or at least {LEAST_SPELL} s and finite, got {self.burst!r}",
                field=self._field,
            )
        if self.spread not in ("uniform", "grouped"):
            raise InputError(f"spread must be uniform or grouped, got {self.spread!r}", field=self._field)

    @property
    def spec(self) -> str:
        """The spec that makes the same: ``xwin:share=0.5``."""
        return ":".join([self.profile.name, *settings_of(self)])

    @property
    def uses(self) -> tuple[LocalUse, ...]:
        """What an owner of each kind uses on average."""
        own = {"cpu": self.cpu, "memory": self.memory, "network": self.network}
        shares = {name: float(value) for name, value in own.items() if value is not None}
        return tuple(use._replace(**shares) for use in self.profile.uses)

    def changes(self, platform: Platform, seed: int) -> Iterator[LocalChange]:
        """Yield who comes, goes, or gets busy or idle, by time, then by site and node.

        Raises
        ------
        InputError
            If the platform's nodes are not modeled individually.
        UnknownNameError
            If one of the clusters does not exist.
        """
        return self._walk(self._clusters(platform), seed)

    @property
    def _field(self) -> str:
        return f"local users {self.profile.name!r}"

    def _clusters(self, platform: Platform) -> Clusters:
        """Return the nodes of the clusters that may have owners."""
        check_shared(platform, self.spec)
        chosen = [site_number(platform, name) for name in self.clusters.split()] or range(len(platform))
        if len(set(chosen)) < len(chosen):
            raise InputError(f"names a cluster twice: {self.clusters!r}", field=self._field)
        return [[(site, node) for node in range(len(platform.clusters[site]))] for site in chosen]

    def _walk(self, clusters: Clusters, seed: int) -> Iterator[LocalChange]:
        places, kinds = stream(seed, "local-users"), stream(seed, "local-users/kinds")
        spells = stream(seed, "local-users/bursts")
        now: dict[Place, LocalUse] = {}
        period = self.period if self._moves(sum(map(len, clusters))) else math.inf
        for number in count() if math.isfinite(period) else range(1):
            start = number * period if number else 0.0
            loads = self._draw_uses(clusters, number, places, kinds)
            if self._bursts:
                yield from bursts(loads, now, self.burst, since=start, until=start + period, random=spells)
                continue
            yield from (
                LocalChange(start, *place, loads.get(place, AWAY))
                for place in sorted(now.keys() | loads.keys())
                if now.get(place, AWAY) != loads.get(place, AWAY)
            )
            now = loads

    def _draw_uses(
        self, clusters: Clusters, number: int, places: np.random.Generator, kinds: np.random.Generator
    ) -> dict[Place, LocalUse]:
        """Return what the owners use who are at work in a period, the first of which has number 0."""
        first = number % len(clusters)
        nodes = list(chain.from_iterable((*clusters[first:], *clusters[:first])))
        # A whole permutation, so that more owners are those of before and some more.
        order = places.permutation(len(nodes))
        if self.spread == "grouped":
            sizes = np.cumsum([len(clusters[(first + k) % len(clusters)]) for k in range(len(clusters))])
            order = order[np.argsort(np.searchsorted(sizes, order, side="right"), kind="stable")]
        kind = kinds.choice(len(self.uses), len(nodes), p=np.array(self.profile.shares))
        at_work = sorted(order[: self._count_owners(len(nodes))].tolist())
        return {nodes[place]: self.uses[kind[place]] for place in at_work}

    def _count_owners(self, nodes: int) -> int:
        return math.floor(self.share * nodes + 0.5)

    @property
    def _bursts(self) -> bool:
        return self.burst > 0 and any(map(alternates, self.uses))

    def _moves(self, nodes: int) -> bool:
        """Return whether drawing again ever changes anything: none may wait for what never comes."""
        wanted, kinds = self._count_owners(nodes), set(self.uses)
        alike = wanted == 0 or kinds == {AWAY} or (wanted == nodes and len(kinds) == 1)
        return not alike


def check_shared(platform: Platform, spec: str) -> None:
    """Raise `InputError` unless nodes of the platform may have owners, as the local users `spec` need."""
    if not platform.is_shared:
        raise InputError(
            f"has no nodes with owners, as {spec} needs; give sites a [site.contract]",
            field=f"platform {platform.name!r}",
        )


def site_number(platform: Platform, name: str) -> int:
    """Return the number of the site of this name, or of this number if none has the name.

    Raises
    ------
    UnknownNameError
        If there is neither.
    """
    if name not in platform.names and name.isdecimal() and name.isascii() and int(name) < len(platform):
        return int(name)
    try:
        return platform.index(name)
    except UnknownNameError:
        what = f"cluster (of {len(platform)}, from number 0 on)"
        raise UnknownNameError(what, name, platform.names) from None
