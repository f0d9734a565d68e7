"""HTML tables: how workloads and results look in a notebook. Every text is escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.model.jobs.workload import Workload

_AT_EACH_END = 5
_MOST_ROWS = 12
_BAR = "height:4px;background:#5a8fc7;width"


def html_table(title: str, rows: Iterable[str]) -> str:
    """Return rows below a title."""
    from html import escape

    return f"<table><caption>{escape(title)}</caption>{''.join(rows)}</table>"


def html_row(*cells: str) -> str:
    """Return cells as a row."""
    return f"<tr>{''.join(cells)}</tr>"


def html_cell(text: str, kind: str = "td", *, bold: bool = False, share: float | None = None) -> str:
    """Return a text as a cell.

    Parameters
    ----------
    text : str
        Any text.
    kind : {"td", "th"}, default "td"
        Whether it is a head.
    bold : bool, default False
        Whether it stands out.
    share : float, optional
        Length of a bar below the text, from 0 to 1 of the cell. Default: no bar.
    """
    from html import escape

    shown = f"<b>{escape(text)}</b>" if bold else escape(text)
    bar = "" if share is None else f'<div style="{_BAR}:{100 * share:.1f}%"></div>'
    return f"<{kind}>{shown}{bar}</{kind}>"


def workload_table(workload: Workload) -> str:
    """Return a workload as HTML: a row a job, of many the first and the last five."""
    count = len(workload)
    whole = count <= _MOST_ROWS
    places = range(count) if whole else (*range(_AT_EACH_END), *range(count - _AT_EACH_END, count))
    heads = ("Job", "Submitted (s)", "Run time (s)", "Requested (s)", "Processors", "User")
    rows = [html_row(*(html_cell(head, "th") for head in heads))]
    for place in places:
        if not whole and place == count - _AT_EACH_END:
            rows.append(html_row(*(html_cell("…") for _ in heads)))
        rows.append(html_row(*map(html_cell, _texts(workload, place))))
    jobs = f"{count:,} job{'' if count == 1 else 's'}"
    size = workload.header.max_procs
    machine = f", {size:,} processor{'' if size == 1 else 's'}" if size else ""
    return html_table(f"{workload.name}: {jobs}{machine}", rows)


def _texts(workload: Workload, place: int) -> tuple[str, ...]:
    """Return one job as texts, a dash for what is unknown."""
    times = (workload.submit_time, workload.run_time, workload.requested_time)
    numbers = (*(float(column[place]) for column in times), float(workload.processors[place]))
    user = int(workload.user[place])
    names = workload.names.get("user", ())
    named = names[user - 1] if 0 < user <= len(names) else _number(user)
    return (workload.label(place), *map(_number, numbers), named)


def _number(value: float) -> str:
    return "–" if value == -1 else f"{value:,.10g}"
