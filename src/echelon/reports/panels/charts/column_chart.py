"""Column charts of counts, as HTML that needs no script."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING

from echelon.quantities import tally

if TYPE_CHECKING:
    from collections.abc import Sequence


def column_chart(
    title: str,
    labels: Sequence[str],
    counts: Sequence[int],
    *,
    shown: Sequence[str],
    field: str = "",
    ranges: Sequence[tuple[float, float] | None] = (),
    kinds: Sequence[str] = (),
) -> str:
    """Return a chart of upright bars that begin at 0.

    Parameters
    ----------
    title : str
        What is counted.
    labels : sequence of str
        Name of each column, for the pointer and for screen readers.
    counts : sequence of int
        Jobs of each column.
    shown : sequence of str
        Label below each column; may be empty where there is no room.
    field : str, optional
        What of a job a column is about, as in ``job_filter.js``: ``size``, ``hour``, ``weekday``.
    ranges : sequence of (float, float), optional
        Least and largest value of that of the jobs of each column, which a click filters; infinite without.
    kinds : sequence of str, optional
        Of each column ``"earlier"``, ``"same"`` or ``"later"``, which have colors of their own.
    """
    most, everything = max([*counts, 1]), max(1, sum(counts))
    columns = "".join(
        _column(label, count, count / most, share=count / everything, below=below, kind=kind, ends=ends)
        for label, count, below, kind, ends in zip(
            labels, counts, shown, kinds or [""] * len(labels), ranges or [None] * len(labels), strict=True
        )
    )
    return (
        f'<figure class="columns" data-field="{field}"><figcaption>{html.escape(title)}</figcaption>'
        f'<div class="columns-top" aria-hidden="true">{tally(most, "job")}</div><ol>{columns}</ol></figure>'
    )


def _column(
    label: str,
    count: int,
    height: float,
    *,
    share: float,
    below: str,
    kind: str,
    ends: tuple[float, float] | None,
) -> str:
    text = html.escape(f"{label}: {tally(count, 'job')}, {100 * share:.1f} %")
    marked = f' class="{kind}"' if kind else ""
    low, high = ("" if math.isinf(end) else f"{end:.15g}" for end in ends or (0, 0))
    filtered = "" if ends is None else f' data-range="{low}:{high}"'
    return (
        f'<li{marked} title="{text}" data-label="{html.escape(label)}" data-value="{count}"'
        f'{filtered}><div><i style="height:{100 * height:.2f}%"></i></div>'
        f'<b aria-hidden="true">{html.escape(below)}</b><span class="spoken">{text}</span></li>'
    )
