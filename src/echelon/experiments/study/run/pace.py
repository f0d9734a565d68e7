"""Pace: how far a study has come, how fast it proceeds, and when it will be done."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from echelon.experiments.study.results.run_table import failed_entries, finished_entries
from echelon.experiments.study.store.log import read_log

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from echelon.experiments.study.store.log import LogEntry

LATELY = 200
"""Runs that the present rate is taken from."""

SILENCE = 60.0
"""Seconds after which a study that ended no run counts as stopped, if its runs are short."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How far a study has come.

    Attributes
    ----------
    done, failed : int
        Cases that were run and whose files are there, and cases that could not be run.
    cases : int or None
        All there are; None if that is not known.
    rate : float
        Runs a second, lately; 0 if that is not known.
    is_running : bool
        Whether runs were ended just now.
    """

    done: int
    failed: int
    cases: int | None
    rate: float = 0.0
    is_running: bool = False

    @property
    def left(self) -> int | None:
        """Cases neither run nor failed; None if it is not known how many there are."""
        return None if self.cases is None else max(0, self.cases - self.done - self.failed)

    @property
    def seconds_left(self) -> float | None:
        """Time until all are done at the present rate, in seconds; None if that is not known."""
        return None if self.left is None or not self.rate else self.left / self.rate


def pace_of(folder: Path, cases: int | None, *, replications: int = 1, removed: int = 0) -> Pace:
    """Return how far the study in `folder` has come, from its log and the times of its newest runs.

    Parameters
    ----------
    folder : Path
        Of the study.
    cases : int or None
        All it may have; None if that is not known.
    replications : int, default 1
        How many seeds each combination has among these; one that no chance enters needs the first alone.
    removed : int, default 0
        Cases that were run, and whose files were removed since: they are to be run again.
    """
    entries = list(read_log(folder / "log.jsonl"))
    rate, running = _lately(folder, entries)
    ended = finished_entries(entries)
    done, not_run = len(ended) - removed, len(failed_entries(entries))
    needless = (replications - 1) * sum(entry.chance is False for entry in ended)
    # A folder may hold more than what was asked for last.
    total = None if cases is None else max(cases - needless, done + removed + not_run)
    return Pace(done, not_run, total, rate, is_running=running)


def _lately(folder: Path, entries: Sequence[LogEntry]) -> tuple[float, bool]:
    """Return runs a second of the last ones made, and whether they were made just now."""
    keys = [entry.key for entry in entries[-LATELY:] if entry.ending == "done"]
    times = sorted(filter(None, (_time_written(folder / "runs" / key[:2] / key) for key in keys)))
    if not times:
        return 0.0, False
    length = times[-1] - times[0]
    silence = max(SILENCE, 5 * length / len(times))
    return (len(times) - 1) / length if length > 0 else 0.0, time.time() - times[-1] < silence


def _time_written(run: Path) -> float | None:
    try:
        return (run / "metrics.json").stat().st_mtime
    except OSError:
        return None
