"""Tables on the page of a reproduced study: of any cells, of printed numbers above ours, of ours alone."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING

from echelon.quantities import figure
from echelon.reproduce.machinery.figure import explanations

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from echelon.reproduce import Figure, Listing, PrintedRow, PrintedTable

_KIND = {"agrees": "good", "explained": "good", "differs": ""}


def html_table(
    kind: str, heads: Sequence[str], rows: Iterable[Iterable[str]], *, numbers: Container[int] = ()
) -> str:
    """Return a table of this class; the heads at the places `numbers` are set right. Rows are of cells."""
    head = "".join(
        f'<th scope="col"{" class=number" if place in numbers else ""}>{html.escape(text)}</th>'
        for place, text in enumerate(heads)
    )
    body = "\n".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return f'<table class="{kind}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def cell(text: str, kind: str = "") -> str:
    """Return a cell with this text, of this class."""
    return f'<td class="{kind}">{html.escape(text)}</td>' if kind else f"<td>{html.escape(text)}</td>"


def printed_table(table: PrintedTable) -> str:
    """Return a section: each cell as printed, ours below it, and how like the orders of a row are."""
    ranked = any(row.ranked and row.got is not None for row in table.rows)
    heads = (*table.heads, *table.columns, *(("tau",) if ranked else ()))
    paragraphs = "".join(f"<p>{html.escape(line)}</p>" for line in _describe_table(table))
    rows = (_row(table, row, ranked=ranked) for row in table.rows)
    shown = html_table("cells", heads, rows, numbers=range(len(table.heads), len(heads)))
    return f"<section><h2>{html.escape(f'{table.title}, {table.where}')}</h2>{paragraphs}{shown}</section>\n"


def _row(table: PrintedTable, row: PrintedRow, *, ranked: bool) -> Iterator[str]:
    yield from map(cell, row.labels)
    for printed, one in zip(row.printed, table.cells(row), strict=True):
        yield f'<td class="number">{_printed_and_ours(printed, one)}</td>'
    if ranked:
        yield cell(_two(math.nan if row.agreement is None else row.agreement.kendall), "number")


def _printed_and_ours(printed: str, ours: Figure | None) -> str:
    if ours is None:
        return html.escape(printed)
    kind = _KIND[ours.agreement] if ours.apart is None else "soft"
    return f'{html.escape(printed)}<br><b class="{kind}">{html.escape(ours.ours)}</b>'


def _two(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.2f}"


def _describe_table(table: PrintedTable) -> list[str]:
    figures = table.figures
    sentences = [f"Not testable: {reason}." for reason in table.untested]
    if figures:
        same = sum(one.agreement == "agrees" for one in table.counted)
        apart = len(figures) - len(table.counted)
        also = (
            f"; {apart} are not counted: they follow from a definition or are printed elsewhere"
            if apart
            else ""
        )
        sentences.append(
            f"Printed, and ours below: {same} of {len(table.counted)} cells are as printed{also}."
        )
    if table.why:
        sentences.append(f"Reason for the differences: {table.why}.")
    order = table.agreement
    if not math.isnan(order.kendall):
        size = "" if math.isnan(order.log_ratio) else f", log-ratio {order.log_ratio:.2f}"
        sentences.append(
            f"Means over the rows: Kendall's tau {order.kendall:.2f}, Spearman's rho "
            f"{order.spearman:.2f}{size}."
        )
    misprints = [
        f"Misprint: {column} of {', '.join(labels)} should be {one.right}: {one.why}."
        for (labels, column), one in table.misprints.items()
    ]
    return [*sentences, *explanations(figures), *misprints]


def listing(shown: Listing) -> str:
    """Return a section with a table of ours."""
    note = f"<p>{html.escape(shown.note)}</p>" if shown.note else ""
    rows = (map(_format_cell, row) for row in shown.rows)
    table = html_table("rows", shown.heads, rows, numbers=range(shown.labels, len(shown.heads)))
    return f"<section><h2>{html.escape(shown.title)}</h2>{note}{table}</section>\n"


def _format_cell(value: str | float) -> str:
    return cell(value) if isinstance(value, str) else cell(figure(value), "number")
