"""Values are called by the noun that they are: a participle says what happened to them, not what they are."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import echelon

SOURCES = Path(echelon.__file__).parent
UNWANTED = {"drawn", "found", "given", "known", "made", "said", "taken"}
KEPT = {
    ("client/address.py", "given"),
    ("errors.py", "known"),
    ("plotting/policies/critical_difference.py", "found"),
    ("workloads/transform/popular_estimates.py", "known"),
    ("workloads/transform/popular_values.py", "known"),
    *(
        (f"policies/estimators/{name}.py", "said")
        for name in ("average", "corrected", "decisor", "forecast", "hybrid", "recollection", "simulation")
    ),
}
"""Parameters that users may name in their calls, and that a user's own estimator has."""


def unwanted(source: str) -> set[str]:
    """Return the variables and parameters that are called by a participle of the list."""
    parts = list(ast.walk(ast.parse(source)))
    classes = [part for part in parts if isinstance(part, ast.ClassDef)]
    # What classes declare, attributes, columns and keys, is read outside, too.
    declared = {id(part.target) for one in classes for part in one.body if isinstance(part, ast.AnnAssign)}
    names = {part.arg for part in parts if isinstance(part, ast.arg)}
    for part in parts:
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store) and id(part) not in declared:
            names.add(part.id)
    return {name for name in names if name.strip("_") in UNWANTED}


def everywhere() -> set[tuple[str, str]]:
    """Return all of the package, each with its file."""
    return {
        (path.relative_to(SOURCES).as_posix(), name)
        for path in SOURCES.rglob("*.py")
        for name in unwanted(path.read_text(encoding="utf-8"))
    }


@pytest.mark.slow
def test_values_are_nouns() -> None:
    """No variable or parameter has a name of the list, except for public ones; each of these is there."""
    assert everywhere() == KEPT


def test_each_kind_of_name_is_found() -> None:
    """Parameters and variables, also of comprehensions and lambdas, are seen; attributes are not."""
    source = """
def one(found, *, given=1):
    _known = [made for made in found]
    for said in _known:
        self.taken = lambda drawn: drawn

class Row:
    taken: int
"""
    assert unwanted(source) == {"found", "given", "_known", "made", "said", "drawn"}


PREPOSITIONS = {
    *("above", "at", "before", "below", "beside", "between", "by", "during", "for", "from", "in", "into"),
    *("of", "on", "onto", "over", "per", "since", "through", "to", "under", "until", "with", "without"),
}
PARTICIPLES = {"drawn", "given", "held", "known", "made", "said", "seen", "sent", "shown", "taken", "told"}
KEPT_MODULES = {"corrected", "feed", "relaxed", "speed"}
"""Modules that have the name of the rule in them, and nouns that look like participles."""


def is_noun(module: str) -> bool:
    """Return whether the name of a module neither begins with a preposition nor is one participle."""
    if module.partition("_")[0] in PREPOSITIONS:
        return False
    return module in KEPT_MODULES or not (module in PARTICIPLES or re.fullmatch("[a-z]+ed", module))


def test_modules_are_nouns() -> None:
    """No module is called by a preposition or a participle, except for the rules of that name."""
    assert {path.stem for path in SOURCES.rglob("*.py") if not is_noun(path.stem)} == set()


def test_each_kind_of_module_is_found() -> None:
    """Prepositions at the beginning and participles alone are found; adjectives before a noun are not."""
    names = ("in_service", "per_site", "served", "seen", "counted_processors", "time_shared", "relaxed")
    assert [is_noun(name) for name in names] == [False, False, False, False, True, True, True]
