"""HTML of the page on a study: tables, sections, figures."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from echelon.reports.panels.panel import table_row
from echelon.reports.study.chart_data import chart_script
from echelon.reports.study.svg import COLORS, dash_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, kind: str = "") -> str:
    """Return a table of texts; the first of each row is its heading. Line breaks in heads are kept."""
    head = "".join(f'<th scope="col">{_lines(text)}</th>' for text in heads)
    body = "\n".join(table_row(first, map(_lines, rest)) for first, *rest in rows)
    named = f' class="{kind}"' if kind else ""
    return (
        f'<div class="scroll"><table{named}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _lines(text: str) -> str:
    """Return text whose second line, if any, is small below the first."""
    first, _, second = text.partition("\n")
    return html.escape(first) + (f"<small>{html.escape(second)}</small>" if second else "")


def figure(content: str, caption: str, data: Mapping[str, Any] | None = None) -> str:
    """Return a chart with its caption above, and what a script needs to draw it again, see `chart_data`."""
    if data is None:
        return f"<figure><figcaption>{html.escape(caption)}</figcaption>{content}</figure>"
    return (
        f'<figure class="drawn" data-kind="{data["kind"]}"><figcaption>{html.escape(caption)}</figcaption>'
        f"{content}{chart_script(data)}</figure>"
    )


def pair(*contents: str) -> str:
    """Return figures side by side where there is room."""
    return f'<div class="pair">{"".join(contents)}</div>'


def legend(names: Sequence[str]) -> str:
    """Return the colors of lines, and their dashes where colors come again."""
    items = "".join(
        f'<li><i class="swatch run-{place % COLORS}"{_dashes(place)}></i> {html.escape(name)}</li>'
        for place, name in enumerate(names)
    )
    return f'<ul class="chips">{items}</ul>'


def _dashes(place: int) -> str:
    """Return the attribute that shows a swatch as a line with dashes."""
    if not (dash := dash_of(place)):
        return ""
    stops, at = [], 0
    for number, length in enumerate(map(int, dash.split())):
        stops.append(f"#{'0000' if number % 2 else '000'} {at}px {at + length}px")
        at += length
    return f' style="width:26px;mask-image:repeating-linear-gradient(90deg,{",".join(stops)})"'


def tiles(facts: Iterable[tuple[str, str]]) -> str:
    """Return names and values as tiles."""
    shown = "".join(
        f"<div><dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd></div>" for name, value in facts
    )
    return f'<dl class="tiles">{shown}</dl>'
