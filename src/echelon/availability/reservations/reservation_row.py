"""ReservationRow: one row of a table of reservations, as texts by column, made an entry of a calendar."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from echelon.availability.calendar_entry import DAILY, ONCE, WEEKLY, CalendarEntry, Repeat
from echelon.availability.log_clock import A_LENGTH, A_TIME, LogClock, length_of, naming_cell
from echelon.availability.node_list import A_LIST, ListedNodes, parse_nodes
from echelon.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

COLUMNS: Mapping[str, str] = {
    "name": "what jobs and tables call it",
    "nodes": f"a number of nodes (any free ones), or {A_LIST}; [4] is the node 4; empty: all",
    "start": A_TIME,
    "end": f"{A_TIME}, or + and {A_LENGTH}",
    "users": "users with blanks between them",
    "accounts": "accounts with blanks between them",
    "flags": "maintenance, ignore-jobs, flex, overrun, daily, weekly, every=S, slide=S, separated by blanks",
    "announced": f"{A_TIME}; empty: always known",
    "site": "path of a site; empty: the machine, all sites",
}
"""Columns of a table of reservations, and what each holds."""

REQUIRED = ("start", "end")
FLAGS = ("maintenance", "ignore-jobs", "flex", "overrun", "daily", "weekly", "every", "slide")


class _Flags(NamedTuple):
    names: frozenset[str] = frozenset()
    repeat: Repeat = ONCE
    slide: float = 0.0


def reservation_entry(row: Mapping[str, Any], place: str, clock: LogClock) -> CalendarEntry:
    """Return the entry that a row says.

    Parameters
    ----------
    row : mapping of str to object
        By the names of `COLUMNS`: texts or numbers, lists where a cell may list several. What is absent or
        empty is left open.
    place : str
        Where the row is, for messages: file and line.
    clock : LogClock
        Of the log.

    Raises
    ------
    InputError
        If a column is missing, unknown or not what it must hold; the message says place and column.
    """
    if unknown := next((key for key in row if key not in COLUMNS), None):
        raise InputError(str(UnknownNameError("column of reservations", unknown, COLUMNS, where=place)))
    texts = {key: _text(value) for key, value in row.items()}
    for key in REQUIRED:
        if not texts.get(key):
            raise InputError(f"{place}, {key}: is missing, expected {COLUMNS[key]}")

    def read(key: str, make: Callable[[str], Any], empty: Any = None) -> Any:  # noqa: ANN401
        text = texts.get(key, "")
        if not text:
            return empty
        with naming_cell(place, key):
            return make(text)

    start = read("start", clock.moment)
    length = read("end", lambda text: _length(text, start.seconds, clock))
    flags = read("flags", _flags, _Flags())
    users, accounts = (read(key, _names, ()) for key in ("users", "accounts"))
    nodes = read("nodes", lambda text: _nodes(text, _is_count(row.get("nodes"))))
    closed = "maintenance" in flags.names and not (users or accounts or flags.names & _OPEN)
    return CalendarEntry(
        start,
        length,
        texts.get("name", ""),
        listed=None if nodes is None or isinstance(nodes, int) else nodes.numbers,
        count=nodes if isinstance(nodes, int) else None,
        site=texts.get("site", ""),
        users=users,
        accounts=accounts,
        is_maintenance=closed,
        flex="flex" in flags.names,
        overrun="overrun" in flags.names,
        ignore_jobs="ignore-jobs" in flags.names,
        announced=read("announced", lambda text: clock.moment(text).seconds, -math.inf),
        slide=flags.slide,
        repeat=flags.repeat,
        place=place,
        names=nodes.names if isinstance(nodes, ListedNodes) else (),
    )


_OPEN = frozenset(("ignore-jobs", "flex", "overrun", "slide"))
"""Flags that only reservations have: maintenance with one of them is a reservation without users."""


def _text(value: Any) -> str:  # noqa: ANN401  (a cell, or what TOML holds)
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return " ".join(map(_text, value))
    if hasattr(value, "isoformat"):
        return str(value.isoformat())
    return str(value).strip()


def _is_count(value: object) -> bool:
    """Return whether what was given is one number: not a list of one number."""
    return not isinstance(value, list | tuple) and _text(value).isascii() and _text(value).isdigit()


def _nodes(text: str, is_count: bool) -> ListedNodes | int | None:
    """Return the nodes of a list, or how many; None: all."""
    if text.lower() == "all":
        return None
    if not is_count:
        return parse_nodes(text)
    if not 1 <= len(text) <= 18 or int(text) < 1:
        raise InputError(f"got {text!r:.60}, expected {COLUMNS['nodes']}")
    return int(text)


def _length(text: str, start: float, clock: LogClock) -> float:
    if text.startswith("+"):
        return length_of(text[1:])
    end = clock.moment(text).seconds
    if not end > start:
        raise InputError(f"got {text!r:.60}, expected a time after the start, {start:g} s")
    return end - start


def _names(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text.replace(",", " ").replace(";", " ").split()))


def _flags(text: str) -> _Flags:
    names: set[str] = set()
    repeat, slide = ONCE, 0.0
    for flag in text.replace(",", " ").replace(";", " ").replace("+", " ").lower().split():
        key, equals, value = flag.replace("_", "-").partition("=")
        if key not in FLAGS or bool(equals) != (key in ("every", "slide")):
            raise InputError(f"got {flag!r:.40}, expected {COLUMNS['flags']}")
        names.add(key)
        if key in ("daily", "weekly"):
            repeat = DAILY if key == "daily" else WEEKLY
        elif key == "every":
            repeat = Repeat(seconds=length_of(value))
        elif key == "slide":
            slide = length_of(value)
    if len(names & {"daily", "weekly", "every"}) > 1:
        raise InputError(f"got {text!r:.60}, expected one of daily, weekly and every=S")
    return _Flags(frozenset(names), repeat, slide)
