"""What composes: several settings of the matrix at once, those that once went wrong and others at random."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Any

import pytest

import echelon as ec
from budgets import IN_FULL
from echelon.errors import InputError
from system.columns import COLUMNS, PROCESSORS, Column
from system.invariants import ALWAYS, Diary, Run, jobs_run_as_long_as_they_must
from system.jobs import JOBS, workload
from system.rows import VARIANTS
from system.special import energy_adds_up

if TYPE_CHECKING:
    from pathlib import Path

ONCE_WRONG: tuple[tuple[str, str, dict[str, Any]], ...] = (
    # Copies of a job that was cut were made again and again, and it never ended.
    ("time-shared", "forty in a graph", {"broker": "wqr:replicas=2", "estimates": "kill"}),
    # What was planned ahead kept reservations for which there was no power.
    ("grid of nodes", "forty tasks", {"policy": "conservative", "power_cap": 190, "broker": "mct"}),
    # The job that ended was not the one that had been planned again when it joined.
    ("mixed tree", "forty", {"policy": "easy", "estimator": "sdpn"}),
    # Observers heard of each start below two controllers twice.
    ("mixed tree", "forty", {"policy": "easy", "global_queue": "fcfs", "queue_limit": 2}),
    # A start that the next cycle of the instant takes back never happened.
    ("grid", "forty", {"policy": "srtf:switch=1", "global_queue": "b.rs", "queue_limit": 2}),
    ("one machine", "forty in a graph", {"policy": "srtf:switch=1", "cycles": "pyss", "estimator": "smith"}),
    # Suspensions at some sites and copies at others were not distinguished.
    ("mixed tree", "forty", {"policy": "srtf:switch=1", "broker": "ml@campus/desks=wqr:replicas=2"}),
)
"""A column, jobs and settings."""

REFUSED_ONCE_WRONG = (
    (
        "grid of nodes",
        {"policy": "slack", "sharing": "fair"},
        "sharing: fair lets jobs start on fewer cores than tasks, which 'slack' cannot plan with; choose "
        "none, first-fit or easy",
    ),
    (
        "grid",
        {"policy": "srtf", "global_queue": "backfilling", "queue_limit": 0},
        "policy: planned schedules are asked for, but 'srtf' does not declare that it is predictable, as "
        "none, first-fit, easy, conservative, plan do; choose another policy, or a global queue and a queue "
        "limit that need no forecasts",
    ),
)
"""A column, settings, and the sentence that came too late or not at all."""

RANDOM = 200 if IN_FULL else 16
"""Combinations that are tried on each column."""


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Return the words of each column's machine."""
    folder: Path = tmp_path_factory.mktemp("platforms")
    found: dict[str, dict[str, Any]] = {}
    for column in COLUMNS.values():
        file = folder / f"{column.name}.toml"
        file.write_text(column.platform, encoding="utf-8")
        found[column.name] = (
            {"platform": ec.read_platform(file)} if column.platform else {"processors": PROCESSORS}
        )
    return found


def assert_is_right(jobs: str, words: dict[str, Any], unknown: frozenset[str]) -> None:
    """Assert that a run holds what every run of the matrix holds, and has finite measures."""
    diary = Diary()
    told = {name: value for name, value in words.items() if name not in {"platform", "processors"}}
    run = Run(ec.simulate(workload(jobs), **words, observers=[diary]), diary, JOBS[jobs], told)
    for check in ALWAYS:
        check(run)
    jobs_run_as_long_as_they_must(run, unknown=unknown)
    assert all(math.isfinite(value) for value in run.result.metrics.values())
    if run.rows:
        energy_adds_up(run)


@pytest.mark.parametrize(("column", "jobs", "words"), ONCE_WRONG)
def test_what_once_went_wrong_is_right(column, jobs, words, machines):
    """Settings that each went well alone, and not together."""
    assert_is_right(jobs, words | machines[column], frozenset())


@pytest.mark.parametrize(("column", "words", "sentence"), REFUSED_ONCE_WRONG)
def test_what_does_not_go_together_is_refused(column, words, sentence, machines):
    """In the sentence that one machine says, and not in an error of the rule."""
    with pytest.raises(InputError) as caught:
        ec.simulate(workload("tasks"), **words, **machines[column])
    assert str(caught.value) == sentence


def combinations(column: Column) -> list[tuple[str, dict[str, Any], frozenset[str]]]:
    """Return jobs, settings, and the kinds of leaves where run times are not worked out; always the same."""
    draw = random.Random(column.name)
    there = [variant for variant in VARIANTS if column.name not in variant.refused]
    found = []
    for _ in range(RANDOM):
        drawn = draw.sample(there, draw.choice((2, 2, 3)))
        words: dict[str, Any] = {"policy": column.policies[0] if column.policies else None}
        for variant in drawn:
            words |= variant.at.get(column.name, variant.options)
        unknown = frozenset[str]().union(*(variant.inexact for variant in drawn))
        if "execution" in words:
            # Of tasks that are suspended, another may be the slowest after each resumption.
            unknown |= {"nodes"}
        jobs = draw.choice(drawn).jobs
        found.append((jobs, {name: value for name, value in words.items() if value is not None}, unknown))
    return found


@pytest.mark.parametrize("column", COLUMNS.values(), ids=lambda column: column.name)
def test_settings_go_together_or_are_refused_before_the_run(column, machines):
    """Two or three settings at random are a run that is right, or one sentence about the input; most run."""
    runs = 0
    for jobs, words, unknown in combinations(column):
        try:
            assert_is_right(jobs, words | machines[column.name], unknown)
        except InputError:
            continue
        runs += 1
    assert runs > RANDOM / 2
