"""Reservations as a run is given them: files, tables, values."""

from __future__ import annotations

import json

import pytest

from echelon.availability.log_clock import LogClock
from echelon.errors import InputError
from echelon.experiments.changes.reservation_input import format_reservations, reservations_of
from echelon.model.machines.reservations import Reservation

TABLE = {"name": "t", "start": 5, "end": "+10", "users": ["ann", "bob"]}


def test_files_tables_and_values_together(tmp_path):
    """Entries of all of them are one calendar; values need none."""
    file = tmp_path / "r.csv"
    file.write_text("name,start,end\nf,1,2\n")
    value = Reservation("v", 0, 1, (0,))
    given = reservations_of([file, TABLE, value])
    calendar, left = given.calendar(LogClock())
    assert {entry.name: entry.users for entry in calendar.entries} == {"t": ("ann", "bob"), "f": ()}
    assert (given.ready, left) == ((value,), ())
    parts = json.loads(format_reservations(given))
    assert parts[0] == str(file)
    assert parts[2]["name"] == "v"
    assert format_reservations(reservations_of(file)) == str(file)


def test_a_wrong_table_is_named():
    """The number of the table and the key are in the message."""
    with pytest.raises(InputError, match="reservation 2, end: got '3', expected a time after the start"):
        reservations_of([TABLE, {"start": 5, "end": 3}]).calendar(LogClock())
    with pytest.raises(InputError, match="reservation 1: no column of reservations is named 'nods'"):
        reservations_of([{**TABLE, "nods": 3}]).calendar(LogClock())


def test_none_is_nothing_and_others_are_refused():
    """The word and an empty list are no reservations; a number is an error."""
    assert [reservations_of(given) for given in ("none", None, ())] == [None, None, None]
    with pytest.raises(InputError, match="must be a file, tables or reservations, got 5"):
        reservations_of(5)
