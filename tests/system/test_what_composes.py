"""What composes: every setting on every kind of system is a run that is right, or is refused for a reason."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import echelon as ec
from echelon.engine.compiled import supports
from echelon.errors import EchelonError
from system.columns import COLUMNS, PROCESSORS, Column
from system.invariants import ALWAYS, Diary, Run, jobs_run_as_long_as_they_must
from system.jobs import JOBS, workload
from system.page import PAGE, page, used
from system.reasons import REASONS
from system.rows import VARIANTS, Variant
from system.special import reservations_are_kept

if TYPE_CHECKING:
    from pathlib import Path

    from echelon.model import Hardware, Platform

CELLS = [(variant, column) for variant in VARIANTS for column in COLUMNS.values()]


def name_of(part: Variant | Column) -> str:
    """Return the name of a cell's row or column."""
    return part.name if isinstance(part, Column) else f"{part.row} {part.name}".replace("`", "")


@pytest.fixture(scope="module")
def platforms(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Hardware | Platform]:
    """Return the platforms, each read from its file."""
    folder: Path = tmp_path_factory.mktemp("platforms")
    found = {}
    for number, column in enumerate(COLUMNS.values()):
        file = folder / f"{number}.toml"
        file.write_text(column.platform)
        if column.platform:
            found[column.name] = ec.read_platform(file)
    return found


def asked(variant: Variant, column: Column, policy: str | None, platforms: dict[str, Any]) -> dict[str, Any]:
    """Return the words of a run."""
    words = {"policy": policy, **variant.at.get(column.name, variant.options)}
    machine = {"platform": platforms[column.name]} if column.platform else {"processors": PROCESSORS}
    return {name: value for name, value in words.items() if value is not None} | machine


def run_of(variant: Variant, words: dict[str, Any], **other: Any) -> Run:
    """Return a run with its events."""
    diary = Diary()
    result = ec.simulate(workload(variant.jobs), **words | other, observers=[diary])
    return Run(result, diary, JOBS[variant.jobs], words)


def in_another_engine(run: Run) -> bool:
    """Return whether the compiled engine would make the run if it had no observers."""
    scenario = replace(run.result.scenario, observers=())
    return scenario.multicluster is None and supports(scenario) is None


def is_turn_of(variant: Variant, column: Column) -> bool:
    """Return whether this is the one cell of a row that is run once more by the same engine, unwatched.

    Each row has one, in another column than the row above, so that every column has several.
    """
    runs = [name for name in COLUMNS if name not in variant.refused]
    return column.name == runs[VARIANTS.index(variant) % len(runs)]


def policies(variant: Variant, column: Column) -> tuple[str | None, ...]:
    """Return the policies for each of which a cell is a run."""
    return (None,) if "policy" in variant.options else column.policies or (None,)


@pytest.mark.parametrize(
    ("variant", "column"), [cell for cell in CELLS if cell[1].name not in cell[0].refused], ids=name_of
)
def test_a_cell_is_a_run_that_is_right(variant, column, platforms):
    """No job is lost or early, nothing is held twice, all work is done, and what the row states holds."""
    for policy in policies(variant, column):
        words = asked(variant, column, policy, platforms)
        run = run_of(variant, words)
        for check in ALWAYS:
            check(run)
        jobs_run_as_long_as_they_must(run, unknown=variant.inexact)
        for check, kinds in variant.checks.items():
            if kinds & column.kinds:
                check(run)
        assert ("energy" in run.result.metrics) == ("nodes" in column.kinds)
        if in_another_engine(run) or is_turn_of(variant, column):
            unwatched = ec.simulate(workload(variant.jobs), **words).schedule
            assert unwatched.start_time.tolist() == run.schedule.start_time.tolist()
            assert unwatched.end_time.tolist() == run.schedule.end_time.tolist()
        if words.get("policy") in variant.reserving:
            reservations_are_kept(run, lambda **other: run_of(variant, words, **other))  # noqa: B023


@pytest.mark.parametrize(
    ("variant", "column"), [cell for cell in CELLS if cell[1].name in cell[0].refused], ids=name_of
)
def test_a_cell_is_refused_in_a_sentence(variant, column, platforms):
    """What makes no sense on a system is refused before the run, in a sentence that says why."""
    reason = REASONS[variant.refused[column.name]]
    for policy in policies(variant, column):
        with pytest.raises(EchelonError) as caught:
            ec.simulate(workload(variant.jobs), **asked(variant, column, policy, platforms))
        said = str(caught.value)
        assert any(re.fullmatch(pattern, said) for pattern in reason.said), said


def test_the_page_says_what_the_table_says():
    """The page of the documentation is that which the table makes."""
    assert PAGE.read_text(encoding="utf-8") == page(), "say: python tests/system/page.py"


def test_every_row_has_a_run():
    """No setting is refused everywhere, and no reason is left that no cell has."""
    assert all(len(variant.refused) < len(COLUMNS) for variant in VARIANTS)
    assert used() == list(REASONS)
