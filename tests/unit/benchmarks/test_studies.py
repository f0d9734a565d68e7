"""The benchmark of studies: what is measured is what the page says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType


@pytest.fixture
def studies(script: Callable[[str], ModuleType]) -> ModuleType:
    return script("studies")


def test_cases_are_all_different(studies: ModuleType) -> None:
    """Ten runs a workload, each under another policy or load, and all of them different."""
    found = studies.cases(200)
    assert len({case.spec for case in found}) == 200
    assert len({case.settings["workload"] for case in found}) == 20
    assert {case.settings["policy"].partition(":")[0] for case in found} == {"easy"}


@pytest.mark.slow
def test_everything_is_stored(studies: ModuleType, tmp_path: Path) -> None:
    """A measured study has made every run, each with its four files, and none of its times is nothing."""
    found = studies.measured(20, 2, tmp_path / "out", jobs=50, executor="threads")
    assert (found.runs, len(found.keys)) == (20, 20)
    assert len(list((tmp_path / "out").glob("runs/*/*/*"))) == 80
    assert 0 < found.engine_seconds < found.seconds * found.workers
    assert found.overhead > 0
    assert found.processor_seconds > 0
    assert found.size > 20 * 1000
    assert list(studies.table([found]))[2].startswith("| 20 | 2 | ")
