"""Both engines under one name, and a schedule's drawing."""

from __future__ import annotations

import os
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from echelon.engine import compiled, reference
from echelon.engine.contract import Scenario
from echelon.model import Instance, Workload
from echelon.policies import policy
from echelon.testing import draw

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.model import Schedule

ENGINES = {"reference": reference.simulate, "compiled": compiled.simulate}


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Callable[[Scenario], Schedule]:
    """Return the `simulate` of one engine; a test that takes this runs once for each."""
    return ENGINES[request.param]


@pytest.fixture
def assert_drawn(engine: Callable[[Scenario], Schedule]) -> Callable[..., None]:
    """Return a call that compares the schedule of (submit, run, processors, request) jobs with a drawing."""

    def compare(words: str, jobs: list[tuple], drawing: str, *, processors: int = 4, **rules: str) -> None:
        submit, run, size, request = zip(*jobs, strict=True)
        table = Workload.from_columns(
            submit_time=submit, run_time=run, processors=size, requested_time=request
        )
        instance = Instance.of(table, processors, estimates=rules.pop("estimates", "raise"))
        drawn = draw(engine(Scenario(instance, policy(words), **rules)))
        assert drawn == dedent(drawing).strip("\n")

    return compare


@pytest.fixture
def data_file() -> Callable[[str], Path]:
    """Return a call that finds a file in the data folders, or skips the test."""

    def find(name: str) -> Path:
        for folder in filter(None, os.environ.get("ECHELON_DATA", "").split(os.pathsep)):
            if (Path(folder) / name).is_file():
                return Path(folder) / name
        pytest.skip(f"{name} is in no folder of ECHELON_DATA")

    return find
