"""The page on a fitted model: a log and the model's jobs side by side, self-contained."""

from __future__ import annotations

import html
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from echelon import __version__
from echelon.experiments.summaries.model_fit import quantities
from echelon.metrics.tables.distribution import log_axis, share_above
from echelon.quantities import duration, figure
from echelon.reports.page_data.charts import script_safe
from echelon.reports.page_files import library, page_file, vendored_file
from echelon.reports.panels.panel import column_heads, table_row
from echelon.workloads.files.atomic import replacing
from echelon.workloads.synthetic import model_named

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

    from echelon.experiments.summaries.model_fit import ModelFit, Quantities
    from echelon.workloads.synthetic.character import Character

SCRIPTS = (
    "base/format.js",
    "base/theme.js",
    "base/elements.js",
    "base/vector.js",
    "base/picture.js",
    "base/download.js",
    "charts/ticks.js",
    "charts/drawn_chart.js",
    "charts/chart.js",
    "panels/scripts/panel.js",
    "charts/log_chart.js",
    "panels/scripts/distributions.js",
    "workload.js",
)
"""The page's scripts, in the order in which they are joined."""

_DISTANCES = {
    "size": "Sizes",
    "run_time": "Run times",
    "gap": "Interarrival times",
    "requested_time": "Requested times",
    "hour_of_day": "Submissions by hour",
}

_FIGURES: tuple[tuple[str, Callable[[Character], str]], ...] = (
    ("Jobs", lambda summary: f"{summary.jobs:,}"),
    ("Mean interarrival time", lambda summary: duration(summary.mean_gap)),
    ("Jobs per day", lambda summary: figure(summary.jobs_per_day)),
    ("Mean size, processors", lambda summary: figure(summary.mean_size)),
    ("Serial jobs", lambda summary: f"{figure(100 * summary.serial_share, 3)} %"),
    ("Powers of 2, including 1", lambda summary: f"{figure(100 * summary.power_of_2_share, 3)} %"),
    ("Mean run time", lambda summary: duration(summary.mean_run_time)),
    ("Median run time", lambda summary: duration(summary.median_run_time)),
    ("Offered load", lambda summary: f"{figure(100 * summary.load, 3)} %"),
)


def workload_page(fit: ModelFit) -> str:
    """Return the page as HTML; it loads nothing, from nowhere.

    Parameters
    ----------
    fit : ModelFit
        A log, the model fitted to it, and jobs drawn from it.

    Notes
    -----
    Jobs without a submit time, a run time or a size are on neither side. Cost: O(n log n).
    """
    log, model = quantities(fit.log), quantities(fit.sample)
    title = f"{fit.fitted.model} fitted to {fit.log.name}"
    return Template(page_file("workload.html")).substitute(
        title=html.escape(title),
        style=vendored_file("uPlot.min.css") + page_file("report.css"),
        subtitle=html.escape(f"{len(log.size):,} jobs of the log, {len(model.size):,} of the model"),
        figures=_figures(fit),
        distances=_distances(fit),
        parameters=_parameters(fit),
        facts=_facts(fit),
        data=script_safe(_data(fit, log, model)),
        library=library(),
        script="\n".join(map(page_file, SCRIPTS)),
    )


def write_workload_page(fit: ModelFit, path: str | os.PathLike[str]) -> Path:
    """Write the page to `path`, whole or not at all, and return the path; InputError if it cannot be."""
    with replacing(Path(path)) as file:
        file.write(workload_page(fit).encode())
    return Path(path)


def _figures(fit: ModelFit) -> str:
    log, model = fit.characters
    rows = [(name, text_of(log), text_of(model)) for name, text_of in _FIGURES]
    return _table(("", fit.log.name, fit.fitted.model), rows)


def _distances(fit: ModelFit) -> str:
    distances = fit.distances
    rows = [
        (title, f"{figure(100 * distances[key], 3)} %")
        for key, title in _DISTANCES.items()
        if key in distances
    ]
    return _table(("", "Difference"), rows)


def _parameters(fit: ModelFit) -> str:
    parameters = {one.name: one for one in model_named(fit.fitted.model).parameters}
    rows = []
    for name, value in fit.fitted.parameters.items():
        one = parameters[name]
        unit = "" if one.unit == "1" else f" {one.unit}"
        rows.append((f"{name}: {one.meaning}", f"{value:.6g}{unit}", f"{one.default:.6g}{unit}"))
    return _table(("Parameter", "Fitted", "Default"), rows)


def _facts(fit: ModelFit) -> str:
    rows = [
        ("Log", html.escape(fit.log.name)),
        ("Its SHA-256", f"<code>{html.escape(fit.log.digest)}</code>" if fit.log.digest else ""),
        ("Model", html.escape(f"{fit.fitted.model} ({model_named(fit.fitted.model).source})")),
        ("Seed", str(fit.seed)),
        ("Version", f"echelon {__version__}"),
        ("To generate more", "<code>echelon generate model.toml --jobs N --seed S --out FILE.swf</code>"),
    ]
    return "<dl>" + "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in rows if text) + "</dl>"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = "".join(table_row(first, map(html.escape, rest)) for first, *rest in rows)
    head = column_heads(heads)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div>'


def _data(fit: ModelFit, log: Quantities, model: Quantities) -> dict[str, Any]:
    """Return what the charts draw."""
    return {
        "names": [fit.log.name, fit.fitted.model],
        "shares": {
            name: _shares(getattr(log, name), getattr(model, name))
            for name in ("size", "run_time", "gap", "requested_time")
        },
        "hours": [
            [100 * n / max(1, int(side.by_hour.sum())) for n in side.by_hour.tolist()]
            for side in (log, model)
        ],
    }


def _shares(log: Any, model: Any) -> dict[str, Any] | None:  # noqa: ANN401  (a column of either kind)
    """Return the share of jobs above each value of an axis, of both; None if either has none."""
    if not len(log) or not len(model):
        return None
    at = log_axis([log, model])
    return {
        "at": [float(f"{x:.6g}") for x in at.tolist()],
        "share": [[round(part, 6) for part in share_above(side, at).tolist()] for side in (log, model)],
    }
