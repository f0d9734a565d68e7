"""Panel: one section of the page, made of HTML that stands alone and data for the script of the same name."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from echelon.model.schedules.features import NOTHING, Feature
from echelon.reports.page_files import page_file
from echelon.reports.side_by_side.job_sets import have_same_jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from echelon.model.jobs.columns import FloatColumn
    from echelon.reports.panels.cells import Cell
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
    shown : callable
        From runs that have what it needs and their names to what is shown; None leaves the section out.
    needs : Feature, default nothing
        What a run must have to be shown. The section is left out if none has it.
    lacking : str, default empty
        What the section says if some of the runs do not have it: a sentence; if empty, it is left out.
    shows_some : bool, default False
        Whether the section then shows the others, which `shown` finds among all.
    """

    name: str
    title: str
    shown: Callable[[Sequence[RunTables], Sequence[str]], Content | None]
    needs: Feature = NOTHING
    lacking: str = ""
    shows_some: bool = False

    def has(self, run: RunTables) -> bool:
        """Return whether a run has what the section shows."""
        return self.needs in run.has

    def content(self, runs: Sequence[RunTables], names: Sequence[str]) -> Content | None:
        """Return what the section shows of these runs; None leaves it out."""
        able = [self.has(run) for run in runs]
        if all(able) or (self.shows_some and any(able)):
            return self.shown(runs, names)
        return absent(self.lacking) if self.lacking and any(able) else None


def absent(reason: str) -> Content:
    """Return a panel without data, which says why."""
    return Content(f'<p class="absent">{html.escape(reason)}</p>')


def body(name: str) -> str:
    """Return the HTML of a panel that its script fills."""
    return page_file(f"panels/{name}.html")


def hint(text: str) -> str:
    """Return a sentence on how to read what is above it."""
    return f'<p class="hint">{html.escape(text)}</p>'


def section(name: str, title: str, content: str) -> str:
    """Return a section of a page with its heading."""
    return (
        f'<section id="{name}" aria-labelledby="{name}-heading">\n'
        f'<h2 id="{name}-heading">{html.escape(title)}</h2>\n{content}\n</section>\n'
    )


def column_heads(texts: Iterable[str]) -> str:
    """Return the heads of a table's columns."""
    return "".join(f'<th scope="col">{html.escape(text)}</th>' for text in texts)


def table_row(label: str, cells: Iterable[str]) -> str:
    """Return a row of a table, its cells as HTML."""
    return (
        f'<tr><th scope="row">{html.escape(label)}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'
    )


def values_table(about: str, heads: Iterable[str], rows: Iterable[str]) -> str:
    """Return a table, folded, of what the charts above it draw; `about` names it to screen readers."""
    return (
        "<details><summary>Table of the same values</summary>"
        f'<div class="scroll" tabindex="0" role="region" aria-label="{html.escape(about)}">'
        f"<table><thead><tr>{column_heads(heads)}</tr></thead><tbody>{''.join(rows)}</tbody>"
        "</table></div></details>"
    )


def labeled_table(
    title: str,
    about: str,
    heads: Sequence[str | Cell],
    rows: Sequence[tuple[str | Cell, Sequence[str | Cell]]],
    *,
    picks: str = "",
    jobs: Sequence[int] = (),
    run: int = 0,
) -> str:
    """Return a table: `title` heads the labels, `about` says what it is to a screen reader.

    A row filters the jobs whose label `picks` (``"account"``) is that of the row, if it is given. A row of
    `jobs`, by their places in a run, leads to that job in the Gantt chart of the run in place `run`.
    """
    marks = [f' data-job="{job}"' for job in jobs] or [""] * len(rows)
    head = "".join(_cell(text, "th", "col") for text in heads)
    body = "".join(
        f"<tr{mark}>" + _cell(label, "th", "row") + "".join(_cell(text) for text in texts) + "</tr>"
        for (label, texts), mark in zip(rows, marks, strict=True)
    )
    picked = f' data-picks="{html.escape(picks)}"' if picks else f' data-run="{run}"' if jobs else ""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{html.escape(about)}">'
        f"<table{picked}>"
        f'<thead><tr><th scope="col">{html.escape(title)}</th>{head}</tr></thead><tbody>{body}</tbody>'
        "</table></div>"
    )


def _cell(content: str | Cell, tag: str = "td", scope: str = "") -> str:
    of = f' scope="{scope}"' if scope else ""
    if isinstance(content, str):
        return f"<{tag}{of}>{html.escape(content)}</{tag}>"
    return f'<{tag}{of} data-value="{html.escape(content.saved)}">{html.escape(content.text)}</{tag}>'


def wait_sentence(runs: Sequence[RunTables]) -> str:
    """Return what a reader of waits must know where jobs were preempted, else nothing."""
    if not any(run.is_preempted for run in runs):
        return ""
    restarted, preempted = (any(run.metrics.get(key) for run in runs) for key in ("restarts", "preemptions"))
    if restarted and not preempted:
        return " Wait includes all time in the queue, also the time after a failure."
    return " Wait includes all time in the queue, also the time for which jobs are suspended."


def workload_sentence(runs: Sequence[RunTables], names: Sequence[str]) -> str:
    """Return whose jobs a panel on the workload shows where the runs are not of the same, else nothing."""
    if all(have_same_jobs(runs[0], run) for run in runs[1:]):
        return ""
    return f" The runs have different jobs; shown are those of {names[0]}."


def round_numbers(values: ArrayLike, digits: int = 5) -> list[float | None]:
    """Return numbers with so many significant digits, short enough for a page; None if not finite.

    Each is the float nearest to the decimal number that ``f"{value:.{digits}g}"`` writes.
    """
    column = np.asarray(values, dtype=np.float64)
    finite = np.isfinite(column)
    scaled, certain = _round_by_scaling(np.where(finite, column, 0.0), digits)
    numbers: list[float | None] = scaled.tolist()
    for place in np.flatnonzero(finite & ~certain).tolist():
        numbers[place] = float(f"{column[place]:.{digits}g}")
    for place in np.flatnonzero(~finite).tolist():
        numbers[place] = None
    return numbers


_EXACT_POWERS = 10.0 ** np.arange(23)
"""Powers of ten that are floats themselves, so that dividing by them rounds once."""

_MOST_SCALED = 9
"""Digits up to which a scaled number is known far more closely than the middle between two whole ones."""


def _round_by_scaling(values: FloatColumn, digits: int) -> tuple[FloatColumn, NDArray[np.bool_]]:
    """Return finite numbers rounded, and for which of them that is certain: none is near a middle there."""
    size = np.abs(values)
    exponent = np.floor(np.log10(np.where(size > 0, size, 1.0))).astype(np.int64)
    shift = digits - 1 - exponent
    power = _EXACT_POWERS[np.minimum(np.abs(shift), len(_EXACT_POWERS) - 1)]
    up, down = np.where(shift >= 0, power, 1.0), np.where(shift >= 0, 1.0, power)
    scaled = size * up / down
    back = np.copysign(np.rint(scaled) / up * down, values)
    certain = (np.abs(shift) < len(_EXACT_POWERS)) & (digits <= _MOST_SCALED)
    certain &= (scaled >= 10.0 ** (digits - 1)) & (scaled < 10.0**digits)
    certain &= np.abs(scaled - np.floor(scaled) - 0.5) > 1e-5
    return back, certain | (values == 0)
