"""The page of the matrix, made from its table: ``python tests/system/page.py`` writes it."""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests")] if __name__ == "__main__" else []

from system.columns import COLUMNS  # noqa: E402  (as a script it is not found before)
from system.reasons import REASONS  # noqa: E402
from system.rows import REPORTING, VARIANTS, Variant  # noqa: E402

PAGE = ROOT / "docs" / "reference" / "what-composes.md"
HEAD = """<!-- Made from the tests by `python tests/system/page.py`; change tests/system/rows.py instead. -->

# What composes

Each setting of a run goes with each kind of system, but where that would make no sense. A line of this table
is a setting, a column a system. *Runs* stands for a run that the tests make and check with means of their
own: no processor, core, memory or slot is held twice; no job starts before it is submitted, or before the
jobs that it waits for have ended; each gets exactly the work done that it has, at the speed of its place and
beside its neighbors; energy is the integral of what nodes draw; reservations are kept; and events alone
describe the schedule. A number stands for a run that is refused in a sentence, or has nothing to measure, for
the reason below the table. Further tests draw two or three settings at random and run them together.

The systems are small: one machine of 14 processors, or of 4 nodes; three sites of counted processors; three
of nodes; a multicluster of two clusters, whose shared nodes hold two tasks each; one whose nodes hold a
single task, under EASY and under conservative backfilling, so that reservations can be kept; three
time-shared machines; a tree of a site of counted processors and a group of nodes, of shared nodes and of
time-shared machines, in which a rule for one of these is that of its own inner site; and a grid of two grids,
one of which has a group of its own.
"""
KINDS = {
    "physics": "there is nothing that it could mean",
    "definition": "of the rule or of the system",
    "not yet": "it could run, and does not so far",
}


def page() -> str:
    """Return the text of the page."""
    numbers = {name: place + 1 for place, name in enumerate(used())}
    lines = [HEAD, row("", "", *COLUMNS), row(*("---",) * (len(COLUMNS) + 2))]
    for title, variants in groupby(VARIANTS, key=lambda variant: variant.row):
        for cells, alike in groupby(variants, key=lambda variant: cells_of(variant, numbers)):
            lines.append(row(title, ", ".join(variant.name for variant in alike), *cells))
            title = ""
    lines += [
        row("results" if not place else "", name, *("runs",) * len(COLUMNS))
        for place, name in enumerate(REPORTING)
    ]
    lines += ["", "Reasons:", ""]
    lines += [f"{numbers[name]}. {REASONS[name].words} ({REASONS[name].kind})" for name in numbers]
    kinds = {REASONS[name].kind for name in numbers}
    told = "; ".join(f"*{kind}*: {words}" for kind, words in KINDS.items() if kind in kinds)
    return "\n".join([*lines, "", f"Kinds of reasons: {told}.", ""])


def used() -> list[str]:
    """Return the names of the reasons that some cell has, those of physics and definition first."""
    told = [reason for one in VARIANTS for reason in (*one.refused.values(), *one.unmeasured.values())]
    return [name for name in REASONS if name in told]


def cells_of(variant: Variant, numbers: dict[str, int]) -> tuple[str, ...]:
    """Return what each column says of a line."""
    reasons = {**variant.refused, **variant.unmeasured}
    return tuple(str(numbers[reasons[column]]) if column in reasons else "runs" for column in COLUMNS)


def row(*cells: str) -> str:
    """Return one row of a table."""
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
