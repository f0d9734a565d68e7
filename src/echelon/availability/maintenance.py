"""Words of maintenance: ``2026-12-01T08:00/8h/weekly/nodes=1-4@spain/uab``, several with semicolons."""

from __future__ import annotations

import math

from echelon.availability.calendar import Calendar
from echelon.availability.calendar_entry import DAILY, ONCE, WEEKLY, CalendarEntry, Repeat
from echelon.availability.log_clock import LogClock, length_of, log_seconds
from echelon.availability.node_list import ListedNodes, parse_nodes
from echelon.errors import InputError

EXPECTED = (
    "START/LENGTH, START in seconds of the log or as a date, then any of /daily, /weekly, /every=7d, "
    "/nodes=1-4+7, /announced=START and @SITE, such as 2026-12-01T08:00/8h/weekly; several are separated "
    "by semicolons"
)


def check_maintenance(spec: str) -> str:
    """Return the spec of maintenance as it was given, with dates read but not yet on a log's clock.

    Raises
    ------
    InputError
        If it is wrong.
    """
    _parse_entries(spec, LogClock(0.0))  # before the log is known any date is fine
    return spec


def maintenance_of(spec: str, clock: LogClock) -> Calendar:
    """Return the calendar of a spec of maintenance.

    Parameters
    ----------
    spec : str
        ``START/LENGTH`` with further parts after slashes, several such entries with semicolons between them.
        START: seconds of the log, or a date in ISO 8601 on the clock of the log. LENGTH: seconds, or with a
        unit (``8h``). ``daily``, ``weekly``: again at the same hour; ``every=S``: again after so long.
        ``nodes=1-4+7``: nodes by their numbers from 1 in their site, default all. ``announced=START``: when
        schedulers learn of it, default always known. ``@PATH`` anywhere after START: a site, or all sites
        below an inner site.
    clock : LogClock
        Of the log.

    Raises
    ------
    InputError
        If it is anything else; the message says which entry.
    """
    return Calendar(tuple(_parse_entries(spec, clock)))


def _parse_entries(spec: str, clock: LogClock) -> list[CalendarEntry]:
    entries = [_entry(one.strip(), clock) for one in spec.split(";") if one.strip()]
    if not entries:
        raise InputError(f"got {spec!r:.80}, expected {EXPECTED}", field="maintenance")
    return entries


def _entry(text: str, clock: LogClock) -> CalendarEntry:
    place = f"maintenance {text!r:.80}"
    try:
        return _read(text, clock, place)
    except InputError as error:
        problem = error.problem.removeprefix(f"{place}: ")
        raise InputError(f"{text!r:.80}: {problem}", field="maintenance") from error


def _read(text: str, clock: LogClock, place: str) -> CalendarEntry:
    (start, *parts), site = _split_parts(text)
    if not parts:
        raise InputError(f"says no length, expected {EXPECTED}")
    moment, length = clock.moment(start), length_of(parts[0])
    values: dict[str, str] = {}
    for part in parts[1:]:
        key, equals, value = ("every", "=", part) if part in _REPEATS else part.partition("=")
        if key not in _KEYS or not equals:
            raise InputError(f"has the part {part!r:.40}, expected {EXPECTED}")
        if key in values:
            raise InputError(f"says {_MEANINGS[key]} twice, {values[key]!r:.40} and {value!r:.40}; give one")
        values[key] = value
    nodes = parse_nodes(values["nodes"]) if "nodes" in values else _ALL
    return CalendarEntry(
        moment,
        length,
        "maintenance",
        listed=nodes.numbers or None,
        site=site,
        announced=clock.moment(values["announced"]).seconds if "announced" in values else -math.inf,
        repeat=_repeat(values["every"]) if "every" in values else ONCE,
        place=place,
        names=nodes.names,
    )


def _repeat(text: str) -> Repeat:
    return _REPEATS[text] if text in _REPEATS else Repeat(seconds=length_of(text))


_ALL = ListedNodes((), "", ())
_REPEATS = {"daily": DAILY, "weekly": WEEKLY}
_MEANINGS = {"every": "how often", "nodes": "its nodes", "announced": "when it is announced"}
_KEYS = frozenset(_MEANINGS)


def _split_parts(text: str) -> tuple[list[str], str]:
    """Return the parts between slashes and the path of the site, which may stand anywhere after the start.

    The path has slashes, too: it ends before the first part that can only be one of maintenance.
    """
    before, at, after = text.partition("@")
    parts = [part.strip() for part in before.split("/")]
    if not at:
        return parts, ""
    site, *rest = (part.strip() for part in after.split("/"))
    if not site or "@" in after:
        raise InputError(f"names {'two sites' if site else 'no site'} with @, expected {EXPECTED}")
    while rest and not _is_part(rest[0], wants_length=len(parts) == 1):
        site += f"/{rest.pop(0)}"
    return [*parts, *rest], site


def _is_part(part: str, *, wants_length: bool) -> bool:
    is_option = part in _REPEATS or part.partition("=")[0] in _KEYS
    return is_option or (wants_length and log_seconds(part) is not None)
