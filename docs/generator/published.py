"""Pages on reproduced studies, and the README's table of them, from one run of all.

``docs/studies/studies.json`` is what ``echelon reproduce all --out DIR`` left;
``python docs/generator --studies DIR`` takes it over with its charts.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tables import table

from echelon.reproduce.report.digest import claim_counts, run_summary

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

STUDIES = Path(__file__).parents[1] / "studies"
_KEPT = STUDIES / "studies.json"
_MADE = "<!-- Made by `make docs` from what `echelon reproduce all` found. -->\n\n"
_MARKS = {"agrees": "as printed", "explained": "explained", "differs": "**differs**"}
_MOST_CHARTS = 4

EXPLANATIONS = {
    "grid": "grid-study.md",
    "irmasim": "irmasim-study.md",
    "multicluster": "multicluster-study.md",
    "sinapad": "sinapad-study.md",
}
"""The page that tells more of a study, by its name."""


def take_over(folder: Path) -> None:
    """Take over the outcome of all studies, and their charts, from a folder of ``echelon reproduce all``."""
    found = json.loads((folder / "studies.json").read_text(encoding="utf-8"))
    kept = {"studies": found["studies"], "versions": found["versions"]}
    pictures = STUDIES / "pictures"
    shutil.rmtree(pictures, ignore_errors=True)
    pictures.mkdir(parents=True)
    for study in kept["studies"]:
        for chart in _charts(study):
            source = folder / study["name"] / "charts" / f"{chart['name']}.png"
            shutil.copy(source, pictures / _picture(study, chart))
    _KEPT.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def pages() -> dict[str, str]:
    """Return the pages by their names in docs/studies: one a study, and one on all."""
    studies = _studies()
    made = {f"{study['name']}.md": f"{_MADE}{_page(study)}\n" for study in studies}
    return made | {"index.md": f"{_MADE}{_index(studies)}\n"}


def readme_table() -> str:
    """Return the README's table: a line a study, without its conclusion, which docs/studies has."""
    rows = [_row(study, "docs/studies/") for study in _studies()]
    return table((*_HEADS, "Takes"), [(*row[:-2], row[-1]) for row in rows])


def _studies() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(_KEPT.read_text(encoding="utf-8"))["studies"]
    return found


def _table(folder: str) -> str:
    heads = (*_HEADS, "What a reader may conclude", "Takes")
    return table(heads, [_row(study, folder) for study in _studies()])


def _row(study: Mapping[str, Any], folder: str) -> tuple[str, ...]:
    figures = f"{study['as_printed']} of {study['printed']}" if study["printed"] else "none printed"
    if study["explained"]:
        figures += f", {study['explained']} explained"
    return (
        f"[`{study['name']}`]({folder}{study['name']}.md)",
        _cell(study["title"]),
        figures,
        " / ".join(map(str, claim_counts(study))),
        _cell(study.get("conclusion", "")),
        f"about {study['takes']}",
    )


_CLAIMS = "Claims: hold / in part / do not / not decided / not testable"
_HEADS = ("Study", "What it did", "Figures as printed", _CLAIMS)


def _index(studies: list[dict[str, Any]]) -> str:
    sources = "\n".join(f"* `{one['name']}`: {one['source']}. Needs: {one['needs']}." for one in studies)
    return (
        "# Reproduced studies\n\n"
        "What `echelon reproduce all --out DIR` found with the data at hand. It leaves a report on all, "
        "and a folder a study with every number; how a study is read is described in [Reproduce a published "
        "study](../how-to/reproduce-a-paper.md).\n\n"
        f"{_table('')}\n\n{sources}"
    )


def _page(study: Mapping[str, Any]) -> str:
    return "\n\n".join(_parts(study))


def _parts(study: Mapping[str, Any]) -> Iterator[str]:
    yield f"# {study['title']}"
    yield f"{study['source']}. Run again by `echelon reproduce {study['name']}`."
    yield (
        f"Needs: {study['needs']}. It takes about {study['takes']} on two cores; this run took "
        f"{run_summary(study)}."
    )
    if study["name"] in EXPLANATIONS:
        yield f"[The results in detail](../explanation/{EXPLANATIONS[study['name']]})."
    if study.get("conclusion"):
        yield f"**{_plain(study['conclusion'])}**"
    yield study["verdict"]
    yield from _list_of(study["notes"])
    yield from _section(
        "What is claimed", ("", "The study says", "Verdict", "Our numbers", "Where"), _claims(study)
    )
    heads = ("Of", "Quantity", "Printed", "Ours", "Unit", "", "Where")
    yield from _section("What was printed, and ours", heads, _figures(study))
    heads = ("Table", "Where", "Cells as printed", "Mean Kendall's tau")
    yield from _section("Whole tables", heads, _tables(study))
    yield from _section("Where we differ, and why", ("What differs", "Why", "Where"), _differences(study))
    yield from _pictures(study)


def _section(title: str, heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> Iterator[str]:
    if rows:
        yield f"## {title}"
        yield table(heads, rows)


def _claims(study: Mapping[str, Any]) -> list[tuple[str, ...]]:
    return [
        tuple(_cell(claim[key]) for key in ("name", "text", "verdict", "finding", "where"))
        for claim in study["claims"]
    ]


def _figures(study: Mapping[str, Any]) -> list[tuple[str, ...]]:
    keys = ("subject", "quantity", "printed", "ours", "unit")
    return [(*(_cell(one[key]) for key in keys), _mark(one), _cell(one["where"])) for one in study["figures"]]


def _mark(figure: Mapping[str, Any]) -> str:
    apart = figure.get("apart")
    return _MARKS[figure["agreement"]] + (f", not counted: {apart}" if apart else "")


def _tables(study: Mapping[str, Any]) -> list[tuple[str, ...]]:
    return [
        (
            _cell(one["title"]),
            _cell(one["where"]),
            _share(one),
            "" if one["tau"] is None else f"{one['tau']:.2f}",
        )
        for one in study["tables"]
    ]


def _share(one: Mapping[str, Any]) -> str:
    if not one["cells"]:
        return "not testable"
    apart = f", {one['apart']} not counted" if one.get("apart") else ""
    return f"{one['as_printed']} of {one['cells']}{apart}"


def _differences(study: Mapping[str, Any]) -> list[tuple[str, ...]]:
    return [
        (_cell(one["what"]), _cell(one["why"]) or "not known", _cell(one["where"]))
        for one in study["differences"]
    ]


def _pictures(study: Mapping[str, Any]) -> Iterator[str]:
    charts = _charts(study)
    if charts:
        yield "## Charts"
    for chart in charts:
        yield f"![{_plain(chart['title'])}](pictures/{_picture(study, chart)})"
        yield f"*{_plain(chart['title'])}*"


def _charts(study: Mapping[str, Any]) -> list[dict[str, str]]:
    charts: list[dict[str, str]] = study.get("charts", [])
    return charts[:_MOST_CHARTS]


def _picture(study: Mapping[str, Any], chart: Mapping[str, str]) -> str:
    return f"{study['name']}-{chart['name'].replace('/', '-').replace(' ', '-')}.png"


def _list_of(notes: list[str]) -> Iterator[str]:
    if notes:
        yield "\n".join(f"* {_plain(note)}" for note in notes)


def _plain(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return "".join(f"\\{letter}" if letter in "*_[]<>`" else letter for letter in " ".join(text.split()))


def _cell(text: str) -> str:
    return _plain(text).replace("|", "\\|")
