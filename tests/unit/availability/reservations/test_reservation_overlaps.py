"""Reservations that share nodes at one time."""

from __future__ import annotations

from echelon.availability.reservations.reservation_overlaps import overlaps
from echelon.model.machines.reservations import Reservation


def test_reservations_that_share_nodes_are_named():
    """Two names, how many nodes, from when to when; of repeats and further pairs only the number."""
    first = [Reservation("a", 0, 10, (0, 1, 2)), Reservation("b", 5, 15, (1, 2, 3))]
    (clause,) = overlaps(first)
    assert clause.startswith("reservations 'a' and 'b' share 2 nodes from 5 to 10 s: only jobs with access")
    later = [Reservation("a", 100, 110, (0, 1, 2)), Reservation("b", 105, 115, (1, 2, 3))]
    assert overlaps([*later, *first]) == (clause,)
    (more,) = overlaps([*first, Reservation("c", 9, 11, (0, 3))])
    assert more == f"{clause}, and 2 other pairs share some"


def test_others_are_not():
    """Neither one after the other, nor beside each other, nor in two sites."""
    apart = (
        Reservation("a", 0, 10, (0, 1)),
        Reservation("b", 10, 20, (0, 1)),
        Reservation("c", 0, 20, (2,)),
        Reservation("d", 0, 20, (0, 1), site=1),
    )
    assert overlaps(apart) == ()
