"""Panel: one section of the page, made of HTML that stands alone and data for the script of the same name."""

from __future__ import annotations

import html
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.reports.tables import RunTables


class Content(NamedTuple):
    """What a panel shows of these runs.

    Attributes
    ----------
    body : str
        HTML below the heading.
    data : any value that JSON knows, or None
        What the panel's script draws; None if the HTML is all there is.
    """

    body: str
    data: Any = None


class Panel(NamedTuple):
    """One section of the page.

    Attributes
    ----------
    name : str
        Its anchor, and the name of its data and its script.
    title : str
        Its heading.
    content : callable
        From the runs and their names to what is shown; None leaves the section out.
    """

    name: str
    title: str
    content: Callable[[Sequence[RunTables], Sequence[str]], Content | None]


def absent(reason: str) -> Content:
    """Return a panel without data, which says why."""
    return Content(f'<p class="absent">{html.escape(reason)}</p>')


def body(name: str) -> str:
    """Return the HTML of a panel that its script fills."""
    return (resources.files("echelon.reports") / "page" / "panels" / f"{name}.html").read_text("utf-8")


def hint(text: str) -> str:
    """Return a sentence on how to read what is above it."""
    return f'<p class="hint">{html.escape(text)}</p>'


def wait_words(runs: Sequence[RunTables]) -> str:
    """Return what a reader of waits must know where jobs were preempted, else nothing."""
    if not any(run.is_preempted for run in runs):
        return ""
    return " Waits are all time in the queue, that of suspended jobs included."


def workload_words(runs: Sequence[RunTables], names: Sequence[str]) -> str:
    """Return whose jobs a panel on the workload shows where the runs are not of the same, else nothing."""
    if all(have_same_jobs(runs[0], run) for run in runs[1:]):
        return ""
    return f" The runs are not of the same jobs; these are those of {names[0]}."


def have_same_jobs(first: RunTables, other: RunTables) -> bool:
    """Return whether two runs are of the same jobs in the same order."""
    return all(first.jobs[name].equals(other.jobs[name]) for name in ("job_id", "submit_time", "processors"))


def rounded(values: Sequence[float], digits: int = 5) -> list[float | None]:
    """Return numbers with so many significant digits, short enough for a page; None if not finite."""
    return [float(f"{value:.{digits}g}") if abs(value) < float("inf") else None for value in values]
