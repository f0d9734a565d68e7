"""The engine asks rules what they declare: a subclass of a built-in rule, or a copy of one, runs as it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import echelon as ec
from echelon.families import FAMILIES
from echelon.policies.backfill import BACKFILLS
from echelon.policies.broker.registry import STRATEGIES
from echelon.policies.preemptive import PREEMPTIVE

SOURCES = Path(ec.__file__).parent
ROOMS = ("engine", "metrics", "reports")
CLASSES = {
    rule.__name__
    for name in FAMILIES.names
    for known in FAMILIES.named(name).lists
    for rule in known
    if isinstance(rule, type)
}
JOBS = ec.generate("lublin", 30, processors=32, seed=5)
GRID = ec.read_platform("grid3")


def asked(file: Path) -> set[str]:
    """Return the names that a file asks things to be an instance of."""
    calls = (
        node
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("isinstance", "issubclass")
    )
    return {one.id for call in calls for one in ast.walk(call.args[1]) if isinstance(one, ast.Name)}


@pytest.mark.slow
def test_no_room_asks_for_the_class_of_a_rule():
    """Of the reference engine, metrics and reports; kernels have tables of the classes that they hold."""
    files = [
        file for room in ROOMS for file in (SOURCES / room).rglob("*.py") if "compiled" not in file.parts
    ]
    assert len(files) > 100
    assert {file.name: names for file in files if (names := asked(file) & CLASSES)} == {}


def own(folder: Path, rule: type) -> str:
    """Return the spec of a subclass of a rule in a file of a user's own."""
    path = folder / "mine.py"
    path.write_text(
        f"from {rule.__module__} import {rule.__name__}\n\n\nclass Mine({rule.__name__}):\n    pass\n"
    )
    return f"{path}:Mine"


def starts(**settings: object) -> list[float]:
    """Return the starts of the jobs in the reference engine."""
    made: list[float] = ec.simulate(JOBS, engine="reference", **settings).jobs["start_time"].to_list()
    return made


@pytest.mark.parametrize("name", [*BACKFILLS.names, *PREEMPTIVE.names])
def test_a_subclass_of_a_scheduler_schedules_as_it(name, tmp_path):
    """Every backfilling and preemptive scheduler, on a machine."""
    rule = (BACKFILLS if name in BACKFILLS.names else PREEMPTIVE).named(name)
    assert starts(policy=own(tmp_path, rule), processors=32) == starts(policy=name, processors=32)


@pytest.mark.parametrize("name", STRATEGIES.names)
def test_a_subclass_of_a_broker_chooses_as_it(name, tmp_path):
    """Every broker of a grid; one that draws draws the same."""
    mine = own(tmp_path, STRATEGIES.named(name))
    assert starts(policy="easy", platform=GRID, broker=mine) == starts(
        policy="easy", platform=GRID, broker=name
    )
