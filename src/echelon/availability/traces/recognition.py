"""Recognizing failure traces by their first line; this loads no reader."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from echelon.availability.traces.compression import DAMAGES, decompress

_HEAD = 4096


class FirstLine(NamedTuple):
    """What the first line of a format has.

    Parameters
    ----------
    names : frozenset of str
        Names of columns, in lower case, that are always there.
    separators : str
        Characters between names.
    summary : str
        What the format is, for people.
    """

    names: frozenset[str]
    separators: str
    summary: str


FIRST_LINES = {
    "fta": FirstLine(
        frozenset({"node_id", "event_type"}), r"\s", "event_trace.tab of the Failure Trace Archive"
    ),
    "lanl": FirstLine(
        frozenset({"system", "prob started"}), ",", "failure data of LANL, LA-UR-05-7318, as CSV"
    ),
    "slurm-events": FirstLine(
        frozenset({"nodename", "timestart"}),
        "|,;\t",
        "node events as sacctmgr -P show event prints them",
    ),
    "outages": FirstLine(
        frozenset({"node", "down"}), ",;\t", "CSV with the columns node, down, up, kind, announced, site"
    ),
}
"""All formats by name, in the order in which a file is tried."""

_OURS = frozenset({"node", "nodes", "down", "up"})


def recognize_trace(head: bytes) -> str | None:
    """Return the name of the format of a file that begins so, decompressed; None if it is no trace."""
    text = head.decode("utf-8-sig", errors="replace").replace("\r", "\n")
    line = next((line for line in text.split("\n") if line.strip(" #\t")), "").lower().lstrip("# ")
    formats = (name for name, first in FIRST_LINES.items() if first.names <= _names(line, first.separators))
    # One that lacks a column is ours, too, and then said to lack it.
    is_ours = len(_OURS & _names(line, FIRST_LINES["outages"].separators)) > 1
    return next(formats, "outages" if is_ours else None)


def _names(line: str, separators: str) -> set[str]:
    """Return the names in a first line; of Slurm's two names of a start either is the other."""
    names = {cell.strip().strip('"') for cell in re.split(f"[{separators}]", line)}
    return names | {"timestart"} if "start" in names and not names & {"jobid", "jobidraw"} else names


def is_trace(source: str | Path) -> bool:
    """Return whether a file is there that begins as a failure trace does; it may be compressed."""
    try:
        if not Path(source).is_file():
            return False
        with Path(source).open("rb") as opened:
            return recognize_trace(decompress(opened).read(_HEAD)) is not None
    except (ValueError, *DAMAGES):
        return False
