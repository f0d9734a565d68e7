"""Words and phrases that documents and source do not use, each with what they say instead."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HELD_ROOMS = (
    "cli",
    "engine",
    "execution",
    "history",
    "libraries",
    "policies",
    "portal",
    "rules",
    "testing",
)
"""Rooms of `src/echelon` whose docstrings, comments and messages are held to the list, too."""
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
"""Regular expressions of unwanted phrases, without regard to case, and what to write instead."""
ALLOWED = {
    "docs/explanation/topologies.md": ("arrangement",),
    "src/echelon/engine/immediate/machine.py": ("and leave",),
    "src/echelon/engine/multicluster/global_queue_view.py": ("and leave",),
    "src/echelon/engine/multicluster/rates.py": ("and leave",),
    "src/echelon/engine/multicluster/system.py": ("and leave",),
}
"""Phrases that a page or a file may have: the name that a paper gives to the links of a network, and jobs
that enter and leave a queue."""
NOT_WRITTEN = ("docs/decisions/", "docs/studies/", "docs/reference/")
"""Decisions keep their text; the other pages are generated from the code or from the outcome of a run."""
WRITTEN = ("docs/reference/glossary.md", "docs/reference/errors.md")
"""Pages of the reference that are written by hand."""
QUOTED = re.compile(
    r"^```.*?^```$|<!-- \w+: made from.*?<!-- end of \w+ -->|<!--.*?-->|`[^`]+`|\]\([^)]*\)|^    \S[^\n]*$",
    re.MULTILINE | re.DOTALL,
)
"""Fenced blocks, generated tables, comments, inline code, targets of links, formulas."""
INLINE = re.compile(r"``[^`]*``|`[^`]*`")
"""Inline code of docstrings."""


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


def sources() -> list[Path]:
    """Return the files of the rooms that are held to the list."""
    folder = ROOT / "src" / "echelon"
    return [file for room in HELD_ROOMS for file in sorted((folder / room).rglob("*.py"))]


def source_prose(text: str) -> str:
    """Return docstrings, comments and strings of several words, each on its line, without inline code.

    Of an f-string only the text counts. A line of code in between ends a phrase.
    """
    parts: dict[int, str] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value.strip():
            parts[node.lineno] = f"{parts.get(node.lineno, '')} | {node.value}"
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            own_line = not token.line[: token.start[1]].strip()
            words = token.string.lstrip("# ")
            parts[token.start[0]] = words if own_line else f"{parts.get(token.start[0], '')} | {words} |"
    lines, line = [], 1
    for start, words in sorted(parts.items()):
        lines.append("\n" * (start - line) if start > line else " | ")
        lines.append(INLINE.sub(lambda match: "\n" * match[0].count("\n"), words))
        line = max(start, line) + words.count("\n")
    return "".join(lines)


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


@pytest.mark.parametrize("room", HELD_ROOMS)
def test_a_room_uses_the_words_of_the_field(room: str) -> None:
    """No docstring, comment or message of a room has a word or phrase of the list, file by file."""
    problems = [
        f"{name_of(file)}, {problem}"
        for file in sources()
        if file.is_relative_to(ROOT / "src" / "echelon" / room)
        for problem in unwanted(
            source_prose(file.read_text(encoding="utf-8")), ALLOWED.get(name_of(file), ())
        )
    ]
    assert not problems, "\n".join(problems)


def test_every_kind_of_text_in_source_is_read() -> None:
    """A phrase is found in docstrings, comments, messages and f-strings, on its line, but not in code."""
    source = (
        'def f(x):\n    """Sort\n    anew `besides`."""\n    # for\n    # ever\n'
        '    anew = 1  # is told\n    return f"{x.anew} goes by {anew}" "besides"\n'
    )
    assert [problem.split(";")[0] for problem in unwanted(source_prose(source))] == [
        "line 6: 'is told'",
        "line 7: 'goes by'",
        "line 3: 'anew'",
        "line 4: 'for ever'",
    ]


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
        text = (ROOT / name).read_text(encoding="utf-8")
        text = source_prose(text) if name.endswith(".py") else prose(text)
        assert all(phrase in text for phrase in phrases), name
