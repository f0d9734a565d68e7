"""Several global queues of an inner site as tables of a platform file, ``[[group.queue]]``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.platforms.files.fields import Field, name

if TYPE_CHECKING:
    from echelon.platforms.files.table import Table

QUEUE, QUEUES = "queue", "queues"
"""The key of these tables, and the key of the same in words."""


def text_or_whole(entry: object) -> int | str | None:
    """Return a number of jobs, or words; None if it is neither."""
    if isinstance(entry, str):
        return entry if entry.strip() else None
    return entry if isinstance(entry, int) and not isinstance(entry, bool) and entry >= 0 else None


def _criteria(entry: object) -> list[str] | None:
    """Return the words of one criterion or of several; None if it is neither."""
    listed = entry if isinstance(entry, list) else [entry]
    words = [one for one in listed if isinstance(one, str) and one.strip()]
    return words if len(words) == len(listed) else None


def _queue_name(entry: object) -> str | None:
    """Return the name of a queue, which must not end words that hold several; None if it is none."""
    if not isinstance(entry, str) or not entry:
        return None
    return entry if all(one.isalnum() or one in "-_" for one in entry) else None


_NAME = Field("name", _queue_name, "a name of letters, digits, - and _ in quotes")
_JOBS = Field("jobs", _criteria, "the words of a criterion in quotes, or a list of some")
_META_POLICY = {
    "rule": name("global_queue")._replace(expected="a global queue's words in quotes"),
    "broker": name("broker")._replace(expected="a broker's words in quotes"),
    "limit": Field("queue_limit", text_or_whole, "a whole number >= 0, or words in quotes"),
    "sites": name("site_filter")._replace(expected="a site filter's words in quotes"),
}
"""What is said of a queue, by its name in words."""


def queues_of(group: Table) -> str | None:
    """Return the words of the queues in the table of an inner site; None if there are none."""
    if QUEUE not in group:
        return None
    if QUEUES in group:
        group.note("got both queues in words and tables of queues, expected one of the two", QUEUES)
    tables = group.list_tables(QUEUE, "[[group.queue]] tables with a name")
    return "; ".join(map(_queue_spec, tables)) or None


def queue_places(group: Table) -> dict[str, str]:
    """Return where the tables of queues say what, as messages about words of queues name it."""
    places = {QUEUES: group.where(QUEUE)}
    for table in group.list_tables(QUEUE, "[[group.queue]] tables with a name"):
        queue = f"queue {table.content[_NAME.key]}"
        places[queue] = table.where(_JOBS.key if _JOBS.key in table else _NAME.key)
        places |= {f"{queue}, {word}": table.where(field.key) for word, field in _META_POLICY.items()}
    return places


def _queue_spec(table: Table) -> str:
    """Return the spec of one queue; what is wrong is noted."""
    table.refuse_unknown((_NAME.key, _JOBS.key, *(field.key for field in _META_POLICY.values())))
    called, jobs = table.require(_NAME), table.value(_JOBS)
    settings = {word: table.value(field) for word, field in _META_POLICY.items()}
    parts = [*(jobs or ()), *(f"{word}={value}" for word, value in settings.items() if value is not None)]
    return f"{called}({', '.join(parts)})" if parts else str(called)
