"""Whole tables on the page of a study run again: printed numbers above ours, and tables of ours alone."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING

from echelon.quantities import figure
from echelon.reproduce.machinery.figure import explanations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.reproduce import Figure, Listing, PrintedRow, PrintedTable

_KIND = {"agrees": "good", "explained": "good", "differs": ""}


def printed_table(table: PrintedTable) -> str:
    """Return a section: each cell as printed, ours below it, and how like the orders of a row are."""
    ranked = any(row.ranked and row.got is not None for row in table.rows)
    heads = (*table.heads, *table.columns, *(("tau",) if ranked else ()))
    first = len(table.heads)
    head = "".join(
        f'<th scope="col"{" class=number" if place >= first else ""}>{html.escape(text)}</th>'
        for place, text in enumerate(heads)
    )
    body = "\n".join(f"<tr>{_row(table, row, ranked=ranked)}</tr>" for row in table.rows)
    said = "".join(f"<p>{html.escape(line)}</p>" for line in _said(table))
    return (
        f"<section><h2>{html.escape(f'{table.title}, {table.where}')}</h2>{said}"
        f'<table class="cells"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></section>\n'
    )


def _row(table: PrintedTable, row: PrintedRow, *, ranked: bool) -> str:
    labels = "".join(f"<td>{html.escape(label)}</td>" for label in row.labels)
    cells = zip(row.printed, table.cells(row), strict=True)
    shown = "".join(f'<td class="number">{_cell(printed, one)}</td>' for printed, one in cells)
    tau = math.nan if row.agreement is None else row.agreement.kendall
    return labels + shown + (f'<td class="number">{_two(tau)}</td>' if ranked else "")


def _cell(printed: str, ours: Figure | None) -> str:
    if ours is None:
        return html.escape(printed)
    kind = _KIND[ours.agreement] if ours.apart is None else "soft"
    return f'{html.escape(printed)}<br><b class="{kind}">{html.escape(ours.ours)}</b>'


def _two(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.2f}"


def _said(table: PrintedTable) -> list[str]:
    figures = table.figures
    said = [f"Not testable: {reason}." for reason in table.untested]
    if figures:
        same = sum(one.agreement == "agrees" for one in table.counted)
        apart = len(figures) - len(table.counted)
        also = f"; {apart} are not counted, as they must be so or are printed elsewhere" if apart else ""
        said.append(f"Printed, and ours below: {same} of {len(table.counted)} cells are as printed{also}.")
    if table.why:
        said.append(f"Why ours differ: {table.why}.")
    order = table.agreement
    if not math.isnan(order.kendall):
        size = "" if math.isnan(order.log_ratio) else f", log-ratio {order.log_ratio:.2f}"
        said.append(
            f"Means over the rows: Kendall's tau {order.kendall:.2f}, Spearman's rho "
            f"{order.spearman:.2f}{size}."
        )
    misprints = [
        f"Misprint: {column} of {', '.join(labels)} should be {one.right}: {one.why}."
        for (labels, column), one in table.misprints.items()
    ]
    return [*said, *explanations(figures), *misprints]


def listing(shown: Listing) -> str:
    """Return a section with a table of ours."""
    head = "".join(
        f'<th scope="col"{" class=number" if place >= shown.labels else ""}>{html.escape(text)}</th>'
        for place, text in enumerate(shown.heads)
    )
    body = "\n".join(f"<tr>{_cells(row)}</tr>" for row in shown.rows)
    note = f"<p>{html.escape(shown.note)}</p>" if shown.note else ""
    return (
        f"<section><h2>{html.escape(shown.title)}</h2>{note}"
        f'<table class="rows"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></section>\n'
    )


def _cells(row: Sequence[str | float]) -> str:
    return "".join(
        f"<td>{html.escape(cell)}</td>"
        if isinstance(cell, str)
        else f'<td class="number">{figure(cell)}</td>'
        for cell in row
    )
