"""Advance reservations as values."""

from __future__ import annotations

import pytest

from echelon.errors import InputError
from echelon.model import Reservation
from echelon.model.machines.reservations import begun_by


def test_a_reservation_has_nodes_and_a_length():
    """One without nodes, or that ends when it starts, is refused by its name."""
    with pytest.raises(InputError, match="reservation course: has no nodes"):
        Reservation("course", 0, 10, ())
    with pytest.raises(InputError, match="reservation course: must end after its start, got 10 to 10 s"):
        Reservation("course", 10, 10, (0,))


def test_those_that_had_begun():
    """A reservation that starts at the time has begun, and one that starts later has not."""
    three = tuple(Reservation(str(start), start, start + 5, (0,)) for start in (10, 20, 30))
    assert [one.name for one in begun_by(20, three)] == ["10", "20"]
