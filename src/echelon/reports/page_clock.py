"""The clock of a page: that of the log's site, so that all its times agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.model.jobs.local_time import local_time

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.reports.tables import RunTables

_STEP = 1800.0
"""Seconds between two looks at the clock: it is put on or back at half hours."""

_MOST_LOOKS = 1_000_000


def page_clock(runs: Sequence[RunTables]) -> dict[str, Any] | None:
    """Return by how many seconds the clock of the log's site is ahead of UTC, and from when on.

    Parameters
    ----------
    runs : sequence of RunTables, length >= 1
        The first one tells when its log begins, and the time zone.

    Returns
    -------
    dict or None
        ``name``; ``from``, Unix times in seconds, ascending; ``shift``, the seconds from each of them on.
        None where the page is in UTC: the log does not say when it begins or where, or its zone is unknown.

    Notes
    -----
    Cost: a look at the clock for each half hour from the first submission to the last end.
    """
    origin, name = runs[0].unix_start_time, (runs[0].time_zone or "").strip()
    if origin is None or not name:
        return None
    first = min(float(run.float_column("submit_time").min()) for run in runs)
    last = max(float(run.float_column("end_time").max()) for run in runs)
    step = _STEP * max(1, round((last - first) / _STEP / _MOST_LOOKS))
    looks = np.arange(np.floor((origin + first) / step) * step, origin + last + step, step)
    told = local_time(looks - origin, unix_start_time=origin, time_zone=name)
    if not told.clock.startswith("local time"):
        return None
    shift = np.rint((told.seconds - looks) / 60) * 60
    changed = np.flatnonzero(np.append(True, np.diff(shift) != 0))
    return {"name": name, "from": looks[changed].tolist(), "shift": shift[changed].tolist()}
