"""Options made from the declarations of settings: groups in help, several values, completion."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

SECTIONS = [
    *("Arguments", "Common options", "Scheduling", "Jobs", "Changes to the jobs, made in this order"),
    *("Nodes and power", "Multiclusters"),
    *("Time-shared machines", "Machines that change", "Simulation", "Results"),
]


def completed(*arguments: str) -> list[str]:
    """Return what a shell offers in place of the last word."""
    env = {
        "COMP_WORDS": " ".join(["echelon", *arguments]),
        "COMP_CWORD": str(len(arguments)),
        "_ECHELON_COMPLETE": "complete_bash",
    }
    code = "from echelon.cli import main; import sys; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **env}, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


@pytest.mark.parametrize("command", ["run", "compare"])
def test_help_lists_options_by_what_they_are_for(echelon, command):
    """The common ones come first, then the others under headings, each option once."""
    said = echelon(command, "--help").out
    heads = [line[:-1] for line in said.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert heads == SECTIONS
    common = said.split("Common options:")[1].split("\n\n")[0]
    assert all(f"--{word}" in common for word in ("platform", "estimates", "seed", "out"))
    assert said.count("--governor ") == 1


def test_both_flags_of_a_pair_are_two_values(echelon, six_jobs):
    """A flag given alone is one value, both are two runs, and the same twice is an error."""
    arguments = ("compare", six_jobs, "--policies", "fcfs", "--json")
    one = json.loads(echelon(*arguments, "--drop-invalid").out)
    assert list(one["runs"]) == ["fcfs"]
    both = echelon(*arguments, "--strict", "--drop-invalid")
    assert (both.code, "a simulation would drop jobs" in both.sentence) == (2, True)
    twice = echelon(*arguments, "--strict", "--strict")
    assert "'--strict/--drop-invalid': is given more than once" in twice.sentence


def test_the_singular_is_understood_and_not_shown(echelon, six_jobs):
    """A comparison takes --policy as --policies, but not both."""
    assert "--policy " not in echelon("compare", "--help").out
    said = echelon("compare", six_jobs, "--policy", "fcfs,easy", "--json")
    assert list(json.loads(said.out)["runs"]) == ["fcfs", "easy"]
    assert "more than once" in echelon("compare", six_jobs, "--policy", "fcfs", "--policies", "easy").sentence


def test_every_number_is_checked(echelon, six_jobs):
    """One wrong part of a list is named."""
    said = echelon("compare", six_jobs, "--policies", "fcfs", "--seed", "1,x")
    assert (said.code, "Invalid value for '--seed': 'x' is not a valid int" in said.sentence) == (2, True)
    said = echelon("compare", six_jobs, "--policies", "fcfs", "--seed", "1,1")
    assert "seed: must all be different, got '1' twice" in said.sentence


def test_runs_of_different_jobs_are_marked(echelon, six_jobs, tmp_path):
    """Where a setting changes the jobs a sentence, a column and run.json say which runs have the same."""
    arguments = ("--policies", "fcfs,easy", "--estimates", "raise,kill", "--no-report")
    said = echelon("compare", six_jobs, *arguments, "--out", tmp_path / "out")
    within = "compare values only within estimates=raise, and within estimates=kill."
    sentence = f"The jobs of these runs differ; {within}"
    assert (said.code, sentence in said.out) == (0, True)
    heads, *rows = [line.split(",") for line in (tmp_path / "out/metrics.csv").read_text().splitlines()]
    assert heads[:4] == ["run", "estimates", "policy", "job_set"]
    assert [row[1:4] for row in rows] == [
        ["raise", "fcfs", "1"],
        ["raise", "easy", "1"],
        ["kill", "fcfs", "2"],
        ["kill", "easy", "2"],
    ]
    run = json.loads((tmp_path / "out/estimates=kill-easy/run.json").read_text())
    assert run["notes"] == [sentence]
    assert run["label"] == "estimates=kill + easy"


def test_runs_of_the_same_jobs_are_not(echelon, six_jobs):
    """Seeds and planned times change no job."""
    said = echelon("compare", six_jobs, "--policies", "fcfs", "--estimates", "raise,exact", "--seed", "1,2")
    assert said.code == 0
    assert "differ" not in said.out


def test_nothing_that_varies_is_no_comparison(echelon, six_jobs):
    """One value of everything needs no comparison, unless a policy is named."""
    assert "needs policies to compare" in echelon("compare", six_jobs, "--estimates", "kill").sentence
    assert echelon("compare", six_jobs, "--seed", "1,2").code == 0


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("ru",), ["run", "rules"]),
        (("run", "log.swf", "--gov"), ["--governor"]),
        (("run", "log.swf", "--governor", ""), ["highest", "lowest", "capped"]),
        (("run", "log.swf", "--platform", "irmasim"), ["irmasim-a", "irmasim-b"]),
        (("run", "log.swf", "--global-queue", "nb"), ["nb", "nb.rs"]),
        (("compare", "log.swf", "--policies", "fcfs,conse"), ["fcfs,conservative"]),
        (("run", "log.swf", "--policy", "easy:shor"), ["easy:shortest-first"]),
        (("run", "log.swf", "--policy", "Conse"), ["Conservative"]),
        (("run", "log.swf", "--policy", "own.py:la"), []),
        (("generate", "lublin-b"), ["lublin-batch"]),
        (("generate", "--fit", "kth"), ["kth-sp2"]),
        (("merge", "grid"), ["grid1", "grid2", "grid3"]),
        (("reproduce", "sche"), ["schedlyzer"]),
    ],
)
def test_shells_complete_options_and_names(arguments, expected):
    """Commands, options, choices, rules, models and presets are offered, after a comma or colon, too."""
    assert completed(*arguments) == expected


def test_a_shell_is_set_up_for_completion(echelon):
    """The script for a shell asks the command by its variable."""
    code = "from echelon.cli import main; import sys; sys.exit(main(['--show-completion', 'bash']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, "_ECHELON_COMPLETE=complete_bash" in done.stdout) == (0, True)
    assert "--install-completion" in echelon("--help").out


@pytest.mark.parametrize(
    ("arguments", "offered"),
    [
        (("policies", "sdp"), {"sdpn"}),
        (("metrics", "mean_w"), {"mean_wait"}),
        (("platforms", "irmasim-"), {"irmasim-a", "irmasim-b"}),
        (("rules", "law"), {"laws"}),
        (("rules", "laws", "wei"), {"weibull"}),
        (("run", "lublin-b"), {"lublin-batch"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_names_are_completed_as_arguments(arguments, offered):
    """Rules of a family, families, platforms, data sets and models are offered where a name stands."""
    assert {*completed(*arguments)} == offered
