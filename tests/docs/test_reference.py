"""The reference pages that are made from the code."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from echelon import errors
from echelon.experiments import scenario_file
from echelon.experiments.settings.table import SETTINGS
from echelon.experiments.simulation import simulate
from echelon.experiments.tables.columns import COLUMNS, Column
from echelon.metrics import METRICS
from echelon.model import FIELDS, Workload
from echelon.policies import (
    ALLOCATORS,
    DISPATCHERS,
    IMMEDIATE_STRATEGIES,
    PROTOCOLS,
    RESOURCE_ORDERS,
    SEARCHES,
    STRATEGIES,
    policy_named,
    policy_names,
)
from echelon.policies.order import ORDERS
from echelon.workloads import FORMATS, MODELS

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[2]
GENERATOR = ROOT / "docs" / "generator"


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(GENERATOR))
    for name in ("pages", "docstrings", "sources", "tables", "rules", "rule_tables"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return importlib.import_module("pages")


def test_committed_pages_are_those_the_code_gives() -> None:
    """The pages in docs/reference are what `make docs` would write now."""
    done = subprocess.run(
        [sys.executable, str(GENERATOR), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_an_unknown_unit_is_refused(pages: ModuleType) -> None:
    """A quantity in a unit nobody listed stops the generation."""
    with pytest.raises(ValueError, match="mean_wait needs a unit"):
        pages.unit("mean_wait", "hours")


def test_a_time_without_unit_is_refused(pages: ModuleType) -> None:
    """A column whose name says time cannot go without its unit."""
    with pytest.raises(ValueError, match="start_time needs a unit"):
        pages.unit("start_time", "")


def test_a_parameter_without_unit_is_refused(pages: ModuleType) -> None:
    """A parameter of a model has a unit, if only 1."""
    with pytest.raises(ValueError, match="parameter pa of lublin needs a unit"):
        pages.explicit_unit("parameter pa of lublin", "")
    assert pages.explicit_unit("parameter pa of lublin", "1") == "1"


def test_a_missing_summary_is_refused(pages: ModuleType) -> None:
    """A rule that does not say what it is stops the generation."""
    with pytest.raises(ValueError, match="my-rule has no text"):
        pages.summary("my-rule", " ")


@pytest.mark.parametrize("source", ["", "none", "Nobody, Nowhere 1901"])
def test_a_missing_or_unlisted_source_is_refused(pages: ModuleType, source: str) -> None:
    """A rule must name a source, and references.bib must hold it."""
    with pytest.raises(ValueError, match="my-rule names"):
        pages.sources.cited(source, "my-rule")


def test_a_source_is_found_by_first_author_and_year(pages: ModuleType) -> None:
    """Of two works of one author the year tells, and a second author does not count."""
    linked = pages.sources.cited("Feitelson and Weil, IPPS 1998; Mu'alem and Feitelson, 2001", "easy")
    assert "sources.md#feitelson1998" in linked
    assert "sources.md#mualem2001" in linked


@dataclass(frozen=True)
class Undescribed:
    """A rule of time.

    Parameters
    ----------
    patience : float
        In seconds.
    """

    name = "undescribed"
    source = "Lifka, JSSPP 1995"
    patience: float = 0.0
    forgotten: int = 1


@dataclass(frozen=True)
class WithoutUnit:
    """A rule of time.

    Parameters
    ----------
    patience : float
        How long.
    """

    name = "without-unit"
    source = "Lifka, JSSPP 1995"
    patience: float = 0.0


class Silent:
    name = "silent"
    source = "Lifka, JSSPP 1995"


class Sourceless:
    """A rule without a paper."""

    name = "sourceless"
    source = "none"


def spoiled(thing: object, **fields: object) -> object:
    return replace(thing, **fields)  # type: ignore[type-var]


def silent_rule(job: object, view: object) -> float:
    return 0.0


LISTS = {
    "METRICS": ("metrics.md", "echelon.metrics"),
    "COLUMNS": ("columns.md", "echelon.experiments.tables.columns"),
    "FIELDS": ("columns.md", "echelon.model"),
    "FORMATS": ("formats.md", "echelon.workloads"),
    "ORDERS": ("policies.md", "echelon.policies.order"),
    "BACKFILLS": ("policies.md", "echelon.policies.backfill"),
    "ESTIMATORS": ("policies.md", "echelon.policies.estimators"),
    "MODELS": ("models.md", "echelon.workloads"),
}
"""Each list of things that the reference describes: its page, and where the list is."""

LUBLIN = MODELS[0]

BAD: list[tuple[str, object, str]] = [
    ("METRICS", spoiled(METRICS[2], unit=""), "mean_wait needs a unit"),
    ("METRICS", spoiled(METRICS[7], unit="seconds"), "mean_slowdown needs a unit"),
    ("METRICS", spoiled(METRICS[2], source=""), "mean_wait names no source"),
    ("METRICS", spoiled(METRICS[2], formula=" "), "mean_wait has no text"),
    ("COLUMNS", Column("end_time", "", "when"), "end_time needs a unit"),
    ("COLUMNS", Column("site", "", ""), "site has no text"),
    ("FIELDS", FIELDS[1]._replace(unit=""), "submit_time needs a unit"),
    ("FIELDS", FIELDS[0]._replace(meaning=""), "job_id has no text"),
    ("FORMATS", spoiled(FORMATS[0], summary=""), "swf has no text"),
    ("FORMATS", spoiled(FORMATS[0], source=""), "swf names no source"),
    ("FORMATS", spoiled(FORMATS[0], read=silent_rule), "has no docstring"),
    ("ORDERS", spoiled(ORDERS[0], source="none"), "fcfs names no source"),
    ("ORDERS", spoiled(ORDERS[0], rule=silent_rule), "fcfs has no text"),
    ("BACKFILLS", Silent, "has no docstring"),
    ("BACKFILLS", Sourceless, "sourceless names no source"),
    ("BACKFILLS", Undescribed, "forgotten of undescribed has no text"),
    ("BACKFILLS", WithoutUnit, "patience of without-unit needs a unit"),
    ("ESTIMATORS", Sourceless, "sourceless names no source"),
    ("MODELS", spoiled(LUBLIN, parameters=(spoiled(LUBLIN.parameters[0], unit=""),)), "needs a unit"),
    ("MODELS", spoiled(LUBLIN, source=""), "names no source"),
]


@pytest.mark.parametrize(("listed", "bad", "problem"), BAD, ids=[f"{one[0]}: {one[2]}" for one in BAD])
def test_what_says_too_little_stops_the_generation(
    *, pages: ModuleType, monkeypatch: pytest.MonkeyPatch, listed: str, bad: object, problem: str
) -> None:
    """Put into its list, a thing without text, unit or source makes its page fail, by name."""
    page, room = LISTS[listed]
    assert problem not in pages.PAGES[page]()
    monkeypatch.setattr(importlib.import_module(room), listed, (bad,))
    with pytest.raises(ValueError, match=problem):
        pages.PAGES[page]()


def test_a_key_of_scenario_files_without_description_stops_the_generation(
    pages: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key of scenario files that says nothing of itself makes the page fail."""
    silent = [replace(one, about="") if one.name == "seed" else one for one in SETTINGS]
    monkeypatch.setattr(scenario_file, "SETTINGS", silent)
    with pytest.raises(ValueError, match="seed has no text"):
        pages.PAGES["scenario.md"]()


def listed(heading: str) -> list[str]:
    """Return the first cells of the tables below a heading of the page of all rules."""
    page = (ROOT / "docs" / "reference" / "rules.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `([^`]+)`", page.split(f"## {heading}\n")[1].split("\n## ")[0], re.MULTILINE)


def test_the_page_of_rules_lists_every_policy() -> None:
    """Every policy that can be named, by its canonical name, stands in the tables of all rules."""
    canonical = {word for word in policy_names() if policy_named(word).name == word} | {"none"}
    assert sorted(listed("Policies")) == sorted(canonical)


def test_the_page_of_rules_lists_every_broker() -> None:
    """Every broker and every decentralized protocol stands in the tables of all rules."""
    kinds = (*STRATEGIES, *IMMEDIATE_STRATEGIES, *DISPATCHERS)
    assert sorted(listed("Brokers and protocols")) == sorted([*(kind.name for kind in kinds), *PROTOCOLS])


def test_the_page_of_rules_lists_every_placement() -> None:
    """Every node search, resource order and allocator stands in the tables of all rules."""
    kinds = (*SEARCHES, *RESOURCE_ORDERS, *ALLOCATORS)
    assert sorted(listed("Placements")) == sorted(kind.name for kind in kinds)


def test_a_readme_without_marks_is_refused(pages: ModuleType) -> None:
    """Without its marks the README's tables could not be kept up to date."""
    with pytest.raises(ValueError, match="needs the lines"):
        pages.rule_tables.with_tables("# Echelon")


def test_the_floors_are_those_of_the_imports(pages: ModuleType) -> None:
    """A room stands above every room that it imports, and the command line above all but its own start."""
    architecture = importlib.import_module("architecture")
    for room, below in architecture.rooms().items():
        assert all(architecture.floor(other) < architecture.floor(room) for other in below)
    highest = sorted(architecture.rooms(), key=architecture.floor)[-2:]
    assert highest == ["cli", "__main__"]
    assert "model" in architecture.rooms()["engine"]


def test_the_readme_is_short() -> None:
    """The README has at most 130 lines, so that a newcomer reads all of it."""
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 130


@pytest.mark.parametrize("estimates", ["raise", "kill", "exact"])
def test_the_table_of_columns_is_that_of_a_result(estimates: str) -> None:
    """COLUMNS lists the columns of result.jobs, in their order, and says when one is there."""
    workload = Workload.from_columns(submit_time=[0], run_time=[20], requested_time=[10], processors=[1])
    result = simulate(workload, processors=1, estimates=estimates)
    expected = [c.name for c in COLUMNS if not c.only or estimates in c.only]
    assert result.jobs.columns == expected


def test_every_error_is_on_the_page_of_errors() -> None:
    """docs/reference/errors.md names every exception class of echelon.errors by its present name."""
    page = (ROOT / "docs" / "reference" / "errors.md").read_text(encoding="utf-8")
    kinds = [
        value.__name__
        for value in vars(errors).values()
        if isinstance(value, type) and issubclass(value, errors.EchelonError)
    ]
    assert [name for name in kinds if f"`{name}`" not in page] == []
