"""The formats of failure traces, and how a file is recognized by its first line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from echelon.availability.traces import fta, lanl, outage_file, slurm_events

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import tzinfo

    from echelon.availability.traces.failure_trace import FailureTrace


class TraceFormat(NamedTuple):
    """One format of failure traces.

    Parameters
    ----------
    name : str
        Kebab-case.
    summary : str
        One sentence for people.
    needed : frozenset of str
        Names, in lower case, that the first line of such a file has.
    read : callable (text, file, zone) -> FailureTrace
        Reads the whole file; raises InputError with file, line and column.
    """

    name: str
    summary: str
    needed: frozenset[str]
    read: Callable[[str, str, tzinfo], FailureTrace]


TRACE_FORMATS = {
    one.name: one
    for one in (
        TraceFormat("fta", "event_trace.tab of the Failure Trace Archive", fta.NEEDED, fta.read_fta),
        TraceFormat("lanl", "failure data of LANL, LA-UR-05-7318, as CSV", lanl.NEEDED, lanl.read_lanl),
        TraceFormat(
            "slurm-events",
            "node events as sacctmgr -P show event prints them",
            slurm_events.NEEDED,
            slurm_events.read_slurm_events,
        ),
        TraceFormat(
            "outages",
            "CSV with the columns node, down, up, kind, announced, site",
            outage_file.NEEDED,
            outage_file.read_outages,
        ),
    )
}
"""In the order in which a file is tried."""

_CELLS = re.compile(r"[|,;\t]")


def recognized_trace(head: bytes) -> TraceFormat | None:
    """Return the format of a file that begins with these bytes, decompressed; None if it is no trace."""
    text = head.decode("utf-8-sig", errors="replace").replace("\r", "\n")
    first = next((line for line in text.split("\n") if line.strip(" #\t")), "").lower().lstrip("# ")
    names = {cell.strip().strip('"') for cell in _CELLS.split(first)} | set(first.split())
    if "jobid" in names or "jobidraw" in names:
        return None
    return next((one for one in TRACE_FORMATS.values() if one.needed <= names), None)
