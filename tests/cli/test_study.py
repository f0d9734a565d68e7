"""``echelon study``: files, what they come to, their schema."""

from __future__ import annotations

import json

import pytest

from echelon.errors import Cancelled

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
    assert "and 2 more; --list shows all." in said.out
    assert "2 more" not in echelon("study", "check", study, "--list").out


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


def test_run_makes_every_run_once(echelon, study, tmp_path):
    """The second time nothing is made, whatever the executor."""
    folder = tmp_path / "out"
    said = echelon("study", "run", study, "--out", folder, "--executor", "threads", "--workers", 2)
    assert said.code == 0
    assert said.out.startswith("two policies: 8 runs made in ")
    assert f"Kept in {folder}" in said.out
    told = echelon(
        "study", "run", study, "--out", folder, "--executor", "processes", "--workers", 1, "--json"
    ).json
    assert (told["runs"], told["done"], told["kept"], told["failed"]) == (8, 0, 8, [])
    assert echelon("study", "show", folder).code == 0


def test_run_takes_the_folder_and_the_workers_of_the_file(echelon, study, tmp_path):
    """What the file says holds, seen from the file."""
    study.write_text('out = "runs-of-it"\n' + STUDY + '[execution]\nexecutor = "threads"\nworkers = 1\n')
    told = echelon("study", "run", study, "--json").json
    assert (told["workers"], told["out"]) == (1, str(tmp_path / "runs-of-it"))
    assert echelon("study", "run", study, "--quiet").out == ""


def test_some_cases_alone(echelon, study, tmp_path):
    """Cases are chosen by label; the others can follow."""
    arguments = ("study", "run", study, "--out", tmp_path / "out", "--executor", "threads", "--json")
    assert echelon(*arguments, "--only-case", "policy=easy", "--only-case", "seed=[12]").json["done"] == 2
    told = echelon(*arguments).json
    assert (told["done"], told["kept"]) == (6, 2)
    assert "no axis is named 'polcy'" in echelon(*arguments, "--only-case", "polcy=easy").sentence


def test_runs_that_fail_do_not_stop_the_others(echelon, study, tmp_path):
    """The reason is told, the exit code is 1, and the rest is there."""
    log = tmp_path / "no-size.swf"
    log.write_text("1 0 0 5 1 -1 -1 1 5 -1 1 1 1 -1 -1 -1 -1 -1\n")
    study.write_text(f"[axes]\nworkload = ['lublin:jobs=9', '{log.name}']\n")
    said = echelon("study", "run", study, "--out", tmp_path / "out", "--executor", "threads")
    assert said.code == 1
    assert "study: 1 run made, 1 failed in" in said.out
    assert f"Failed: workload {log.name}" in said.out
    assert "does not give the processors" in said.out


def test_a_contest_is_run_to_its_end(echelon, tmp_path):
    """Later rounds follow the outcomes of the first ones, and are found again."""
    file = tmp_path / "contest.toml"
    file.write_text(
        'measures = ["mean_wait"]\n[fixed]\nworkload = "lublin:jobs=40:processors=16"\n'
        'policy = "easy:reservations={k}"\n[axes]\nk = { low = 1, high = 40 }\nseeds = 4\n'
        '[search]\nkind = "successive-halving"\nsamples = 4\neta = 2\n'
    )
    arguments = ("study", "run", file, "--out", tmp_path / "out", "--executor", "threads", "--json")
    told = echelon(*arguments).json
    assert (told["runs"], told["done"]) == (4 * 1 + 2 * 1 + 1 * 2, 8)
    again = echelon(*arguments).json
    assert again["kept"] == 8
    (best,) = again["best"]
    assert (list(best["labels"]), best["runs"]) == (["k"], 4)
    said = echelon(*arguments[:-1]).out
    assert f"Best by mean_wait: k {best['labels']['k']} (mean " in said
    assert "of 4 runs)" in said


def test_a_study_that_is_stopped_says_how_to_go_on(echelon, study, tmp_path, monkeypatch):
    """What is done is kept: that is said, and the exit code is that of Ctrl-C."""

    def stopped(*_, **__):
        raise Cancelled("run the same command again to resume")

    monkeypatch.setattr("echelon.experiments.study.run.study_run.run_study", stopped)
    said = echelon("study", "run", study, "--out", tmp_path / "out")
    assert (said.code, said.out) == (130, "")
    assert said.err == "echelon: run the same command again to resume\nechelon: stopped\n"


def test_what_run_refuses(echelon, study, tmp_path):
    """No folder, no such executor, a folder of something else: one sentence and exit code 2."""
    assert "needs a folder for the runs" in echelon("study", "run", study).sentence
    arguments = ("study", "run", study, "--out", tmp_path / "out")
    assert (
        "no executor is named 'thread'; did you mean 'threads'?"
        in echelon(*arguments, "--executor", "thread").sentence
    )
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").write_text("")
    assert echelon("study", "run", study, "--out", tmp_path / "other").code == 2


def test_the_schema_is_json(echelon):
    """What is printed is the schema that the reference holds."""
    assert echelon("study", "schema").json["title"] == "Study file of Echelon"


def test_init_writes_an_example_once(echelon, tmp_path):
    """The example can be checked at once, and is never written over a file."""
    file = tmp_path / "mine.toml"
    assert echelon("study", "init", file).code == 0
    assert echelon("study", "check", file).code == 0
    text = file.read_text()
    assert "exists already" in echelon("study", "init", file).sentence
    assert file.read_text() == text
    assert echelon("study", "init", "-").out == text
    assert "cannot be written" in echelon("study", "init", tmp_path / "no" / "x.toml").sentence


def test_a_group_without_a_command_says_what_there_is(echelon):
    """`echelon study` alone is help; an unknown command is told."""
    assert "check" in echelon("study").out
    said = echelon("study", "chekc")
    assert said.code == 2
    assert "chekc" in said.sentence


def test_nothing_but_json_comes_out(echelon, study):
    """With --json, stdout is JSON alone."""
    json.loads(echelon("study", "check", study, "--json").out)
