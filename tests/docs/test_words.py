"""Words and phrases that documents and source do not use, each with what to write instead."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).parents[2]
HELD_ROOMS = (
    ".",
    "analysis",
    "availability",
    "backends",
    "cli",
    "client",
    "databases",
    "engine",
    "execution",
    "experiments",
    "history",
    "libraries",
    "metrics",
    "model",
    "platforms",
    "plotting",
    "policies",
    "portal",
    "reports",
    "reproduce",
    "rules",
    "service",
    "testing",
    "workloads",
)
"""Rooms of the package whose docstrings, comments and messages are held to the list; ``.`` is its top."""
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
}
"""Phrases that a page may have: here the name that a paper gives to the links of a network."""
ALLOWED_IN_SOURCE = {
    "benchmarks/report_page.py": ("promise",),
    "docs/pictures/take.py": ("promise",),
    "docs/pictures/take_live.py": ("promise",),
    "src/echelon/backends/slurm/answers.py": ("can not",),
    "src/echelon/engine/compiled/grid/simulate.py": ("foreseen",),
    "src/echelon/engine/immediate/machine.py": ("and leave",),
    "src/echelon/policies/__init__.py": ("arrangement", "arrangements"),
    "src/echelon/experiments/folders/manifest.py": ("oddities",),
    "src/echelon/experiments/study/store/run_files.py": ("oddities",),
    "src/echelon/experiments/summaries/description.py": ("oddities",),
    "src/echelon/model/__init__.py": ("nobody", "oddity"),
    "src/echelon/model/topology/dragonfly.py": ("arrangement", "arrangements"),
    "src/echelon/reports/checks.py": ("oddities",),
    "src/echelon/reports/facts.py": ("oddities",),
    "src/echelon/workloads/synthetic/parameter.py": ("besides",),
}
"""Phrases that a file may have: keys of stored files, public and earlier names, terms of papers and code."""
NOT_WRITTEN = ("docs/decisions/", "docs/studies/")
"""Decisions keep their text; pages on studies are what a run of all studies said."""
SCRIPTS = ("benchmarks", "docs/generator", "docs/pictures", "examples", "tests/system")
"""Folders outside of the package whose texts are shown to people, or from which pages are made."""
PAGE_FILES = ("src/echelon/reports/page", "src/echelon/service/page", "docs/theme", "examples")
"""Folders of what browsers show, and of files that users start from."""
PAGE_ENDINGS = {".css", ".html", ".js", ".md", ".toml"}
NAMES_OF_JAVASCRIPT = re.compile(r"\bPromise\b")
QUOTED = re.compile(
    r"^```.*?^```$|<!-- \w+: made from.*?<!-- end of \w+ -->|<!--.*?-->|`[^`]+`|\]\([^)]*\)|^    \S[^\n]*$",
    re.MULTILINE | re.DOTALL,
)
"""Fenced blocks, generated tables, comments, inline code, targets of links, formulas."""
INLINE_CODE = re.compile(r"``[^`]*``|`[^`]+`")


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
    ]


def prose(text: str) -> str:
    """Return Markdown without what it quotes, each line where it was."""
    return QUOTED.sub(lambda match: "\n" * match[0].count("\n"), text)


def prose_of(source: str) -> Iterator[str]:
    """Yield the docstrings and other texts of a Python source, then its comments, without inline code."""
    tree = ast.parse(source)
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield INLINE_CODE.sub("", "".join(_text_of(part) for part in node.values))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield INLINE_CODE.sub("", node.value)
    if "#" not in source:
        return
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = [token for token in tokens if token.type == tokenize.COMMENT]
    yield INLINE_CODE.sub("", "\n".join(token.string.removeprefix("#").strip() for token in comments))


def _text_of(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else "X"


def files_of(room: str) -> list[Path]:
    """Return the Python files of a room of the package; ``.`` is its top."""
    package = ROOT / "src" / "echelon"
    return sorted(package.glob("*.py") if room == "." else (package / room).rglob("*.py"))


def pattern(phrases: Iterable[str]) -> str:
    """Return the regular expression of any of these phrases as words, which may be on several lines."""
    return rf"\b(?:{'|'.join(phrases)})(?!\w)".replace(" ", r"\s+")


ANY_OF_THEM = re.compile(pattern(UNWANTED))
"""In lower case: most texts are searched once, not once for each phrase."""


def unwanted(text: str, allowed: tuple[str, ...] = ()) -> list[str]:
    """Return each unwanted phrase of a text, with its line and what to write instead."""
    problems: list[str] = []
    if not ANY_OF_THEM.search(text.lower()):
        return problems
    for phrase, better in UNWANTED.items():
        for match in re.finditer(pattern([phrase]), text, re.IGNORECASE):
            words = " ".join(match[0].split())
            if words.lower() not in allowed:
                problems.append(
                    f"line {text.count(chr(10), 0, match.start()) + 1}: {words!r}; write {better}"
                )
    return problems


def unwanted_in(prose: Iterable[str], name: str) -> list[str]:
    """Return each unwanted phrase of the texts of a file, with its line in the text."""
    texts, allowed = list(prose), ALLOWED_IN_SOURCE.get(name, ())
    # All at once: no phrase spans two texts.
    if not unwanted("\n\0\n".join(texts), allowed):
        return []
    return [problem for text in texts for problem in unwanted(text, allowed)]


def test_every_text_of_a_file_is_searched() -> None:
    """A phrase is found in whichever text of a file it is; one that two texts would make together is not."""
    assert unwanted_in(["good", "said", "anew\nand then anew"], "") == [
        "line 1: 'anew'; write again",
        "line 2: 'anew'; write again",
    ]
    assert not unwanted_in(["it is by", "plan"], "")


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_a_page_uses_the_words_of_the_field(page: Path) -> None:
    """No page has a word or phrase of the list; the message says what to write instead."""
    problems = unwanted(prose(page.read_text(encoding="utf-8")), ALLOWED.get(name_of(page), ()))
    assert not problems, "\n".join([name_of(page), *problems])


@pytest.mark.parametrize("folder", SCRIPTS)
def test_scripts_have_no_unwanted_words(folder: str) -> None:
    """No docstring, comment or message of what makes pages, or of an example, has a phrase of the list."""
    files = sorted((ROOT / folder).rglob("*.py"))
    assert files
    problems = [
        f"{name_of(file)}: {problem}"
        for file in files
        for problem in unwanted_in(prose_of(file.read_text(encoding="utf-8")), name_of(file))
    ]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("folder", PAGE_FILES)
def test_page_files_have_no_unwanted_words(folder: str) -> None:
    """No sentence, comment or name of a page, or of an example's file, has a phrase of the list."""
    files = sorted(file for file in (ROOT / folder).rglob("*") if file.suffix in PAGE_ENDINGS)
    assert files
    texts = [(name_of(file), NAMES_OF_JAVASCRIPT.sub("", file.read_text(encoding="utf-8"))) for file in files]
    problems = [f"{name}: {problem}" for name, text in texts for problem in unwanted(text)]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("room", HELD_ROOMS)
def test_source_text_has_no_unwanted_words(room: str) -> None:
    """No docstring, comment or message of a room has a word or phrase of the list."""
    problems = [
        f"{name_of(file)}: {problem}"
        for file in files_of(room)
        for problem in unwanted_in(prose_of(file.read_text(encoding="utf-8")), name_of(file))
    ]
    assert files_of(room)
    assert not problems, "\n".join(problems)


def test_prose_of_source_leaves_out_code() -> None:
    """Texts, f-strings and comments are prose; names, inline code and what fills an f-string are not."""
    source = 'besides = 1  # said anew\n"""Goes by `anew`."""\nf"one of your own {anew!r}"\n'
    assert [len(unwanted(text)) for text in prose_of(source)] == [1, 1, 1]


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
    for name, phrases in ALLOWED_IN_SOURCE.items():
        text = " ".join(" ".join(prose_of((ROOT / name).read_text(encoding="utf-8"))).lower().split())
        assert all(phrase in text for phrase in phrases), name
