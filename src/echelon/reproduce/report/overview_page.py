"""One page on all reproduced studies: a table of outcomes, then each study in full."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from echelon.reproduce.report.digest import claim_counts, run_summary
from echelon.reproduce.report.study_page import page
from echelon.reproduce.report.tables import cell, html_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_HEADS = (
    "Study",
    "Printed figures as printed",
    "Claims that hold",
    "hold in part",
    "do not hold",
    "are not decided",
    "cannot be tested",
    "Took",
    "Conclusion",
)


def reproductions_page(
    digests: Sequence[Mapping[str, Any]], sections: Mapping[str, str], subtitle: str
) -> str:
    """Return the page as HTML, which loads nothing: digests of all studies, then sections of those run."""
    numbers = range(2, len(_HEADS) - 1)
    table = html_table("outcomes", _HEADS, map(_row, digests), numbers=numbers)
    articles = "\n".join(_article(one, sections.get(one["name"], "")) for one in digests)
    return page("Reproduced studies", subtitle, f"<section><h2>Outcomes</h2>{table}</section>\n{articles}")


def figure_share(digest: Mapping[str, Any]) -> str:
    """Return how many printed numbers came out, as ``16 of 17 (1 explained)``."""
    if not digest.get("printed"):
        return "none printed" if "printed" in digest else "–"
    explained = f" ({digest['explained']} explained)" if digest["explained"] else ""
    return f"{digest['as_printed']} of {digest['printed']}{explained}"


def _row(digest: Mapping[str, Any]) -> list[str]:
    name = html.escape(digest["name"])
    problem = f"could not be run: {digest.get('problem', '')}"
    return [
        f'<td><a href="#{name}">{name}</a></td>',
        cell(figure_share(digest)),
        *(cell(str(count), "number") for count in (*claim_counts(digest), run_summary(digest))),
        cell(digest.get("conclusion") or digest.get("verdict", problem), "text"),
    ]


def _article(digest: Mapping[str, Any], content: str) -> str:
    title, source = html.escape(digest["title"]), html.escape(digest["source"])
    shown = content or f"<section><p>Could not be run: {html.escape(digest.get('problem', ''))}</p></section>"
    return (
        f'<article id="{html.escape(digest["name"])}"><header><h1>{title}</h1><p>{source}</p></header>\n'
        f"{shown}</article>"
    )
