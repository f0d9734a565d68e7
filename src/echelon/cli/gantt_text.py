"""Gantt charts as text: what ``--gantt`` adds to the output of `run` and `compare`."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING

from echelon.cli.terminal import show
from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.experiments import Result

_WINDOW = re.compile(r"\s*(\d+(?:\.\d+)?)\s*-\s*(\d+(?:\.\d+)?)\s*")
_WIDTH = 80
"""Columns of a pipe or a file."""


def read_window(text: str | None, *, gantt: bool, json: bool) -> tuple[float, float] | None:
    """Return the window of ``--gantt-window``, in seconds; check what was asked for before the simulation.

    Raises
    ------
    InputError
        If it is not FROM-TO, or what is drawn could not be shown.
    """
    if gantt and json:
        raise InputError("draws text, and --json prints nothing else; give one of them", field="--gantt")
    if text is None:
        return None
    if not gantt:
        raise InputError("applies to --gantt; give --gantt, too", field="--gantt-window")
    if (match := _WINDOW.fullmatch(text)) is None:
        raise InputError(f"expected FROM-TO in seconds, such as 0-500, got {text!r}", field="--gantt-window")
    low, high = float(match[1]), float(match[2])
    if not low < high:
        raise InputError(f"must end after it begins, got {text!r}", field="--gantt-window")
    return low, high


def show_charts(results: Sequence[Result], window: tuple[float, float] | None) -> None:
    """Print the chart of each run; of several below their labels, over the same time."""
    from echelon.plotting import text_gantt
    from echelon.plotting.textbook.chart import TextbookChart
    from echelon.plotting.textbook.text import NARROWEST

    if window is None and len(results) > 1:
        charts = [TextbookChart.of(result) for result in results]
        window = min(chart.low for chart in charts), max(chart.high for chart in charts)
    width, is_ascii, colors = max(_width(), NARROWEST), not _writes_unicode(), _shows_colors()
    for result in results:
        chart = text_gantt(result, width=width, window=window, is_ascii=is_ascii, colors=colors)
        show("", *([f"{result.label}:"] if len(results) > 1 else []), chart)


def _width() -> int:
    """Return the columns of the terminal on stdout, of ``$COLUMNS``, or 80."""
    if os.environ.get("COLUMNS", "").isdigit():
        return int(os.environ["COLUMNS"])
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or _WIDTH
    except (OSError, ValueError):
        return _WIDTH


def _writes_unicode() -> bool:
    return (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "").startswith("utf")


def _shows_colors() -> bool:
    """Return whether stdout is a terminal that shows colors; ``$NO_COLOR`` asks for none."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb").lower() in ("dumb", "unknown")
    return sys.stdout.isatty() and not plain
