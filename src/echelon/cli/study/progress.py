"""Progress of a running study: rate, time left and recent failures, live on a terminal, else as lines."""

from __future__ import annotations

import sys
import time
from collections import deque
from typing import TYPE_CHECKING, Self

from echelon.cli.study.sentences import pace_sentence
from echelon.experiments.study.run.pace import Pace

if TYPE_CHECKING:
    from types import TracebackType

    from rich.live import Live
    from rich.table import Table

    from echelon.experiments.study.run.outcome import Outcome

_WINDOW = 20.0
"""Length in seconds of the window for the current rate, if at least `_FEWEST` runs ended in it."""

_FEWEST = 10
"""The number of latest runs that the rate is computed from if runs are long."""

_LINE_EVERY = 10.0
"""Seconds between two lines if stderr is not a terminal."""

_FAILURES = 3
"""Failures that the live view shows."""


class StudyProgress:
    """Reports the progress of a study on stderr; a context manager that is called with each outcome.

    On a terminal it draws a bar with rate, time left and recent failures in place; elsewhere it prints a line
    every ten seconds and one for each failure; with `quiet`, nothing.

    Parameters
    ----------
    name : str
        Name of the study.
    cases : int, default 0
        Number of cases, if known.
    quiet : bool, default False
        Whether to print nothing.
    """

    def __init__(self, name: str, *, cases: int = 0, quiet: bool = False) -> None:
        self._name, self._cases, self._quiet = name, cases, quiet
        self._ended = self._failed = self._kept = 0
        self._times: deque[float] = deque()
        self._failures: deque[str] = deque(maxlen=_FAILURES)
        self._last_line = time.monotonic()
        self._live: Live | None = None

    def __enter__(self) -> Self:
        """Start drawing if there is a terminal."""
        if not self._quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.live import Live

            console = Console(stderr=True, markup=False, highlight=False, emoji=False)
            self._live = Live(
                console=console, refresh_per_second=5, transient=True, get_renderable=self._view
            )
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        """Remove the drawing from the terminal."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    def __call__(self, outcome: Outcome, cases: int) -> None:
        """Record an outcome; `cases` is the number of cases as far as known."""
        self._ended += 1
        self._cases = max(self._cases, cases, self._ended)
        now = time.monotonic()
        if outcome.ending == "done":
            self._times.append(now)
        elif outcome.ending == "kept":
            self._kept += 1
        else:
            self._failed += 1
            self._fail(outcome)
        while len(self._times) > _FEWEST and now - self._times[0] > _WINDOW:
            self._times.popleft()
        if not self._quiet and self._live is None and now - self._last_line >= _LINE_EVERY:
            self._last_line = now
            self._line(f"{self._name}: {pace_sentence(self.pace)}")

    @property
    def pace(self) -> Pace:
        """The progress of the study; its rate is measured from the first end on, or over a recent window.

        Time before the first end, such as the start of workers, does not count; so the rate is unknown until
        a second run ends.
        """
        length = time.monotonic() - self._times[0] if self._times else 0.0
        rate = (len(self._times) - 1) / length if length > 0 else 0.0
        return Pace(self._ended - self._failed, self._failed, self._cases or None, rate, is_running=True)

    def _fail(self, outcome: Outcome) -> None:
        labels = ", ".join(f"{axis} {value}" for axis, value in outcome.case.labels.items()) or "a case"
        self._failures.append(f"failed: {labels}: {outcome.problem}")
        if not self._quiet and self._live is None:
            self._line(f"{self._name}: {self._failures[-1]}")

    def _line(self, text: str) -> None:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()

    def _view(self) -> Table:
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        pace = self.pace
        bar = ProgressBar(total=max(self._cases, 1), completed=self._ended, width=60)
        reuse = f" ({self._kept:,} found in the folder)" if self._kept else ""
        headline = Text(f"{self._name}: {pace_sentence(pace)}{reuse}", no_wrap=True, overflow="ellipsis")
        rows = Table.grid()
        rows.add_row(headline)
        rows.add_row(bar)
        for line in self._failures:
            rows.add_row(Text(f"  {line}", no_wrap=True))
        return rows
