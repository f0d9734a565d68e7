"""Some cases of a study alone."""

from __future__ import annotations

import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.experiments.study.file.study_file import read_study
from echelon.experiments.study.plan.search import select_cases

TEXT = """
[fixed]
workload = "lublin:jobs=9"
[axes]
policy = ["fcfs", "easy", "easy:sjf"]
load = [1.0, 2.0]
seeds = 3
"""


@pytest.fixture
def study(tmp_path):
    (tmp_path / "s.toml").write_text(TEXT)
    return read_study(tmp_path / "s.toml")


def test_cases_are_chosen_by_their_labels(study):
    """All axes named must agree; of one named twice either will do; stars stand for anything."""
    found = select_cases(study, ["policy=easy*", "seed=1", "seed=2", "load=2"]).search
    assert [(case.labels["policy"], case.labels["seed"]) for case in found.first()] == [
        ("easy", "1"),
        ("easy:sjf", "1"),
        ("easy", "2"),
        ("easy:sjf", "2"),
    ]
    assert found.size == 4
    assert {case.spec for case in found.first()} <= {case.spec for case in study.search.first()}


def test_wrong_choices_are_told(study, tmp_path):
    """An unknown axis, a word without a label, nothing left, a contest."""
    with pytest.raises(UnknownNameError, match="did you mean 'policy'"):
        select_cases(study, ["polcy=easy"])
    with pytest.raises(InputError, match="must be AXIS=LABEL, got 'easy'"):
        select_cases(study, ["easy"])
    for label in ("policy=plan", "seed=7"):
        with pytest.raises(InputError, match="leaves no case"):
            select_cases(study, [label])
    (tmp_path / "c.toml").write_text(TEXT + '[search]\nkind = "successive-halving"')
    with pytest.raises(InputError, match="known in advance"):
        select_cases(read_study(tmp_path / "c.toml"), ["seed=1"])
