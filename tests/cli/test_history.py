"""``echelon history``."""

from __future__ import annotations

import pytest

from echelon import simulate
from echelon.history import open_history


@pytest.fixture
def kept(tmp_path, six_jobs):
    """Return a history of two runs, the second not valid."""
    path = tmp_path / "history.db"
    schedule = simulate(six_jobs, engine="reference").schedule
    with open_history(path) as history:
        history.record(schedule, policy="fcfs", estimator="smith", seed=4)
        history.record(schedule, policy="easy", is_valid=False)
    return path


def test_runs_are_listed(echelon, kept):
    """Each with its platform, policy, estimator, jobs, and whether it is learned from."""
    said = echelon("history", kept)
    assert (said.code, said.err) == (0, "")
    assert "2 runs, 8 jobs" in said.out
    first, second = (line.split() for line in said.out.splitlines() if line.strip()[:1] in {"1", "2"})
    assert (first[0], *first[-4:]) == ("1", "fcfs", "smith", "4", "yes")
    assert (second[0], *second[-4:]) == ("2", "easy", "–", "4", "no")


def test_as_json(echelon, kept):
    """The same for programs."""
    first, second = echelon("history", kept, "--json").json["experiments"]
    assert (first["number"], first["policy"], first["seed"], first["valid"]) == (1, "fcfs", 4, True)
    assert (second["jobs"], second["valid"], second["platform"]) == (4, False, "4 processors")


def test_runs_are_marked_and_forgotten(echelon, kept):
    """What is said of runs is done, then listed."""
    said = echelon("history", kept, "--valid", 2, "--not-valid", 1, "--json").json
    assert [one["valid"] for one in said["experiments"]] == [False, True]
    said = echelon("history", kept, "--forget", 1, "--forget", 2)
    assert said.out.strip() == f"{kept}: 0 runs, 0 jobs"


def test_wrong_arguments_get_a_sentence(echelon, kept, tmp_path):
    """A run or a file that is not there, and a file of something else; nothing is made."""
    said = echelon("history", kept, "--forget", 10**30)
    assert (said.code, said.sentence) == (2, f"echelon: {kept}: holds no experiment {10**30}")
    said = echelon("history", kept, "--forget", 9)
    assert (said.code, said.sentence) == (2, f"echelon: {kept}: holds no experiment 9")
    missing = tmp_path / "none.db"
    said = echelon("history", missing)
    assert (said.code, said.sentence) == (2, f"echelon: {missing}: no such file")
    assert not missing.exists()
    said = echelon("history", tmp_path / "six.swf")
    assert (said.code, said.sentence) == (2, f"echelon: {tmp_path / 'six.swf'}: file is not a database")
