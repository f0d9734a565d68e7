"""The reference pages that are made from the code."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from echelon import errors
from echelon.experiments.columns import COLUMNS
from echelon.experiments.simulation import simulate
from echelon.model import Workload

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[2]
GENERATOR = ROOT / "docs" / "generator"


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(GENERATOR))
    for name in ("pages", "docstrings", "sources"):
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
        pages._unit("mean_wait", "hours")


def test_a_time_without_unit_is_refused(pages: ModuleType) -> None:
    """A column whose name says time can not go without its unit."""
    with pytest.raises(ValueError, match="start_time needs a unit"):
        pages._unit("start_time", "")


def test_a_parameter_without_unit_is_refused(pages: ModuleType) -> None:
    """A parameter of a model has a unit, if only 1."""
    with pytest.raises(ValueError, match="parameter pa of lublin needs a unit"):
        pages._parameter_unit("lublin", "pa", "")
    assert pages._parameter_unit("lublin", "pa", "1") == "1"


def test_a_missing_summary_is_refused(pages: ModuleType) -> None:
    """A rule that does not say what it is stops the generation."""
    with pytest.raises(ValueError, match="my-rule has no text"):
        pages._summary("my-rule", " ")


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


@pytest.mark.parametrize("estimates", ["raise", "kill", "exact"])
def test_the_table_of_columns_is_that_of_a_result(estimates: str) -> None:
    """COLUMNS lists the columns of result.jobs, in their order, and says when one is there."""
    workload = Workload.from_columns(submit_time=[0], run_time=[20], requested_time=[10], processors=[1])
    result = simulate(workload, processors=1, estimates=estimates)
    expected = [c.name for c in COLUMNS if not c.only or estimates in c.only]
    assert result.jobs.columns == expected


def test_every_error_is_on_the_page_of_errors() -> None:
    """docs/reference/errors.md names every exception class of echelon.errors."""
    page = (ROOT / "docs" / "reference" / "errors.md").read_text(encoding="utf-8")
    kinds = [
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, errors.EchelonError)
    ]
    assert [name for name in kinds if f"`{name}`" not in page] == []
