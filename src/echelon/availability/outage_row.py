"""OutageRow: one table ``[[outage]]`` of a scenario file, or mapping of Python, as outages of a machine."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from echelon.availability.log_clock import A_LENGTH, A_TIME, length_of, log_seconds, naming_cell
from echelon.availability.node_list import A_LIST, parse_nodes
from echelon.errors import EchelonError, InputError, UnknownNameError
from echelon.model.machines.outages import OutageKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from echelon.availability.log_clock import LogClock
    from echelon.availability.machine_nodes import MachineNodes

COLUMNS: Mapping[str, str] = {
    "nodes": f"{A_LIST}; absent or all: all",
    "node": "the same as nodes, in the singular",
    "down": A_TIME,
    "up": f"{A_TIME}, or + and {A_LENGTH}; absent or never: never",
    "kind": "fail (the default), drain or maintenance",
    "announced": f"{A_TIME}; absent: always known",
    "site": "path of a site; absent: the machine, all sites",
}
"""What a table of an outage may say."""

KINDS = {"fail": OutageKind.FAIL, "drain": OutageKind.DRAIN, "maintenance": OutageKind.MAINTENANCE}

NEVER = frozenset({"", "inf", "never"})
"""Words of an end that does not come."""

Row = tuple[float, float, tuple[int, ...], OutageKind, float, int]
"""As `Outages.of` takes it."""


def outage_rows(table: Mapping[str, Any], place: str, nodes: MachineNodes, clock: LogClock) -> Iterator[Row]:
    """Yield the outage of a table at each site that it is at.

    Parameters
    ----------
    table : mapping of str to object
        By the names of `COLUMNS`.
    place : str
        Where it is, for messages.
    nodes : MachineNodes
        Of the machine.
    clock : LogClock
        Of the log.

    Raises
    ------
    InputError
        If a key is unknown, missing or not what it must hold; the message says place and key.
    """
    if "node" in table and "nodes" in table:
        raise InputError(f"{place}: says node and nodes; give one of the two")
    row = {"nodes" if key == "node" else key: value for key, value in table.items()}
    if unknown := next((key for key in row if key not in COLUMNS), None):
        raise InputError(str(UnknownNameError("key of an outage", unknown, COLUMNS, where=place)))
    if "down" not in row:
        raise InputError(f"{place}, down: is missing, expected {COLUMNS['down']}")

    def read(key: str, make: Callable[[str], Any], absent: Any) -> Any:  # noqa: ANN401
        if key not in row:
            return absent
        with naming_cell(place, key):
            return make(_text(row[key]))

    down = read("down", lambda text: clock.moment(text).seconds, math.nan)
    up = read("up", lambda text: _end(text, down, clock), math.inf)
    kind = read("kind", _kind, OutageKind.FAIL)
    announced = read("announced", lambda text: clock.moment(text).seconds, -math.inf)
    listed = read("nodes", lambda text: None if text.lower() == "all" else parse_nodes(text), None)
    numbered = (None,) if listed is None else (listed.numbers, listed.names)
    try:
        for site, numbers in nodes.nodes(_text(row.get("site", "")), *numbered):
            yield down, up, numbers, kind, announced, site
    except EchelonError as error:
        raise InputError(f"{place}: {error}") from error


def _text(value: Any) -> str:  # noqa: ANN401  (what TOML holds)
    if isinstance(value, list | tuple):
        return "+".join(map(_text, value))
    return str(value.isoformat() if hasattr(value, "isoformat") else value).strip()


def _end(text: str, down: float, clock: LogClock) -> float:
    if text.lower() in NEVER:
        return math.inf
    if text.startswith("+"):
        # An outage of no length is one, too.
        length = log_seconds(text[1:])
        return down + (0.0 if length == 0.0 else length_of(text[1:]))
    end = clock.moment(text).seconds
    if not end >= down:
        raise InputError(f"got {text!r:.60}, expected a time no earlier than down, {down:g} s")
    return end


def _kind(text: str) -> OutageKind:
    if text.lower() not in KINDS:
        raise InputError(f"got {text!r:.40}, expected {COLUMNS['kind']}")
    return KINDS[text.lower()]
