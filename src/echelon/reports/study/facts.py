"""What was run, what was not, what it cost, and how to do it again."""

from __future__ import annotations

import html
import shlex
from typing import TYPE_CHECKING

from echelon import __version__
from echelon.experiments.study.results.comparison_table import BLOCK
from echelon.quantities import duration, figure, tally
from echelon.reports.panels.panel import hint
from echelon.reports.study.markup import table, tiles
from echelon.reports.study.run_notes import dropped_notes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.experiments.study.results.results import StudyResults

MOST_FAILURES = 50
"""Failures that are listed each; the store has all."""

_TOO_LONG = 0.4
"""Share of jobs from which a suggested warm-up says more of the runs than of their beginning."""

_LONGEST_LIST = 12
"""Values of an axis that are named each."""


UNEVEN = (
    "Some combinations have more runs than others, as runs failed or a search left them out: each "
    "mean covers its own runs, so means are not directly comparable. Paired differences use common runs "
    "only."
)
"""What to know of means where runs are not the same for all."""


def summary(results: StudyResults) -> str:
    """Return the facts of a study: runs, jobs, time, what varies."""
    table_of_runs, pace = results.runs, results.pace
    seconds, engine = (float(table_of_runs[name].sum()) for name in ("seconds", "engine_seconds"))
    runs = len(table_of_runs)
    facts = [("Runs", f"{runs:,}")]
    if pace is not None and pace.left:
        facts.append(("Runs left", f"{pace.left:,}"))
    if results.failures:
        facts.append(("Failed runs", f"{len(results.failures):,}"))
    if runs and "jobs" in table_of_runs.columns:
        name = "Jobs in blocks" if BLOCK in results.table.columns else "Jobs simulated"
        facts.append((name, f"{int(results.table['jobs'].sum()):,}"))
    if runs:
        facts += [
            ("Processor time of all runs", duration(seconds)),
            ("Processor time of a run", f"{figure(1000 * seconds / runs, 3)} ms"),
            ("Of this outside the engine", f"{figure(1000 * (seconds - engine) / runs, 3)} ms"),
        ]
    state = ""
    if pace is not None and pace.left:
        state = "<p>This study is not finished: the page shows the runs so far.</p>"
    uneven = hint(UNEVEN) if results.is_uneven else ""
    dropped = "".join(map(hint, dropped_notes(results)))
    return f"{state}{tiles(facts)}{_axes(results)}{dropped}{uneven}{_warm_up(results)}"


def _axes(results: StudyResults) -> str:
    rows = []
    for axis in results.axes:
        values = results.values_of(axis)
        listed = ", ".join(values) if len(values) <= _LONGEST_LIST else f"{values[0]} to {values[-1]}"
        kind = (
            "of each run"
            if axis == BLOCK
            else "drawn"
            if axis in results.replicated
            else "compared"
            if axis in results.compared
            else "given"
        )
        rows.append((axis, f"{len(values):,}", kind, listed))
    return table(("Axes", "Values", "", ""), rows, kind="axes") if rows else ""


def _warm_up(results: StudyResults) -> str:
    first, last = results.outline.warm_up, results.outline.cool_down
    share = results.suggested_warm_up
    mser = "" if share is None else f" MSER-5 on the waits suggests {100 * share:.2g} % (a median)."
    if share is not None and share > _TOO_LONG:
        mser += (
            " Such a large share means that runs are too short to reach a steady state, or never reach one."
        )
    if not first and not last:
        return hint(
            "Measures include all jobs of a run, also those that found an empty machine at the beginning; "
            f"warm_up in the study file, or --warm-up, leaves them out.{mser}"
        )
    return hint(
        f"Measures leave out the first {100 * first:g} % and the last {100 * last:g} % of the jobs of each "
        "run, in the order of submission; utilization covers the time from the first submission that counts "
        f"to the last. Measures of a whole run, such as its makespan, are not shown.{mser}"
    )


def failures(results: StudyResults) -> str:
    """Return the cases that could not be run, and why; nothing if there are none."""
    entries = results.failures
    if not entries:
        return ""
    rows = [(_labels(entry.labels), entry.problem) for entry in entries[:MOST_FAILURES]]
    more = len(entries) - MOST_FAILURES
    rest = hint(f"And {tally(more, 'other')}, in the folder's log.jsonl.") if more > 0 else ""
    return table(("Case", "Why"), rows, kind="failures") + rest


def _labels(labels: Mapping[str, str]) -> str:
    return ", ".join(f"{axis} {value}" for axis, value in labels.items()) or "a case without axes"


def reproduction(results: StudyResults, file: str, command: Sequence[str]) -> str:
    """Return how to run the study again: the study file as it was, and the release."""
    rows = [
        ("Release", html.escape(f"echelon {__version__}")),
        ("This page", f"<code>{html.escape(shlex.join(command))}</code>" if command else ""),
        ("To run it", "<code>echelon study run study.toml --out DIR</code>" if file else ""),
        ("study.toml", f"<pre>{html.escape(file)}</pre>" if file else ""),
        (
            "Intervals",
            html.escape(
                f"{100 * results.outline.level:g} %, by Student's t; tests at {results.outline.alpha:g}; "
                f"replications for {100 * results.outline.precision:g} % of the mean"
            ),
        ),
    ]
    return "<dl>" + "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in rows if text) + "</dl>"
