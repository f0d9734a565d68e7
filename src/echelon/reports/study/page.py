"""The page on a study: one self-contained file, of a study that is finished or running."""

from __future__ import annotations

import html
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from echelon.errors import UnknownNameError
from echelon.experiments.study.results.findings import JOINT
from echelon.quantities import tally
from echelon.reports.page_files import lean_script, page_file
from echelon.reports.panels.panel import hint, section
from echelon.reports.study.axis_curves import draw_along, numeric_axes
from echelon.reports.study.comparison import baseline_value, comparison
from echelon.reports.study.effects import effects
from echelon.reports.study.explorer import explorer
from echelon.reports.study.facts import failures, reproduction, summary
from echelon.reports.study.fronts import fronts_of, pareto
from echelon.reports.study.replication import quiet_about_scipy, replication_notes
from echelon.reports.study.run_notes import priority_notes
from echelon.workloads.files.atomic import replacing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.experiments.study.results.results import StudyResults

FILE = "report.html"
"""Its name in the folder of a study."""


SCRIPTS = (
    "base/format.js",
    "base/theme.js",
    "base/elements.js",
    "base/url_state.js",
    "base/section_links.js",
    "base/vector.js",
    "base/picture.js",
    "base/download.js",
    "tables/definitions.js",
    "tables/sortable.js",
    "study/statistics.js",
    "study/scale.js",
    "study/marks.js",
    "study/rows_chart.js",
    "study/plane_chart.js",
    "study/letters.js",
    "study/ranks_chart.js",
    "study/choices.js",
    "study/explorer.js",
    "study/main.js",
)
"""The page's scripts, in the order in which they are joined; each uses only those before it."""


def study_page(
    results: StudyResults,
    *,
    measures: Sequence[str] | None = None,
    fronts: Sequence[Sequence[str]] | None = None,
    baseline: str | None = None,
    file: str = "",
    command: Sequence[str] = (),
) -> str:
    """Return the page as HTML; it loads nothing, from nowhere.

    Parameters
    ----------
    results : StudyResults
        Of a study, which need not be finished.
    measures : sequence of str, optional
        Metrics shown. Default: those of the study.
    fronts : sequence of sequence of str, optional
        Two or three metrics each, of which a Pareto front is drawn. Default: the study's, else that of its
        first two measures.
    baseline : str, optional
        Value of an axis that the others are compared with. Default: the study's, else the first of each axis.
    file : str, default ``""``
        What the study file says.
    command : sequence of str, default empty
        The command line that makes the page.

    Raises
    ------
    UnknownNameError
        If there is no such measure, or no axis has the baseline.
    InputError
        If a front is not of two or three measures.

    Notes
    -----
    Cost: O(n) for n runs, for each axis and measure.
    """
    names = list(results.measures if measures is None else measures)
    for name in names:
        results.metric(name)
    _check_baseline(results, baseline)
    with quiet_about_scipy():
        sections = list(_sections(results, names, fronts, baseline))
    sections += [
        ("failures", "Failed runs", failures(results)),
        ("reproduction", "How to reproduce", reproduction(results, file, command)),
    ]
    shown = [one for one in sections if one[2]]
    title = results.outline.name
    return Template(page_file("study/study.html")).substitute(
        title=html.escape(title),
        style=page_file("report.css") + page_file("study/study.css"),
        subtitle=html.escape(_subtitle(results)),
        links="".join(f'<li><a href="#{name}">{html.escape(head)}</a></li>' for name, head, _ in shown),
        sections="".join(section(*one) for one in shown),
        script="\n".join(map(lean_script, SCRIPTS)),
    )


def write_study_report(folder: str | Path, page: str) -> Path:
    """Write a page into the folder of a study, whole or not at all, and return its path.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    path = Path(folder) / FILE
    with replacing(path) as target:
        target.write(page.encode())
    return path


def _check_baseline(results: StudyResults, baseline: str | None) -> None:
    if baseline is None:
        return
    labels = [value for axis in results.compared for value in results.values_of(axis)]
    if baseline not in labels:
        raise UnknownNameError("baseline", baseline, labels)


def _sections(
    results: StudyResults,
    measures: Sequence[str],
    fronts: Sequence[Sequence[str]] | None,
    baseline: str | None,
) -> Iterator[tuple[str, str, str]]:
    """Yield name, title and content of what the runs say."""
    yield "summary", "Summary", summary(results)
    if results.table.is_empty():
        return
    yield "configurations", "Configurations", explorer(results, measures, baseline)
    if notes := priority_notes(results):
        yield "priorities", "Priorities", "".join(map(hint, notes))
    if notes := replication_notes(results):
        yield "tests", "Intervals and tests", "".join(map(hint, notes))
    for number, axis in enumerate(results.compared):
        yield f"by-{number}", f"By {axis}", comparison(results, axis, measures, baseline)
    if len(results.choice_axes) > 1:
        joined, name = results.joint(*results.choice_axes), JOINT.join(results.choice_axes)
        first = JOINT.join(baseline_value(results, axis, baseline) for axis in results.choice_axes)
        yield "by-all", f"By {name}", comparison(joined, name, measures, first)
    for number, axis in enumerate(numeric_axes(results)):
        yield f"along-{number}", f"Along {axis}", draw_along(results, axis, measures)
    yield (
        "pareto",
        "Pareto fronts",
        "".join(pareto(results, one) for one in fronts_of(results, measures, fronts)),
    )
    yield "effects", "Main effects", effects(results, measures)


def _subtitle(results: StudyResults) -> str:
    counts = [tally(len(results.runs), "run")]
    counts += [f"{axis} × {len(results.values_of(axis)):,}" for axis in results.axes]
    description = results.outline.description
    return " · ".join(counts) + (f" — {description}" if description else "")
