"""The clock of a page: that of the log's site, so that all its times agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.model.jobs.time_zone import clock_offsets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.reports.tables import RunTables


def page_clock(runs: Sequence[RunTables]) -> dict[str, Any] | None:
    """Return by how many seconds the clock of the log's site is ahead of UTC, and from when on.

    ``name`` is the time zone of the first run whose log says when it begins, ``from`` Unix times in seconds,
    ascending, and ``shift`` the seconds from each of them on. None where the page is in UTC: the log does not
    say when it begins or where, or its zone is unknown. Cost: O(days from first submission to last end).
    """
    dated = [(run, run.unix_start_time) for run in runs if run.unix_start_time is not None]
    name = (dated[0][0].time_zone or "").strip() if dated else ""
    if not name:
        return None
    first, last = min(run.span[0] for run in runs), max(run.span[1] for run in runs)
    origins = [origin for _, origin in dated]
    clock = clock_offsets(min(origins) + first, max(origins) + last, name)
    return None if clock.name != name else {"name": name, "from": clock.start, "shift": clock.ahead}
