"""Inner sites as tables of a platform file: what decides and is known there, and how old that may be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.model import InnerSite
from echelon.model.machines.inner_site import LEVELS, OWN_TIME
from echelon.platforms.files.fields import Field, name, number, quantity, share, text
from echelon.platforms.files.mistakes import format_got, nearest
from echelon.platforms.files.units import TIME
from echelon.platforms.sections.site_names import POLICY
from echelon.quantities import is_whole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.platforms.files.table import Table

QUEUE, QUEUES = "queue", "queues"
"""The key of these tables, and the key of the same as one spec."""


def _text_or_whole(entry: object) -> int | str | None:
    """Return a number of jobs, or a spec; None if it is neither."""
    if isinstance(entry, str):
        return entry if entry.strip() else None
    return entry if is_whole(entry) and entry >= 0 else None


def _criteria(entry: object) -> list[str] | None:
    """Return the spec of one criterion, or those of several; None if it is neither."""
    listed = entry if isinstance(entry, list) else [entry]
    specs = [one for one in listed if isinstance(one, str) and one.strip()]
    return specs if len(specs) == len(listed) else None


def _queue_name(entry: object) -> str | None:
    """Return the name of a queue, which must not end a spec of several; None if it is none."""
    if not isinstance(entry, str) or not entry:
        return None
    return entry if all(one.isalnum() or one in "-_" for one in entry) else None


_NAME = Field("name", _queue_name, "a name of letters, digits, - and _ in quotes")
_JOBS = Field("jobs", _criteria, "the spec of a criterion in quotes, or a list of some")
_BROKER = name("broker")._replace(expected="the spec of a broker in quotes")
_RULE = name("global_queue")._replace(expected="the spec of a global queue in quotes")
_LIMIT = Field("queue_limit", _text_or_whole, "a whole number >= 0, or a spec in quotes")
_FILTER = name("site_filter")._replace(expected="the spec of a site filter in quotes")
_META_POLICY = {"rule": _RULE, "broker": _BROKER, "limit": _LIMIT, "sites": _FILTER}
"""What is said of a queue, by its name in a spec."""


def _queues_of(group: Table) -> str | None:
    """Return the spec of the queues in the table of an inner site; None if there are none."""
    if QUEUE not in group:
        return None
    if QUEUES in group:
        group.note("got both a spec and tables of queues, expected one of the two", QUEUES)
    tables = group.list_tables(QUEUE, "[[group.queue]] tables with a name")
    return "; ".join(map(_queue_spec, tables)) or None


def _queue_places(group: Table) -> dict[str, str]:
    """Return where the tables of queues say what, as messages about specs of queues name it."""
    places = {QUEUES: group.where(QUEUE)}
    for table in group.list_tables(QUEUE, "[[group.queue]] tables with a name"):
        queue = f"queue {table.content[_NAME.key]}"
        places[queue] = table.where(_JOBS.key if _JOBS.key in table else _NAME.key)
        places |= {f"{queue}, {name}": table.where(field.key) for name, field in _META_POLICY.items()}
    return places


def _queue_spec(table: Table) -> str:
    """Return the spec of one queue; what is wrong is noted."""
    table.refuse_unknown((_NAME.key, _JOBS.key, *(field.key for field in _META_POLICY.values())))
    called, jobs = table.require(_NAME), table.value(_JOBS)
    settings = {name: table.value(field) for name, field in _META_POLICY.items()}
    parts = [*(jobs or ()), *(f"{name}={value}" for name, value in settings.items() if value is not None)]
    return f"{called}({', '.join(parts)})" if parts else str(called)


GROUP = "group"
"""The key of these tables."""

_PATH = text("path")
_SHARE = number("admissible", above=0, most=1)


_TIME = quantity("decision_time", TIME)


def _decision_time(entry: object) -> float | str | None:
    """Return a time in seconds, or the name of that of the broker; None if it is neither."""
    if entry == OWN_TIME:
        return OWN_TIME
    seconds: float | None = _TIME.read(entry)
    return seconds


def _admissible(entry: object) -> float | str | None:
    """Return a share of the sites' processors, or a spec; None if it is neither."""
    if isinstance(entry, str):
        return entry if entry.strip() else None
    share: float | None = _SHARE.read(entry)
    return share


_FIELDS = (
    _BROKER,
    Field("admissible", _admissible, f"{_SHARE.expected}, or a spec in quotes"),
    _TIME._replace(read=_decision_time, expected=f'{_TIME.expected}, or "{OWN_TIME}"'),
    quantity("refresh", TIME),
    POLICY,
    _RULE,
    _LIMIT,
    name(QUEUES)._replace(expected="the spec of queues in quotes"),
    name("queue_order")._replace(expected="an order of queues in quotes"),
    _FILTER,
    share("ptt_weight"),
    quantity("longest_stay", TIME, above=0),
    Field("information", lambda level: level if level in LEVELS else None, f"one of {', '.join(LEVELS)}"),
)


def inner_sites(top: Table, paths: Sequence[str]) -> list[InnerSite]:
    """Return what a file says about its inner sites, whose `paths` are known; what is wrong is noted."""
    if GROUP not in top:
        return []
    tables = top.list_tables(GROUP, "[[group]] tables with the path of an inner site")
    _refuse_twins(tables)
    return [site for table in tables if (site := _inner_site(table, paths)) is not None]


def group_tables(inner: Sequence[InnerSite]) -> list[dict[str, Any]]:
    """Return the tables of inner sites, each with what is said there, in the order of the fields."""
    return [{_PATH.key: one.path, **_plain(one.settings)} for one in inner]


def _plain(settings: Mapping[str, Any]) -> dict[str, str | int | float]:
    values = {field.key: settings[field.key] for field in _FIELDS if field.key in settings}
    return {key: value if isinstance(value, str | int) else float(value) for key, value in values.items()}


def _inner_site(table: Table, paths: Sequence[str]) -> InnerSite | None:
    """Return what a table says; None if something is wrong with it."""
    before = len(table.mistakes)
    table.refuse_unknown((_PATH.key, *(field.key for field in _FIELDS), QUEUE))
    path = table.require(_PATH)
    if path is not None and path not in paths:
        hint = nearest(path, [one or '""' for one in paths])
        table.note(f"{format_got(path)}, expected the path of an inner site, {hint}", _PATH.key)
    values = table.values(_FIELDS)
    if (queues := _queues_of(table)) is not None:
        values[QUEUES] = queues
    if len(table.mistakes) > before:
        return None
    return InnerSite(path, **values, places=_places(table, values))


def _places(table: Table, values: Mapping[str, object]) -> dict[str, str]:
    """Return where a file says these values, by key; nothing of what is in no file."""
    in_tables = _queue_places(table) if QUEUE in table else {}
    places = {key: table.where(key) for key in values if key in table} | in_tables
    return {key: place for key, place in places.items() if place}


def _refuse_twins(tables: Sequence[Table]) -> None:
    """Note every table that has the path of one before it."""
    first: dict[str, Table] = {}
    for table in tables:
        path = table.content.get(_PATH.key)
        if not isinstance(path, str) or first.setdefault(path, table) is table:
            continue
        line = table.mistakes.line((*first[path].place, _PATH.key))
        where = f" (line {line})" if line else ""
        number = tables.index(first[path]) + 1
        table.note(f"{format_got(path)}, as group {number}{where} has, expected another path", _PATH.key)
