"""Time-shared machines as tables of a platform file: ``queue = "none"``, their speed and their count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.model import Site, TimeSharedMachine
from echelon.model.machines.capacity import MOST_PROCESSORS
from echelon.platforms.files.fields import Field, number, whole
from echelon.platforms.sections.site_names import COUNT, NAME, WEIGHT, count_sites, site_name

if TYPE_CHECKING:
    from echelon.model import Power
    from echelon.platforms.files.table import Table

NO_QUEUE = "none"
"""What the key ``queue`` says of such a site; there is no other word, as sites have a queue by default."""

_QUEUE = Field("queue", lambda queue: queue if queue == NO_QUEUE else None, f'"{NO_QUEUE}", or no such key')
_SPEED = number("speed", above=0)
_SIZE = whole("processors", MOST_PROCESSORS)
IMMEDIATE_KEYS = (_QUEUE.key, _SPEED.key)
"""What tells that a site has no queue; every such site says so."""


def is_immediate(table: Table) -> bool:
    """Return whether a site's table describes a time-shared machine."""
    return any(key in table for key in IMMEDIATE_KEYS)


def immediate_sites(table: Table, power: Power | None) -> list[Site] | None:
    """Return the site that a table describes, or `count` of them; None if something is wrong, which is noted.

    The sites of a table with a count are named after it: ``r1-1``, ``r1-2`` ...
    """
    before = len(table.mistakes)
    table.refuse_unknown((NAME.key, COUNT.key, _SIZE.key, "power", *IMMEDIATE_KEYS, WEIGHT.key))
    called, size, count = site_name(table), table.require(_SIZE), table.value(COUNT)
    table.require(_QUEUE)
    speed = table.value(_SPEED)
    if len(table.mistakes) > before:
        return None
    machine = TimeSharedMachine(size) if speed is None else TimeSharedMachine(size, speed)
    return count_sites(called, machine, power, count)


def immediate_values(machine: TimeSharedMachine) -> dict[str, Any]:
    """Return what a site's table says of a time-shared machine."""
    return {_QUEUE.key: NO_QUEUE, _SPEED.key: float(machine.speed)}
