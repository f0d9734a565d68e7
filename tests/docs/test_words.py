"""Words and phrases that the documents do not use, each with the one they use instead."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
INSTEAD = {
    # terms
    "told apart": "modeled individually, modeled node by node, distinguished",
    "machines? without queues": "time-shared machine",
    "(grids?|sites|run|schedul\\w+) without a broker of": "decentralized",
    "arrangements?": "decentralized protocol",
    "upper queues?": "global queue",
    "owners at (their|the) nodes": "local load",
    "promis(e|es|ed|ing)": "reservation, reserved",
    "passes": "scheduling cycles",
    "belie(f|fs) of": "the broker's own schedule, the planned grid state",
    "odd(ity|ities)?( in it)?": "anomaly",
    # sentences that must be read twice
    "(of )?one's own": "your own",
    "(is|are|was|were|be) told": "is described in, is reported, is known",
    "tells? (all|of|on)": "shows, describes",
    "said again": "run it again to resume",
    "(go|goes|going|gone|went) on (where|from there|with)": "resume, continue",
    "go(es|ing)? by": "follows, uses, in the order of",
    "by plan": "as planned, planned",
    "besides": "also, in addition",
    "anew": "again",
    "for ever": "forever",
    "can not": "cannot",
    "is no (number|text)": "is not a number, is not text",
    "nobody|everybody|whoever|somebody|anybody": "no job, every site, a user",
    "who (may|is|does|gets|had|has|waits?|runs?|holds?|knows?|can)": "which job, which site",
    # heads of tables and metrics
    "thrown away": "wasted",
    "used share": "utilization",
    "make-span": "makespan",
    "its deviation": "standard deviation",
    "last end of a run": "last completion",
    "if not said": "default",
    # titles
    "run again$": "reproduced",
    "what came of": "results",
}
"""Regular expressions of what is not written, without regard to case, and what to write instead.

To hold other texts to the list (docstrings, help, messages), add their folders to `TEXTS` below with a function
that returns the text of a file.
"""
SKIPPED = ("docs/decisions/", "docs/studies/", "docs/reference/")
"""Decisions record what was said; the other pages are generated, from the code or from the outcome of a run."""
WRITTEN = ("docs/reference/glossary.md", "docs/reference/errors.md")
"""Pages of the reference that are written by hand."""
PHRASES = {
    "who is": ("docs/how-to/datasets.md",),
}
"""Phrases allowed on some pages, where they are about people."""


def prose(text: str) -> str:
    """Return Markdown without what is quoted: fenced blocks, inline code, addresses of links, comments."""
    for quoted in (r"^```.*?^```$", r"<!--.*?-->", r"`[^`\n]+`", r"\]\([^)]*\)", r"^    \S.*$"):
        text = re.sub(quoted, "", text, flags=re.MULTILINE | re.DOTALL if "```" in quoted else re.MULTILINE)
    return text


def pages() -> list[Path]:
    """Return the pages that people write."""
    documents = [page for page in sorted((ROOT / "docs").rglob("*.md")) if not name_of(page).startswith(SKIPPED)]
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *documents, *(ROOT / page for page in WRITTEN)]


def name_of(page: Path) -> str:
    """Return the path below the root of the repository."""
    return page.relative_to(ROOT).as_posix()


def found(text: str) -> list[str]:
    """Return each unwanted phrase of a text, with its line and what to write instead."""
    return [
        f"line {text[: match.start()].count(chr(10)) + 1}: {' '.join(match[0].split())!r}; write {better}"
        for phrase, better in INSTEAD.items()
        for match in re.finditer(rf"\b(?:{phrase})(?!\w)".replace(" ", r"\s+"), text, re.IGNORECASE | re.MULTILINE)
    ]


def kept_lines(text: str) -> str:
    """Return the prose of a page with its lines where they were."""
    return re.sub(
        r"^```.*?^```$|<!--.*?-->|`[^`]+`|\]\([^)]*\)|^    \S[^\n]*$",
        lambda match: "\n" * match[0].count("\n"),
        text,
        flags=re.MULTILINE | re.DOTALL,
    )


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_a_page_uses_the_words_of_the_field(page: Path) -> None:
    """No page has a word or phrase of the list; the message says what to write instead."""
    problems = found(kept_lines(page.read_text(encoding="utf-8")))
    assert not problems, "\n".join([name_of(page), *problems])


def test_the_list_finds_what_it_should() -> None:
    """A phrase is found across lines and in capitals, and not in code or in words that contain it."""
    assert found("Nodes are told\napart here") != []
    assert found("ANEW") != []
    assert found("renewed") == []
    assert found(kept_lines("`anew` and\n```text\nanew\n```\n")) == []
