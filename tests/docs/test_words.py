"""Words and phrases that the documents do not use, each with what they say instead."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UNWANTED = {
    # terms
    "told apart": "modeled individually, modeled node by node, distinguished",
    "machines? without queues": "time-shared machine",
    "(grids?|sites|run|runs) without a broker": "decentralized",
    "arrangements?": "decentralized protocol",
    "upper queues?": "global queue",
    "lower queues?": "local queue",
    "owners at (their|the) nodes": "local load",
    "promis(e|es|ed|ing)": "reservation, reserved",
    "(a|each|every|one|next|per) pass(es)?": "scheduling cycle",
    "blindness": "what is not supported, and why",
    "foresee(n|s)?|foresaw": "look-ahead simulation, predicted",
    "oddit(y|ies)|odd in it": "anomaly",
    "jobs waiting for ever|is stuck": "deadlock: jobs that can never start",
    # sentences
    "(of )?one's own": "your own",
    "(one|a \\w+) of your own": "your own",
    "(is|are|was|were|be|being) told": "is described in, is reported, is known",
    "tells? (all|of|on|which|what|how|who|whether)": "shows, describes",
    "said again": "run it again to resume",
    "goes on|went on|gone on|go on (from|where|with|to)": "resumes, continues",
    "go(es|ing)? by": "follows, uses, in the order of",
    "by plan": "as planned, planned",
    "besides": "also, in addition",
    "anew": "again",
    "for ever": "forever",
    "can not": "cannot",
    "(is|are) no (number|text)": "is not a number, is not text",
    "nobody|everybody|whoever|somebody|anybody": "no job, every site, a user",
    "who (may|is|does|gets|had|has|waits?|runs?|holds?|knows?|can|took|takes)": "which job, which site",
    "counts more than the same": "overrides",
    "and leave": "and exit",
    # heads of tables and labels of metrics
    "thrown away": "wasted",
    "used share": "utilization",
    "make-span": "makespan",
    "its deviation": "standard deviation",
    "if not said": "default",
    # titles
    "(studies|study|thesis), run again": "reproduced",
    "what came (of|out)": "results",
    "how far to trust": "validation",
    "what a simulation can tell": "validity and limitations",
}
"""Regular expressions of unwanted phrases, without regard to case, and what to write instead.

To hold docstrings, help and messages of `src` to the list, too, call `unwanted` with their text.
"""
ALLOWED = {
    "docs/explanation/topologies.md": ("arrangement",),
}
"""Phrases that a page may have: here the name that a paper gives to the links of a network."""
NOT_WRITTEN = ("docs/decisions/", "docs/studies/", "docs/reference/")
"""Decisions keep their text; the other pages are generated from the code or from the outcome of a run."""
WRITTEN = ("docs/reference/glossary.md", "docs/reference/errors.md")
"""Pages of the reference that are written by hand."""
QUOTED = re.compile(
    r"^```.*?^```$|<!-- \w+: made from.*?<!-- end of \w+ -->|<!--.*?-->|`[^`]+`|\]\([^)]*\)|^    \S[^\n]*$",
    re.MULTILINE | re.DOTALL,
)
"""Fenced blocks, generated tables, comments, inline code, targets of links, formulas."""


def name_of(page: Path) -> str:
    """Return the path below the root of the repository."""
    return page.relative_to(ROOT).as_posix()


def pages() -> list[Path]:
    """Return the pages that people write."""
    documents = [page for page in (ROOT / "docs").rglob("*.md") if not name_of(page).startswith(NOT_WRITTEN)]
    return [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *sorted(documents),
        *(ROOT / page for page in WRITTEN),
    ]


def prose(text: str) -> str:
    """Return Markdown without what it quotes, each line where it was."""
    return QUOTED.sub(lambda match: "\n" * match[0].count("\n"), text)


def unwanted(text: str, allowed: tuple[str, ...] = ()) -> list[str]:
    """Return each unwanted phrase of a text, with its line and what to write instead."""
    problems = []
    for phrase, better in UNWANTED.items():
        pattern = rf"\b(?:{phrase})(?!\w)".replace(" ", r"\s+")
        for match in re.finditer(pattern, text, re.IGNORECASE):
            words = " ".join(match[0].split())
            if words.lower() not in allowed:
                problems.append(
                    f"line {text.count(chr(10), 0, match.start()) + 1}: {words!r}; write {better}"
                )
    return problems


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_a_page_uses_the_words_of_the_field(page: Path) -> None:
    """No page has a word or phrase of the list; the message says what to write instead."""
    problems = unwanted(prose(page.read_text(encoding="utf-8")), ALLOWED.get(name_of(page), ()))
    assert not problems, "\n".join([name_of(page), *problems])


def test_the_list_finds_what_it_should() -> None:
    """A phrase is found across lines and in capitals, but not in code or within another word."""
    assert unwanted("Nodes are told\napart here") == [
        f"line 1: 'told apart'; write {UNWANTED['told apart']}",
        f"line 1: 'are told'; write {UNWANTED['(is|are|was|were|be|being) told']}",
    ]
    assert unwanted("ANEW") != []
    assert unwanted("renewed") == []
    assert unwanted(prose("`anew` and\n```text\nanew\n```\n")) == []


def test_every_exception_is_needed() -> None:
    """A phrase that a page may have is one that it has."""
    for name, phrases in ALLOWED.items():
        text = prose((ROOT / name).read_text(encoding="utf-8"))
        assert all(phrase in text for phrase in phrases), name
