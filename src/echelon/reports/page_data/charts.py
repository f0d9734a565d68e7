"""The data behind the charts of the page: jobs, processors, step functions, waits, the clock of its times."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from echelon.metrics.columns.steps import Steps, step_function
from echelon.model.jobs.time_zone import clock_offsets
from echelon.model.schedules.features import Feature, there
from echelon.reports.page_data.blocks import Blocks
from echelon.reports.page_data.changes import change_data
from echelon.reports.page_data.gantt import gantt_data
from echelon.reports.page_data.metric_definitions import metric_definitions
from echelon.reports.page_data.node_level import job_columns, node_data, power_data
from echelon.reports.panels.accounting.log_waits import waits_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.model import Platform
    from echelon.model.jobs.columns import FloatColumn
    from echelon.reports.tables import RunTables


class Charts(NamedTuple):
    """Data for the page and what it leaves out.

    Attributes
    ----------
    parts : list of str
        One behind the other they are JSON, safe inside a script element.
    thinned : list of str
        Sentences.
    """

    parts: list[str]
    thinned: list[str]

    @property
    def json(self) -> str:
        """The data in one text."""
        return "".join(self.parts)


MOST_DEPENDENCIES = 100_000
"""Different lists of predecessors that a page may hold."""


def chart_data(
    runs: Sequence[RunTables], names: Sequence[str], panels: Mapping[str, Any] | None = None
) -> Charts:
    """Return what the charts of these runs draw, beside the data of the page's panels by their names.

    Cost: O(n log n) for n jobs, about 4 µs a job.
    """
    blocks = Blocks()
    thinned: list[str] = []
    # Runs on shared cores are drawn equally high, to be compared.
    rows = max((run.rows_per_core for run in runs), default=1)
    described = [_run(run, name, blocks, thinned, rows) for run, name in zip(runs, names, strict=True)]
    packed = [part for place, block in enumerate(blocks.packed) for part in _spell_block(block, place)]
    metric_names = dict.fromkeys(name for run in runs for name in run.metrics)
    own = [metric for run in runs for metric in run.run.get("own_metrics") or ()]
    metrics = metric_definitions(metric_names, own)
    content = {"runs": described, "zone": page_clock(runs), "metrics": metrics, "panels": panels or {}}
    others = script_safe(content)
    return Charts(['{"blocks":[', *packed, "],", others[1:]], thinned)


def _spell_block(block: Mapping[str, Any], place: int) -> tuple[str, str, str]:
    """Return a block as JSON, its data by themselves: they are long and hold nothing to be escaped."""
    empty = script_safe({**block, "data": ""})
    return ("," if place else "") + empty.removesuffix('"}'), block["data"], '"}'


def script_safe(value: object) -> str:
    """Return `value` as JSON that cannot end the script element it stands in, whatever text it holds."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def beyond_log(run: RunTables) -> FloatColumn:
    """Return each job's wait beyond that in the log, in seconds; NaN where the log has none."""
    waits = waits_of(run)
    differences = np.full(run.jobs.height, math.nan)
    differences[waits.row] = waits.difference
    return differences


def _run(run: RunTables, name: str, blocks: Blocks, thinned: list[str], rows: int) -> dict[str, Any]:
    chart_platform = run.chart_platform(rows)
    submit, start, end = (run.float_column(f"{event}_time") for event in ("submit", "start", "end"))
    size = run.int_column("processors")
    columns = {
        "submit": blocks.add(submit, differences=True),
        "start": blocks.add(start, differences=True),
        "run": blocks.add(end - start),
        "size": blocks.add(size),
    }
    if "requested_time" in run.jobs.columns:
        columns["requested"] = blocks.add(run.float_column("requested_time"))
    if run.is_preempted:
        columns["wait"] = blocks.add(run.wait)
    if Feature.ATTEMPTS in run.has and "run_time" in run.jobs.columns:
        columns["ran"] = blocks.add(run.run_time)
    if run.log_waits is not None:
        columns["beyond"] = blocks.add(beyond_log(run))
    columns |= job_columns(run, blocks)
    return {
        "name": name,
        "processors": run.processors if chart_platform is None else chart_platform.processors,
        "capacity": run.processors,
        "jobs": len(start),
        "origin": run.unix_start_time,
        "columns": columns,
        "job_id": _labels(run, "job_id", blocks),
        "labels": {
            column: _labels(run, column, blocks)
            for column in _label_columns(run)
            if column in run.jobs.columns
        }
        | _site_labels(run, blocks)
        | _dependency_labels(run, name, blocks, thinned),
        "sites": _sites(run, chart_platform),
        "nodes": node_data(run, blocks),
        "gantt": gantt_data(run, name, blocks, thinned, rows=rows),
        "busy": _pack_steps(run.busy(), blocks),
        **change_data(run, blocks, chart_platform),
        "power": power_data(run, blocks),
        "queue": _pack_steps(_queue(run), blocks),
    }


def _label_columns(run: RunTables) -> tuple[str, ...]:
    """Return the columns of texts that a job's card has."""
    # Where partitions are home sites, jobs have these instead.
    named = [name for name in ("partition", "account") if name in run.jobs.columns]
    several = [name for name in named if run.jobs[name].n_unique() > 1]
    return ("user", "queue", *several, *(("status",) if Feature.ATTEMPTS in run.has else ()))


def _queue(run: RunTables) -> Steps:
    """Return how many jobs wait: until their first start, and while they are suspended."""
    row, start, end = run.pieces
    submit, each = run.float_column("submit_time"), np.ones_like(row)
    if run.segments is None:
        return step_function(submit, start, each, orders=(np.argsort(submit, kind="stable"), run.by_start))
    first = np.diff(row, prepend=-1) > 0
    return step_function(np.where(first, submit[row], np.roll(end, 1)), start, each)


def _labels(run: RunTables, name: str, blocks: Blocks) -> dict[str, Any]:
    """Pack a column of numbers as it is and one of text as codes with the texts behind them."""
    series = run.jobs[name]
    if series.dtype.is_numeric():
        return {"column": blocks.add(series.fill_null(-1).to_numpy(), differences=name == "job_id")}
    return _texts(run, name, blocks)


def _texts(run: RunTables, name: str, blocks: Blocks) -> dict[str, Any]:
    coded = run.codes_of(name)
    return {"column": blocks.add(coded.code), "texts": coded.texts}


def _dependency_labels(
    run: RunTables, name: str, blocks: Blocks, thinned: list[str]
) -> dict[str, dict[str, Any]]:
    """Pack what each job waited for, where some did; too many different texts would weigh the page down."""
    if "dependencies" not in run.jobs.columns:
        return {}
    shown = run.jobs["dependencies"].cast(str).fill_null("")
    if shown.n_unique() > MOST_DEPENDENCIES:
        thinned.append(f"{name}: the dependencies of each job, of more than {MOST_DEPENDENCIES:,} kinds.")
        return {}
    return {"dependencies": _texts(run, "dependencies", blocks)}


def _sites(run: RunTables, chart_platform: Platform | None) -> dict[str, Any] | None:
    """Return the sites of a grid, in the order in which the Gantt stacks them; not where it stacks nodes."""
    if Feature.SITES not in run.has or run.is_stacked_by_node:
        return None
    platform = there(run.platform)
    columns: dict[str, Any] = {"name": platform.names, "processors": there(chart_platform).sizes.tolist()}
    if Feature.TIME_SHARING in run.has:
        columns["cores"] = platform.sizes.tolist()
    # A job has a piece in each of its nodes then, at the same time.
    return columns | ({"parts": True} if Feature.CORES in run.has else {})


def _site_labels(run: RunTables, blocks: Blocks) -> dict[str, Any]:
    if Feature.SITES not in run.has:
        return {}
    sites = there(run.sites)
    names = sites.platform.names
    labels: dict[str, Any] = {"site": {"column": blocks.add(sites.site), "texts": names}}
    if sites.knows_homes:
        # The last text is that of jobs whose home is unknown.
        home = np.where(sites.home_site < 0, len(names), sites.home_site)
        labels["home_site"] = {"column": blocks.add(home), "texts": [*names, ""]}
    if Feature.CORES in run.has and "nodes" in run.jobs.columns:
        labels["nodes"] = _texts(run, "nodes", blocks)
    return labels


def _pack_steps(steps: Steps, blocks: Blocks) -> dict[str, int]:
    changes = steps.changes()
    return {"time": blocks.add(changes.time, differences=True), "value": blocks.add(changes.value)}


def page_clock(runs: Sequence[RunTables]) -> dict[str, Any] | None:
    """Return by how many seconds the clock of the log's site is ahead of UTC, and from when on.

    ``name`` is the time zone of the first run whose log says when it begins, ``from`` Unix times in seconds,
    ascending, and ``shift`` the seconds from each of them on. None where the page is in UTC: the log does not
    say when it begins or where, or its zone is unknown. Cost: O(days from first submission to last end).
    """
    dated = [(run, run.unix_start_time) for run in runs if run.unix_start_time is not None]
    name = (dated[0][0].time_zone or "").strip() if dated else ""
    if not name:
        return None
    first, last = min(run.span[0] for run in runs), max(run.span[1] for run in runs)
    origins = [origin for _, origin in dated]
    clock = clock_offsets(min(origins) + first, max(origins) + last, name)
    return None if clock.name != name else {"name": name, "from": clock.start, "shift": clock.ahead}
