"""Reservations that share nodes at one time, which people often do not mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.quantities import tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model.machines.reservations import Reservation


def overlaps(reservations: Sequence[Reservation]) -> tuple[str, ...]:
    """Return a clause on reservations that share nodes, the first two and how many more pairs of names.

    Parameters
    ----------
    reservations : sequence of Reservation
        In any order.

    Notes
    -----
    Cost: O(n log n) for n reservations, and O(nodes) for each two that are on at one time.
    """
    sentences: dict[tuple[str, str], str] = {}
    on: list[tuple[Reservation, frozenset[int]]] = []
    for one in sorted(reservations, key=lambda one: one.start):
        on = [(other, nodes) for other, nodes in on if other.end > one.start]
        mine = frozenset(one.nodes)
        for other, nodes in on:
            key = (other.name, one.name)
            if other.site == one.site and key not in sentences and (shared := mine & nodes):
                until = min(one.end, other.end)
                sentences[key] = (
                    f"reservations {other.name!r:.40} and {one.name!r:.40} share "
                    f"{tally(len(shared), 'node')} from {one.start:g} to {until:g} s: only jobs with "
                    "access to both may use them then"
                )
        on.append((one, mine))
    if not sentences:
        return ()
    more = f", and {tally(len(sentences) - 1, 'other pair')} share some" if len(sentences) > 1 else ""
    return (next(iter(sentences.values())) + more,)
