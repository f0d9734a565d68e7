"""Comparison of policies: one bar chart a metric."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING

from echelon.metrics.registry.labels import LABELS
from echelon.reports.panels.panel import Content, Panel, body, hint
from echelon.reports.summary import row_texts, shown_metrics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.reports.summary import Shown
    from echelon.reports.tables import RunTables

METRICS = (
    "mean_execution",
    "std_execution",
    "mean_wait",
    "mean_bounded_slowdown",
    "mean_turnaround",
    "mean_response",
    "utilization",
    "throughput_per_day",
    "energy",
    "energy_delay_product",
)
"""What most papers compare, waits first; of time-shared machines first what their study compares. The user's
own metrics follow."""


def _content(runs: Sequence[RunTables], names: Sequence[str]) -> Content | None:
    if len(runs) < 2:
        return None
    shown = shown_metrics(runs)
    keys = [key for key in METRICS if key in shown] + [key for key in shown if key not in LABELS]
    if not keys:
        return None
    charts = "\n".join(_chart(key, shown[key], [run.metrics.get(key) for run in runs], names) for key in keys)
    return Content(
        f'{body("bars")}<div class="bar-charts">\n{charts}\n</div>'
        f"{hint('Every bar begins at 0, unless the scale is logarithmic.')}",
        {},
    )


PANEL = Panel("bars", "Comparison of policies", _content)


def _chart(key: str, shown: Shown, values: Sequence[float | None], names: Sequence[str]) -> str:
    numbers = [math.nan if value is None else float(value) for value in values]
    # A share has a natural end; other metrics end with their largest.
    most = 1.0 if shown.kind == "share" else max((n for n in numbers if n > 0), default=1.0)
    rows = "".join(
        _bar(name, text, number / most, place, number)
        for place, (name, text, number) in enumerate(
            zip(names, row_texts(shown, numbers), numbers, strict=True)
        )
    )
    title = html.escape(shown.label)
    return (
        f'<figure data-bars="{html.escape(key)}" data-metric="{html.escape(key)}">'
        f'<figcaption>{title}</figcaption><ul class="bars">{rows}</ul></figure>'
    )


def _bar(name: str, text: str, share: float, place: int, number: float) -> str:
    length = f"{100 * min(max(share, 0.0), 1.0):.3f}%" if math.isfinite(share) else "0"
    value = f' data-value="{number:.9g}"' if math.isfinite(number) else ""
    return (
        f'<li data-run="{place}"{value}><span class="bar-name">{html.escape(name)}</span>'
        f'<span class="bar-room"><i class="run-{place % 8}" style="width:{length}"></i></span>'
        f'<span class="bar-value">{html.escape(text)}</span></li>'
    )
