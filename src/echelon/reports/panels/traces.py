"""Metrics over time: what was known of each at any time, a line a run."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics import metric_named
from echelon.metrics.registry.labels import SHARES, label_of
from echelon.reports.panels.panel import (
    Content,
    Panel,
    body,
    hint,
    round_numbers,
    table_row,
    values_table,
    wait_sentence,
)
from echelon.reports.run_traces import SHOWN, run_traces, trace_times
from echelon.reports.summary import Shown, row_texts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.metrics import Trace
    from echelon.reports.summary import Kind
    from echelon.reports.tables import RunTables

POINTS = 400
"""Times at which each line has a value: as many as a screen can show."""

PARTS = {"at 1/4": 0.25, "at 1/2": 0.5, "at 3/4": 0.75, "at the end": 1.0}
"""Of the time from the first submission to the last end: where the table beside the chart has values."""


def _content(runs: Sequence[RunTables], names: Sequence[str]) -> Content:
    times = trace_times(runs, POINTS)
    first = min(run.span[0] for run in runs)
    last = float(times[-1])
    marks = first + np.array([*PARTS.values()]) * (last - first)
    marks[-1] = last
    at = np.union1d(times, marks)
    traces = [run_traces(run, at) for run in runs]
    data = {
        "from": first,
        "to": max(last, first + 1.0),
        "at": round_numbers(at, 9),
        "metrics": [
            {
                "label": label_of(name),
                "kind": _kind(name),
                "value": [round_numbers(traces_of_run[name].value) for traces_of_run in traces],
            }
            for name in SHOWN
        ],
    }
    reading = (
        "At each time a line shows the metric of the jobs that have ended by then; its last value is that of "
        "the whole run. Utilization includes the processor time of running jobs; the last completion over "
        "its lower bound covers the jobs that have ended."
    )
    places = np.searchsorted(at, marks).tolist()
    return Content(body("traces") + _table(traces, places, names) + hint(reading + wait_sentence(runs)), data)


PANEL = Panel("traces", "Metrics over time", _content)


def _kind(name: str) -> Kind:
    if name in SHARES:
        return "share"
    return "time" if metric_named(name).unit == "s" else "ratio"


def _table(traces: Sequence[Mapping[str, Trace]], places: Sequence[int], names: Sequence[str]) -> str:
    rows = (
        _row(name, part, [float(traces_of_run[name].value[place]) for traces_of_run in traces])
        for name in SHOWN
        for part, place in zip(PARTS, places, strict=True)
    )
    return values_table("Table of the metrics over time", ("Metric, at a part of the time", *names), rows)


def _row(name: str, part: str, values: Sequence[float]) -> str:
    texts = row_texts(Shown(label_of(name), _kind(name)), values)
    return table_row(f"{label_of(name)} {part}", map(html.escape, texts))
