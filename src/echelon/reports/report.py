"""The report: one self-contained page on a run, or on several side by side."""

from __future__ import annotations

import html
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.model.schedules.features import Feature, there
from echelon.quantities import tally
from echelon.reports.facts import assumptions, reproduction
from echelon.reports.page_data.charts import chart_data
from echelon.reports.page_files import lean_script, library, page_file, vendored_file
from echelon.reports.panels import EARLY, PANELS
from echelon.reports.panels.panel import section
from echelon.reports.run_names import LONGEST_ON_PAGE, run_labels, run_names, shorten
from echelon.reports.summary import summary
from echelon.workloads.files.atomic import replacing

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from echelon.reports.panels import Content, Panel
    from echelon.reports.tables import RunTables

SCRIPTS = (
    "base/format.js",
    "base/data.js",
    "base/theme.js",
    "base/elements.js",
    "base/url_state.js",
    "base/section_links.js",
    "base/remembered.js",
    "base/vector.js",
    "base/picture.js",
    "base/download.js",
    "gantt/view.js",
    "charts/ticks.js",
    "charts/drawn_chart.js",
    "charts/chart.js",
    "gantt/colors.js",
    "gantt/rectangles.js",
    "gantt/stack.js",
    "gantt/tiles.js",
    "gantt/gantt.js",
    "gantt/strip.js",
    "gantt/card.js",
    "gantt/legend.js",
    "gantt/pane.js",
    "gantt/overview.js",
    "tables/run_choice.js",
    "tables/job_filter.js",
    "gantt/schedule_address.js",
    "gantt/schedule.js",
    "tables/definitions.js",
    "tables/sortable.js",
    "tables/virtual_table.js",
    "tables/job_table.js",
    "panels/scripts/panel.js",
    "panels/scripts/bars.js",
    "charts/log_chart.js",
    "panels/scripts/distributions.js",
    "panels/scripts/classes.js",
    "charts/scatter.js",
    "panels/scripts/shapes.js",
    "panels/scripts/users.js",
    "panels/scripts/changes.js",
    "panels/scripts/sites.js",
    "charts/heat_map.js",
    "panels/scripts/site_load.js",
    "panels/scripts/nodes.js",
    "panels/scripts/migration.js",
    "panels/scripts/traces.js",
    "panels/scripts/forecasts.js",
    "main.js",
)
"""The page's scripts, in the order in which they are joined; each uses only those before it."""


CHANGING = ("gantt/closed.js",)
"""Scripts of pages on machines that change only; they come before the others that use them."""

MOST_TITLED = 5
"""Policies that a page's title names each."""


def report_page(runs: Sequence[RunTables], *, title: str) -> str:
    """Return the page as HTML; it loads nothing, from nowhere.

    Parameters
    ----------
    runs : sequence of RunTables, length >= 1
        The first one is what the others are compared with.
    title : str
        Heading of the page; any text.

    Raises
    ------
    InputError
        If there is no run or a run has no job.

    Notes
    -----
    Cost: O(n log n) for n jobs in all.
    """
    return "".join(_parts(runs, title))


def _parts(runs: Sequence[RunTables], title: str) -> list[str]:
    """Return the page as texts one behind the other: its data alone may be of many megabytes."""
    if not runs:
        raise InputError("a report needs at least one run, got none")
    names = run_names(runs, longest=LONGEST_ON_PAGE)
    for run, name in zip(runs, names, strict=True):
        if not run.jobs.height:
            raise InputError(f"a report needs jobs, got none in run {name!r}")
    panels = [(panel, panel.content(runs, names)) for panel in PANELS]
    shown = [(panel, content) for panel, content in panels if content is not None]
    charts = chart_data(runs, names, {panel.name: content.data for panel, content in shown})
    styles, scripts = _files(runs)
    above, below = page_file("report.html").split("$data")
    head = Template(above).substitute(
        title=html.escape(title),
        style="".join((vendored_file("uPlot.min.css"), *map(page_file, styles))),
        subtitle=html.escape(_subtitle(runs)),
        sections=_links(shown),
        summary=summary(runs, names),
        comparison=_sections(shown, early=True),
        panels=_sections(shown, early=False),
        assumptions=assumptions(runs, names, charts.thinned),
        reproduction=reproduction(runs, names),
    )
    foot = Template(below).substitute(library=library(), script="\n".join(map(lean_script, scripts)))
    return [head, *charts.parts, foot]


def _files(runs: Sequence[RunTables]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the page's style sheets and scripts; more of both where the machine of some run changed."""
    styles = ("report.css", "gantt/schedule.css", "gantt/textbook.css")
    if not any(run.has & (Feature.ATTEMPTS | Feature.OUTAGES | Feature.RESERVATIONS) for run in runs):
        return styles, SCRIPTS
    first = SCRIPTS.index("gantt/gantt.js")
    return (*styles, "gantt/closed.css"), (*SCRIPTS[:first], *CHANGING, *SCRIPTS[first:])


def write_report(
    runs: Sequence[RunTables], path: str | os.PathLike[str], *, title: str | None = None
) -> Path:
    """Write the page to `path`, whole or not at all, and return the path.

    Parameters
    ----------
    runs : sequence of RunTables, length >= 1
        As for `report_page`.
    path : path
        The file; its folder must exist.
    title : str, optional
        Default: the policies and the workload.

    Raises
    ------
    InputError
        As `report_page`, or if the file cannot be written; then none is left behind.
    """
    parts = _parts(runs, title if title is not None else _title(runs))
    target = Path(path)
    with replacing(target) as file:
        file.writelines(part.encode() for part in parts)
    return target


def _sections(panels: Sequence[tuple[Panel, Content]], *, early: bool) -> str:
    """Return the panels above or below the schedule over time, as HTML."""
    chosen = (pair for pair in panels if (pair[0] in EARLY) == early)
    return "\n".join(section(panel.name, panel.title, content.body) for panel, content in chosen)


def _links(panels: Sequence[tuple[Panel, Content]]) -> str:
    """Return the list of the page's sections, each a link."""
    titles = {panel: panel.title for panel, _ in panels}
    named = [
        ("summary", "Summary"),
        *((panel.name, title) for panel, title in titles.items() if panel in EARLY),
        ("time-section", "Schedule over time"),
        ("jobs", "Jobs"),
        *((panel.name, title) for panel, title in titles.items() if panel not in EARLY),
        ("assumptions", "Assumptions"),
        ("reproduction", "How to reproduce"),
    ]
    return "".join(f'<li><a href="#{name}">{title}</a></li>' for name, title in named)


def _title(runs: Sequence[RunTables]) -> str:
    different = list(dict.fromkeys(shorten(label, LONGEST_ON_PAGE) for label in run_labels(runs)))
    places = {one.run.get("place") for one in runs}
    read = [one.run for one in runs if one.run.get("workload")]
    workloads = [name for name, _ in {(str(run["workload"]), run.get("input_sha256")) for run in read}]
    by_runs = (
        len(places) > 1 or len(workloads) > 1 or any(one.run.get("platform") or one.name for one in runs)
    )
    kind = "runs" if by_runs else "policies"
    named = " · ".join(different) if len(different) <= MOST_TITLED else f"{len(different)} {kind}"
    if len(workloads) > 1 and len(different) <= MOST_TITLED:
        return named  # which have their workloads in them
    on = workloads[0] if len(workloads) == 1 else f"{len(workloads)} workloads"
    return f"{named} on {on}" if workloads else named


def _subtitle(runs: Sequence[RunTables]) -> str:
    kind = "One run" if len(runs) == 1 else f"{len(runs)} runs compared"
    jobs = list(dict.fromkeys(tally(run.jobs.height, "job") for run in runs))
    machines = list(dict.fromkeys(_machine(run) for run in runs))
    first_names = [each[0] if len(each) == 1 else f"{each[0]} and others" for each in (jobs, machines)]
    return " · ".join((kind, *first_names))


def _machine(run: RunTables) -> str:
    where, noun = _where(run)
    return f"{where}{tally(run.processors, noun)}"


def _where(run: RunTables) -> tuple[str, str]:
    """Return what a run was on, and what its processors are called where all are of one kind."""
    has, parts = run.has, []
    if Feature.SITES in has and not (run.is_stacked_by_node and Feature.PLACES in has):
        parts.append(tally(len(there(run.platform)), "site"))
    for kind, nodes, _ in run.node_parts:
        if kind is Feature.PLACES:
            parts.append(tally(len(set(nodes.sites)), "cluster"))
        parts.append(tally(len(nodes), "shared node" if kind is Feature.PLACES else "node"))
    noun = there(run.machine).part if run.is_stacked_by_node else "processor"
    return "".join(f"{part} · " for part in parts), noun
