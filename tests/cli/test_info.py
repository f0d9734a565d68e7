"""``echelon info``."""

from __future__ import annotations

import io
import sys


def test_says_what_is_there_odd_and_dropped(echelon, six_jobs):
    """Facts, dates, anomalies with their first line, and what a simulation would drop and why."""
    said = echelon("info", six_jobs)
    assert (said.code, said.err) == (0, "")
    for expected in (
        "six: 6 jobs",
        "format            swf",
        "computer          Six",
        "machine           4 processors",
        "first submission  1996-07-22",
        "users             3",
        "no-run-time",
        "first in line 9",
        "would take 4 of 6 jobs",
        "drop 1 with run time <= 0 (first: job 4)",
        "drop 1 with more processors than the machine's 4 (first: job 5)",
    ):
        assert expected in said.out


def test_json_holds_the_same_exactly(echelon, six_jobs):
    """--json prints exact values and nothing else."""
    told = echelon("info", six_jobs, "--json").json
    assert (told["name"], told["format"], told["jobs"], told["processors"]) == ("six", "swf", 6, 4)
    assert (told["first_submit"], told["last_submit"], told["last_end"]) == (0, 300, 310)
    assert told["utilization"] == (300 + 400 + 50 + 90 + 10) / (4 * 310)
    assert {drop["reason"]: (drop["count"], drop["first"]) for drop in told["dropped"]} == {
        "run time <= 0": (1, "4"),
        "more processors than the machine's 4": (1, "5"),
    }
    assert told["simulated"] == 4
    assert {anomaly["kind"]: anomaly["first_line"] for anomaly in told["oddities"]}["no-run-time"] == 9
    assert {"label": "Note", "text": "made by hand"} in told["header"]


def test_a_machine_of_unknown_size(echelon, six_jobs):
    """Without MaxProcs everything but too large jobs is shown, and that is said."""
    six_jobs.write_text(six_jobs.read_text().replace("; MaxProcs: 4\n", ""))
    said = echelon("info", six_jobs)
    assert "unknown: the log does not say" in said.out
    assert "would take 5 of 6 jobs" in said.out
    assert "give the size of the machine with --processors N" in said.out
    assert echelon("info", six_jobs, "--processors", 9, "--json").json["simulated"] == 5


def test_a_log_that_would_be_refused(echelon, six_jobs):
    """A log of which no job can be simulated is still described."""
    said = echelon("info", six_jobs, "--processors", 4, "--json")
    assert said.json["refusal"] is None
    six_jobs.write_text("1 0 0 -1 1 -1 -1 1 10 -1 1 1 1 -1 -1 -1 -1 -1\n")
    said = echelon("info", six_jobs)
    assert said.code == 0
    assert "would reject this workload: no job is left to simulate: 1 with run time <= 0" in said.out


def test_standard_input(echelon, six_jobs, monkeypatch):
    """- reads standard input; its format is told by the content."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(six_jobs.read_bytes())))
    assert "standard input: 6 jobs" in echelon("info", "-").out


def test_a_dataset_by_name(echelon):
    """The bundled log is there on every machine."""
    said = echelon("info", "kth-sp2", "--json")
    assert (said.json["jobs"], said.json["processors"], said.json["format"]) == (28476, 100, "swf")


def test_what_tasks_ask_for_is_shown(echelon):
    """Kinds, sizes, memory and communication of jobs with tasks, for people and as JSON."""
    said = echelon("info", "irmasim-mix:jobs=200,seed=4")
    for expected in ("Tasks:", "sequential,", "of unequal tasks", "billion operations", "communicating"):
        assert expected in said.out
    told = echelon("info", "irmasim-mix:jobs=200,seed=4,mpi=1", "--json").json["tasks"]
    assert (told["sequential_jobs"], told["mpi_jobs"], told["communicating_jobs"]) == (0, 200, 200)
    assert told["size"]["least"] >= 2
    assert told["communication_volume"]["most"] <= 1e8


def test_no_tasks_no_figures_of_tasks(echelon, six_jobs):
    """A log that says nothing of tasks has no such part."""
    assert "Its tasks" not in echelon("info", six_jobs).out
    assert echelon("info", six_jobs, "--json").json["tasks"] is None


def test_all_errors_of_a_file_in_one_sentence(echelon, tmp_path):
    """A wrong workload.json is one line that tells all that is wrong, and exit code 2."""
    file = tmp_path / "wrong.json"
    file.write_text('{"jobs": [{"id": 1, "subtime": 0, "res": 0, "profile": "x"}, {"mem": -1}]}')
    said = echelon("info", file)
    assert said.code == 2
    for part in (
        "jobs[0].res",
        "jobs[0].profile: unknown profile 'x'",
        "jobs[1].mem",
        "jobs[1]: has no size",
    ):
        assert part in said.sentence
