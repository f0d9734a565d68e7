"""Reading failure traces from files, and the readers by format."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from echelon.availability.traces.compression import MOST_BYTES, unpack
from echelon.availability.traces.recognition import FIRST_LINES, recognize_trace
from echelon.availability.traces.text_table import text_of
from echelon.errors import InputError, UnknownNameError
from echelon.lazy import Rules
from echelon.model.jobs.time_zone import zone_named

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import tzinfo

    from echelon.availability.traces.failure_trace import FailureTrace

    Reader: TypeAlias = Callable[[str, str, tzinfo], FailureTrace]
    """From the whole text, the file's name for messages, and the zone of dates that say none."""

TRACE_READERS: Rules[Reader] = Rules(
    __package__,
    {
        "fta": "fta.read_fta",
        "lanl": "lanl.read_lanl",
        "slurm-events": "slurm_events.read_slurm_events",
        "outages": "outage_file.read_outages",
    },
)
"""The formats of `FIRST_LINES`, in the same order."""


_HEAD = 4096


def read_failure_trace(
    source: str | Path,
    *,
    format: str | None = None,  # noqa: A002  (what it is)
    timezone: str = "UTC",
) -> FailureTrace:
    """Return the outages of a file.

    Parameters
    ----------
    source : str or Path
        A file, or ``"-"`` for standard input, perhaps compressed by gzip or xz: an event trace of the Failure
        Trace Archive, failure data of LANL, node events of Slurm, or our own table of outages.
    format : str, optional
        A name of `FIRST_LINES`. Default: recognized by its line of names.
    timezone : str, default "UTC"
        Zone of dates that say none, a name of the tz database.

    Raises
    ------
    UnknownNameError
        If there is no such format or zone.
    InputError
        If there is no such file, its format is not recognized, or something in it is wrong.

    Notes
    -----
    Cost: O(bytes); half a second for 43,000 events.
    """
    file = "standard input" if source == "-" else str(source)
    try:
        with _standard_input() if source == "-" else Path(source).open("rb") as opened:
            data = unpack(opened, file)
    except InputError:
        raise
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be read ({why}), expected a list of outages", file=file) from error
    return parse_trace(data, file, format=format, timezone=timezone)


def _standard_input() -> io.BytesIO:
    # All of it, as no pipe can be read twice, and its first bytes say how it is compressed.
    return io.BytesIO(sys.stdin.buffer.read(MOST_BYTES + 1) if sys.stdin is not None else b"")


def parse_trace(
    data: bytes,
    file: str,
    *,
    format: str | None = None,  # noqa: A002
    timezone: str = "UTC",
) -> FailureTrace:
    """Return the outages in the bytes of a decompressed file; see `read_failure_trace`."""
    if format is not None and format not in FIRST_LINES:
        raise UnknownNameError("format of failure traces", format, FIRST_LINES)
    zone = zone_named(timezone)
    text = text_of(data, file)
    if not text.strip():
        raise InputError("is empty, expected a list of outages", file=file)
    trace_format = recognize_trace(data[:_HEAD]) if format is None else format
    if trace_format is None:
        listed = "; ".join(one.summary for one in FIRST_LINES.values())
        first = next(line for line in text.split("\n") if line.strip())
        raise InputError(
            f"begins with {first.strip()!r:.60}, not as any list of outages that is known: {listed}",
            file=file,
            line=1,
        )
    return TRACE_READERS.named(trace_format)(text, file, zone)
