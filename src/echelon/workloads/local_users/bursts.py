"""Bursts: owners who are busy and idle in turn, for exponential times."""

from __future__ import annotations

from heapq import heapify, heapreplace
from typing import TYPE_CHECKING

from echelon.model.machines.local_use import AWAY, LocalChange, LocalUse

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, MutableMapping

    import numpy as np

    Place = tuple[int, int]


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
