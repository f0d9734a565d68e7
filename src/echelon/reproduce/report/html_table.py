"""HTML table: heads and rows of cells, as all tables on pages of studies are written."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence


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
