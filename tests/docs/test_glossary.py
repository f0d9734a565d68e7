"""The glossary: its terms, and the commands and rules that they name."""

from __future__ import annotations

import re
from pathlib import Path

import typer

from echelon.cli.commands import app_of
from echelon.experiments.tables.columns import COLUMNS
from echelon.metrics import METRICS
from echelon.model import FIELDS
from echelon.policies import (
    ALLOCATORS,
    DISPATCHERS,
    IMMEDIATE_STRATEGIES,
    PROTOCOLS,
    RESOURCE_ORDERS,
    SEARCHES,
    STRATEGIES,
)
from echelon.policies.backfill import BACKFILLS
from echelon.policies.estimators import ESTIMATORS
from echelon.policies.order import ORDERS
from echelon.policies.preemptive import PREEMPTIVE

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "glossary.md"
LINES = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
HEADS, _, *ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in LINES]
TERMS = [row[0] for row in ROWS]
SPECIFIC = {"raise", "kill", "mpl"}
"""Values of `--estimates`, and a key of contracts in platform files."""


def test_terms_are_unique_and_alphabetical() -> None:
    """A reader finds each of at least sixty terms at one place, in the order of the alphabet."""
    assert len(TERMS) >= 60
    assert len({term.lower() for term in TERMS}) == len(TERMS)
    assert sorted(TERMS, key=str.lower) == TERMS


def test_each_term_is_defined_in_one_sentence() -> None:
    """Each row has all columns, and a definition that is a sentence or two."""
    assert {len(row) for row in ROWS} == {len(HEADS)}
    assert [row[0] for row in ROWS if not re.fullmatch(r"[A-Z].*\.", row[1])] == []
    assert [row[0] for row in ROWS if len(row[1].split()) > 40] == []


def test_most_terms_have_a_word_elsewhere() -> None:
    """The glossary relates Echelon's terms to other systems, and to each of them some."""
    for number, head in enumerate(HEADS[2:], 2):
        assert sum(bool(row[number]) for row in ROWS) >= 20, head
    assert sum(any(row[2:]) for row in ROWS) > 0.8 * len(ROWS)


def known_names() -> set[str]:
    """Return the names of rules, metrics and columns."""
    families = (
        *(ORDERS, BACKFILLS, PREEMPTIVE, ESTIMATORS, SEARCHES, RESOURCE_ORDERS, ALLOCATORS),
        *(STRATEGIES, IMMEDIATE_STRATEGIES, DISPATCHERS, METRICS, COLUMNS, FIELDS),
    )
    named = {one.name for family in families for one in family}
    return named | set(PROTOCOLS) | SPECIFIC


def options() -> set[str]:
    """Return the options of `echelon run` and `echelon compare`."""
    commands = typer.main.get_command(app_of()).commands
    params = [param for name in ("run", "compare") for param in commands[name].params]
    return {word for param in params for word in param.opts}


def test_definitions_name_what_exists() -> None:
    """Each command, option, rule, metric and column that a definition names exists."""
    commands = {f"echelon {name}" for name in typer.main.get_command(app_of()).commands}
    there = commands | options() | known_names()
    named = [(row[0], word) for row in ROWS for word in re.findall(r"`([^`]+)`", row[0] + row[1])]
    missing = [
        (term, word)
        for term, word in named
        if (" ".join(word.split()[:2]) if word.startswith("echelon ") else word) not in there
    ]
    assert missing == []
