"""How far a study has come, from its log and the times of its files."""

import os
import shutil
import time

import pytest
from tests.unit.experiments.study.stores import HandMade

from echelon.experiments.study.results.stored_results import read_study_results
from echelon.experiments.study.run.pace import Pace, pace_of

NOW = 1.75e9


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """Let it be always the same moment."""
    monkeypatch.setattr(time, "time", lambda: NOW)


def aged(made, labels, seconds):
    """Add a run that was written so many seconds ago."""
    key = made.add(labels, {"jobs": 1})
    then = NOW - seconds
    os.utime(made.folder / "runs" / key[:2] / key / "metrics.json", (then, then))


def test_a_study_that_goes_on(tmp_path):
    """Five runs, a second apart, the last just now: a run a second, and 14 of 20 left."""
    made = HandMade(tmp_path)
    for place in range(5):
        aged(made, {"seed": place}, 5 - place)
    made.fail({"seed": 99})
    found = pace_of(tmp_path, 20)
    assert (found.done, found.failed, found.left, found.is_running) == (5, 1, 14, True)
    assert found.rate == pytest.approx(1.0)
    assert found.seconds_left == pytest.approx(14)


def test_a_study_that_was_stopped(tmp_path):
    """Nothing was written for an hour."""
    made = HandMade(tmp_path)
    for place in range(3):
        aged(made, {"seed": place}, 3600 - place)
    assert not pace_of(tmp_path, 20).is_running


def test_runs_that_were_removed_are_left(tmp_path):
    """Of three runs one has no files any more: two are done, and one is to be run again."""
    made = HandMade(tmp_path, axes=("seed",), outline={"cases": 3})
    keys = [made.add({"seed": place}, {"mean_wait": 1.0}) for place in range(3)]
    shutil.rmtree(tmp_path / "runs" / keys[0][:2] / keys[0])
    pace = read_study_results(tmp_path).pace
    assert (pace.done, pace.cases, pace.left) == (2, 3, 1)


def test_nothing_yet(tmp_path):
    """No run, no rate, no time left."""
    HandMade(tmp_path)
    assert pace_of(tmp_path, 3) == Pace(0, 0, 3)
    assert pace_of(tmp_path, 3).seconds_left is None
    assert pace_of(tmp_path, None).left is None


def test_seeds_that_would_repeat_a_run_are_not_left(tmp_path):
    """Of two policies with five seeds one is certain and run once; the other has done two: three are left."""
    made = HandMade(tmp_path, axes=("policy", "seed"))
    made.add({"policy": "easy", "seed": 0}, {"mean_wait": 1.0}, chance=False)
    for seed in range(2):
        made.add({"policy": "random", "seed": seed}, {"mean_wait": 2.0 + seed}, chance=True)
    pace = pace_of(tmp_path, 10, replications=5)
    assert (pace.done, pace.cases, pace.left) == (3, 6, 3)
