"""``echelon study``: files, what they come to, their schema."""

from __future__ import annotations

import json

import pytest

STUDY = """
name = "two policies"
[fixed]
workload = "lublin:jobs=20:processors=16"
[axes]
policy = ["fcfs", "easy"]
seeds = 4
"""


@pytest.fixture
def study(tmp_path):
    """Return a study of eight short runs."""
    file = tmp_path / "study.toml"
    file.write_text(STUDY)
    return file


def test_check_says_what_a_study_comes_to(echelon, study):
    """Runs, axes, jobs and the first cases; all of them if asked for."""
    said = echelon("study", "check", study)
    assert said.code == 0
    assert "Runs       8: 2 combinations, each with 4 seeds (product)" in said.out
    assert "Jobs       160 in all runs" in said.out
    assert "and 2 more at first; --list shows all." in said.out
    assert "more at first" not in echelon("study", "check", study, "--list").out


def test_check_as_json(echelon, study):
    """Every case with its settings and labels."""
    told = echelon("study", "check", study, "--json").json
    assert (told["runs"], told["points"], told["workloads"], told["jobs"]) == (8, 2, 4, 160)
    assert told["cases"][0] == {
        "settings": {"workload": "lublin:jobs=20:processors=16:seed=0", "policy": "fcfs", "seed": 0},
        "labels": {"policy": "fcfs", "seed": "0"},
    }


def test_mistakes_are_one_line(echelon, study):
    """A wrong file, or too many runs, is one sentence and exit code 2."""
    said = echelon("study", "check", study, "--max", 7)
    assert said.code == 2
    assert said.sentence.endswith("line 5, axes: 8 runs, expected at most 7; --max 8 if you mean it")
    study.write_text(STUDY.replace("easy", "esay"))
    assert "axes, policy 2: no " in echelon("study", "check", study).sentence


def test_the_schema_is_json(echelon):
    """What is printed is the schema that the reference holds."""
    assert echelon("study", "schema").json["title"] == "Study file of Echelon"


def test_init_writes_an_example_once(echelon, tmp_path):
    """The example can be checked at once, and is never written over a file."""
    file = tmp_path / "mine.toml"
    assert echelon("study", "init", file).code == 0
    assert echelon("study", "check", file).code == 0
    text = file.read_text()
    assert "is there already" in echelon("study", "init", file).sentence
    assert file.read_text() == text
    assert echelon("study", "init", "-").out == text
    assert "can not be written" in echelon("study", "init", tmp_path / "no" / "x.toml").sentence


def test_a_group_without_a_command_says_what_there_is(echelon):
    """`echelon study` alone is help; an unknown command is told."""
    assert "check" in echelon("study").out
    said = echelon("study", "chekc")
    assert said.code == 2
    assert "chekc" in said.sentence


def test_nothing_but_json_comes_out(echelon, study):
    """With --json, stdout is JSON alone."""
    json.loads(echelon("study", "check", study, "--json").out)
