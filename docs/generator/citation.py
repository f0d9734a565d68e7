"""How to cite Echelon: CITATION.cff and the entries of its page, made of what pyproject.toml says."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
FILE = ROOT / "CITATION.cff"
PAGE = ROOT / "docs" / "cite.md"
TITLE = "Echelon: a workbench for job scheduling"
_MADE = re.compile(r"(<!-- citation: made from [^\n]* -->\n).*?(<!-- end of citation -->)", re.DOTALL)


def project() -> tuple[dict[str, Any], str]:
    """Return the project's table, and its address, "" if it has none."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return declared["project"], declared["tool"]["hatch"]["metadata"]["hooks"]["custom"]["address"]


def citation_file() -> str:
    """Return CITATION.cff; a year or an address that is not declared is not made up."""
    known, address = project()
    author = known["authors"][0]["name"]
    lines = [
        "# Made from pyproject.toml by `make docs`.",
        "cff-version: 1.2.0",
        "message: Please cite Echelon if you use it, and the sources of the rules and logs that you use.",
        "type: software",
        f"title: {json.dumps(TITLE)}",
        f"abstract: {json.dumps(known['description'])}",
        "authors:",
        f"  - name: {json.dumps(author)}",
        f"version: {known['version']}",
        f"license: {known['license']}",
        *([f"repository-code: {json.dumps(address)}"] if address else []),
        "keywords:",
        *(f"  - {json.dumps(word)}" for word in known["keywords"]),
    ]
    return "\n".join([*lines, ""])


def page(text: str) -> str:
    """Return the page with the entries that follow from the project."""
    known, address = project()
    author, year = known["authors"][0]["name"], year_of_the_license()
    sentence = f"{author}. {TITLE}, version {known['version']}, {year}." + (f" {address}" if address else "")
    entry = [
        "```bibtex",
        f"@software{{echelon{year},",
        f"  author  = {{{{{author}}}}},",
        f"  title   = {{{TITLE}}},",
        f"  version = {{{known['version']}}},",
        f"  year    = {{{year}}},",
        *([f"  url     = {{{address}}},"] if address else []),
        "}",
        "```",
    ]
    made = "\n".join([f"> {sentence}", "", *entry])
    return _MADE.sub(lambda match: f"{match[1]}\n{made}\n\n{match[2]}", text)


def year_of_the_license() -> str:
    """Return the year of the copyright."""
    found = re.search(r"Copyright \(c\) (\d{4})", (ROOT / "LICENSE").read_text(encoding="utf-8"))
    assert found is not None
    return found[1]
