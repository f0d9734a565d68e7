"""Pages on reproduced studies: figures, rows and claims as tables, charts with our values; and one on all."""

from __future__ import annotations

import base64
import html
from importlib import resources
from string import Template
from typing import TYPE_CHECKING, Any

from echelon.reproduce.machinery.figure import explanations
from echelon.reproduce.report.differences import differences
from echelon.reproduce.report.digest import claim_counts, run_summary
from echelon.reproduce.report.tables import cell, html_table, listing, printed_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.reproduce import Chart, Claim, Figure, Picture, Quantity, Reproduction, Sample
    from echelon.reproduce.report.differences import Difference

_AGREEMENT = {"agrees": "✓", "explained": "✓ explained", "differs": "✗ differs"}
_KIND = {"agrees": "good", "explained": "good", "differs": "bad"}
_KIND |= {"holds": "good", "does not hold": "bad", "holds in part": "", "not decided": "soft"}
_KIND |= {"explanation only": "soft", "not testable": "soft"}

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; img-src data:; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<title>$title</title>
<style>$style
td, th { text-align: left; vertical-align: top; } td.number { text-align: right; }
td.text { white-space: normal; min-width: 16rem; } .soft { color: var(--soft); }
.good { color: var(--good); } .bad { color: var(--bad); } section { overflow-x: auto; }
th.number { text-align: right; } figcaption.hint { font-weight: 400; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr)); gap: 16px; }
figure { margin: 0; } img { width: 100%; background: #fff; border-radius: 6px; }
@media (max-width: 600px) {
  .figures td:not(.number), .figures th:not(.number) { white-space: normal; }
  .figures th, .figures td, .rows th, .rows td, .cells th, .cells td { padding: 5px 3px; font-size: .8rem; }
  .claims thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  .claims, .claims tbody, .claims tr, .claims td { display: block; border: 0; padding: 0; min-width: 0; }
  .claims tr { padding: 8px 0; border-bottom: 1px solid var(--line); }
  .outcomes th, .outcomes td { white-space: normal; padding: 5px 3px; font-size: .8rem; }
  .outcomes td.text, .outcomes th:last-child { display: none; }
  ul { padding-left: 18px; }
}
</style>
<script>document.documentElement.dataset.theme =
 matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";</script>
</head>
<body>
<header><h1>$title</h1><p>$source</p></header>
<main>
$main
</main>
</body>
</html>
"""

_STUDY = """<section><h2>Verdict</h2>$conclusion<p>$verdict</p><ul>$notes</ul></section>
<section><h2>Differences, and their reasons</h2>$differences</section> $printed$samples
<section><h2>Claims</h2>$claims</section> <section><h2>Charts</h2><div class="charts">$charts</div></section>
$tables$listings$independent<section><h2>Method</h2>$setting</section>
"""


def reproduction_page(reproduction: Reproduction, pictures: Mapping[str, bytes]) -> str:
    """Return the page as HTML, which loads nothing; it needs a PNG of each chart and picture by its name."""
    return page(reproduction.study.title, reproduction.study.source, study_sections(reproduction, pictures))


def page(title: str, source: str, main: str) -> str:
    """Return a page with a title, a line below it, and its sections as HTML."""
    style = (resources.files("echelon.reports") / "page" / "report.css").read_text(encoding="utf-8")
    return Template(_PAGE).substitute(
        title=html.escape(title), source=html.escape(source), style=style, main=main
    )


def study_sections(reproduction: Reproduction, pictures: Mapping[str, bytes]) -> str:
    """Return all there is to see of a reproduced study, as sections of a page; see `reproduction_page`."""
    return Template(_STUDY).substitute(
        verdict=html.escape(reproduction.verdict),
        conclusion=f"<p><b>{html.escape(reproduction.conclusion)}</b></p>" if reproduction.conclusion else "",
        notes="".join(f"<li>{html.escape(note)}</li>" for note in reproduction.notes),
        differences=_differences(differences(reproduction)),
        printed=_section(
            "Printed values, and ours", _figures(reproduction.printed, "Printed"), reproduction.printed
        ),
        samples="".join(map(_sample, reproduction.samples)),
        claims=_claims(reproduction.claims),
        charts="".join(
            (
                *(_chart(chart, pictures[chart.quantity.name]) for chart in reproduction.charts),
                *(_picture(one, pictures[one.name]) for one in reproduction.pictures),
            )
        ),
        tables="".join(map(printed_table, reproduction.tables)),
        listings="".join(map(listing, reproduction.listings)),
        independent=_section(
            "Figures of an independent program",
            "<p>By the same definitions, written independently; not in the study.</p>"
            + _figures(reproduction.independent, "Theirs"),
            reproduction.independent,
        ),
        setting=_setting(reproduction.setting),
    )


def _differences(entries: Sequence[Difference]) -> str:
    rows = [
        (cell(one.what, "text"), cell(one.why or "not known", "text" if one.why else "soft"), cell(one.where))
        for one in entries
    ]
    heads = ("What differs", "Why", "Where")
    return html_table("claims", heads, rows) if rows else "<p>Nowhere.</p>"


def _figures(figures: Sequence[Figure], theirs: str) -> str:
    """Return a table of figures; `theirs` is the head above those that ours are set beside."""
    if not figures:
        return "<p>None.</p>"
    rows = [
        (
            cell(one.subject),
            cell(_with_unit(one.quantity)),
            *(cell(text, "number") for text in (one.printed, one.ours)),
            cell(_AGREEMENT[one.agreement], _KIND[one.agreement])
            if one.apart is None
            else cell(f"{_AGREEMENT[one.agreement]}, not counted: {one.apart.kind}", "soft"),
            cell(f"{one.got:.12g}", "number"),
            cell(one.where),
        )
        for one in figures
    ]
    heads = ("Of", "Quantity", theirs, "Ours", "", "Ours in full", "Where")
    return html_table("figures", heads, rows, numbers=(2, 3, 5)) + "".join(
        f"<p>{html.escape(line)}</p>" for line in explanations(figures)
    )


def _with_unit(quantity: Quantity) -> str:
    label, unit = quantity.label, quantity.unit
    return label if label == unit else f"{label}, {unit}"


def _sample(sample: Sample) -> str:
    differing = set(sample.differing)
    rows = [
        (
            *(cell(f"{value:.15g}", "number") for value in printed),
            cell("✓", "good")
            if place not in differing
            else cell(" ".join(("✗", *(f"{value:.15g}" for value in got))), "bad"),
        )
        for place, (printed, got) in enumerate(zip(sample.printed, sample.got, strict=True))
    ]
    title = f"{sample.title}, {sample.where}: {len(rows) - len(differing)} of {len(rows)} rows are the same"
    table = html_table("rows", (*sample.columns, ""), rows, numbers=range(len(sample.columns)))
    return f"<section><h2>{html.escape(title)}</h2>{table}</section>\n"


def _claims(claims: Sequence[Claim]) -> str:
    rows = [
        (
            cell(claim.name),
            cell(claim.text, "text"),
            cell(claim.verdict, _KIND[claim.verdict]),
            _finding(claim),
            cell(claim.where),
        )
        for claim in claims
    ]
    heads = ("", "The study says", "Verdict", "Our results", "Where")
    return html_table("claims", heads, rows) if rows else "<p>None.</p>"


def _finding(claim: Claim) -> str:
    """Return our numbers: of several statements, a line each with its outcome."""
    if len(claim.statements) < 2:
        return cell(claim.finding, "text")
    lines = "".join(
        f'<li><span class="{_KIND[outcome]}">{outcome}</span>: {html.escape(text)}</li>'
        for text, outcome in claim.statements
    )
    return f'<td class="text"><ul>{lines}</ul></td>'


def _section(title: str, content: str, shown: Sequence[Figure]) -> str:
    """Return a section; nothing where there is nothing to show."""
    return f"<section><h2>{title}</h2>{content}</section>" if shown else ""


def _chart(chart: Chart, png: bytes) -> str:
    label = f"{chart.quantity.label} ({chart.quantity.unit}), in the study {chart.where}"
    alt = f"Bars: {label}; the values are in results.json"
    return _embed_figure(png, f"{label}: {chart.quantity.formula}", alt)


def _picture(picture: Picture, png: bytes) -> str:
    return _embed_figure(png, picture.title, f"{picture.title}; the values are in results.json or in files/")


def _embed_figure(png: bytes, caption: str, alt: str) -> str:
    source = base64.b64encode(png).decode("ascii")
    image = f'<img alt="{html.escape(alt)}" src="data:image/png;base64,{source}">'
    return f'<figure>{image}<figcaption class="hint">{html.escape(caption)}</figcaption></figure>'


def _setting(setting: Mapping[str, object]) -> str:
    rows = "".join(
        f"<dt>{html.escape(name.replace('_', ' '))}</dt><dd>{html.escape(_format_value(value))}</dd>"
        for name, value in setting.items()
    )
    return f"<dl>{rows}</dl>"


def _format_value(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}: {text}" for name, text in value.items())
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return f"{value:.3g}" if isinstance(value, float) else str(value)


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
