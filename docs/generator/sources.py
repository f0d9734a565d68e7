"""The sources that policies and metrics name, from references.bib."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

BIBLIOGRAPHY = Path(__file__).parents[1] / "references.bib"
NO_PAPER = ("a count", "baseline, no paper", "no paper")
"""How a rule says that it has no paper to name."""

_PLACES = ("booktitle", "journal", "school", "publisher")
_ENTRY = re.compile(r"^@\w+\{(\w+),\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"^\s*(\w+)\s*=\s*\{(.*)\},$", re.MULTILINE)


class Source(NamedTuple):
    """One entry of the bibliography."""

    key: str
    authors: tuple[str, ...]
    title: str
    place: str
    year: str

    @property
    def surname(self) -> str:
        """Surname of the first author."""
        return self.authors[0].split(",")[0]


@cache
def sources() -> tuple[Source, ...]:
    """Return all entries, by key."""
    found = []
    for key, content in _ENTRY.findall(BIBLIOGRAPHY.read_text(encoding="utf-8")):
        fields = dict(_FIELD.findall(content))
        place = next(fields[key] for key in _PLACES if key in fields)
        authors = tuple(fields["author"].split(" and "))
        found.append(Source(key, authors, fields["title"], place, fields["year"]))
    return tuple(sorted(found))


def cited(text: str, what: str) -> str:
    """Return the sources `text` of the rule `what`, each linked; ValueError if one is unknown."""
    if not text or text == "none":
        raise ValueError(f"{what} names no source; write the paper, or {' or '.join(map(repr, NO_PAPER))}")
    if text.startswith(NO_PAPER):
        return text
    return "; ".join(_linked(part.strip(), what) for part in text.split(";"))


def page() -> str:
    """Return the list of all sources as Markdown."""
    lines = [_line(source) for source in sources()]
    return "# Sources\n\nAlso as BibTeX: [references.bib](../references.bib).\n\n" + "\n".join(lines)


def _linked(part: str, what: str) -> str:
    for source in sources():
        named = source.surname in part and source.year in part
        if (named and _first_name(part, source.surname)) or (source.key == "sst2011" and "SST" in part):
            return f"[{part}](sources.md#{source.key})"
    raise ValueError(f"{what} names a source that references.bib does not hold: {part!r}")


def _first_name(part: str, surname: str) -> bool:
    """Return whether `surname` is the first capitalized name of a citation such as ``Lifka, JSSPP 1995``."""
    return re.sub(r"^[a-z]+: ", "", part).startswith(surname)


def _line(source: Source) -> str:
    names = [" ".join(reversed(author.split(", "))) for author in source.authors]
    listing = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f'- <a id="{source.key}"></a>{listing}: *{source.title}*. {source.place}, {source.year}.'
