"""The readers of failure traces by format; each is imported when it is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from echelon.lazy import Rules

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
