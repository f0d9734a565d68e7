"""``echelon merge``, and weeks of grids as WORKLOAD."""

from __future__ import annotations

import json

import pytest

from echelon import read_workload
from echelon.platforms import read_platform

LOGS = ("kth-sp2@KTH", "lublin:jobs=20000,processors=64,seed=1@CAMPUS")


def test_says_and_writes_what_was_merged(echelon, tmp_path):
    """A file a week, a summary and the platform; the sentences tell what was dropped and why."""
    said = echelon("merge", *LOGS, "--weeks", 3, "--name", "pair", "--out", tmp_path / "new" / "pair")
    assert (said.code, said.err) == (0, "")
    assert "in 3 weeks of mon-fri, 164 processors" in said.out
    assert "Dropped from kth-sp2: 8 with run time <= 0." in said.out
    assert "pair-week-01.swf.gz to pair-week-03.swf.gz, summary.json, platform.toml" in said.out
    folder = tmp_path / "new" / "pair"
    assert len(list(folder.iterdir())) == 5
    week = read_workload(folder / "pair-week-02.swf.gz")
    assert week.names["partition"] == ("KTH", "CAMPUS")
    summary = json.loads((folder / "summary.json").read_text())
    assert sum(log["by_week"][1] for log in summary["logs"]) == len(week)
    assert read_platform(folder / "platform.toml").names == ("KTH", "CAMPUS")


def test_tells_the_same_as_json(echelon, tmp_path):
    """--json gives the summary and the files; --to chooses their format."""
    told = echelon(
        "merge", *LOGS, "--weeks", 2, "--days", "sat-sun", "--to", "csv", "--out", tmp_path, "--json"
    ).json
    assert (told["days"], told["weeks"], told["processors"]) == ("sat-sun", 2, 164)
    assert told["written"][0].endswith("grid-week-01.csv")
    assert read_workload(tmp_path / "grid-week-01.csv").names["partition"] == ("KTH", "CAMPUS")


def test_another_load_and_jobs_that_completed(echelon, tmp_path):
    """--run-times scales run times, and --filters completed keeps jobs that did not fail; both are told."""
    (site,) = LOGS[:1]
    told = echelon("merge", site, "--weeks", 1, "--run-times", 0.5, "--out", tmp_path / "half", "--json").json
    echelon("merge", site, "--weeks", 1, "--filters", "completed", "--out", tmp_path / "done", "--quiet")
    whole = read_workload("kth-sp2")
    half, done = (read_workload(tmp_path / name / "grid-week-01.swf.gz") for name in ("half", "done"))
    assert told["run_times"] == 0.5
    assert float(half.requested_time.max()) <= whole.requested_time.max() / 2
    assert set(done.int_column("status").tolist()) == {1}
    assert 0 < len(done) < len(half)
    assert "run times: must be a finite number > 0" in echelon("merge", site, "--run-times", 0).err


def test_without_a_folder_nothing_is_written(echelon):
    """Figures are told all the same, and --quiet says nothing."""
    assert "Nothing was written" in echelon("merge", *LOGS, "--weeks", 1).out
    assert echelon("merge", *LOGS, "--weeks", 1, "--quiet") == (0, "", "")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("kth-sp2@",), "must name a log and a site"),
        (("kth-sp2@KTH:many",), "must be LOG@SITE or LOG@SITE:PROCESSORS"),
        (("nothing.swf@KTH",), "no such file or data set"),
        (("kth-sp2@KTH", "--weeks", "300"), "has 46 full weeks of mon-fri, expected 300"),
        (("kth-sp2@KTH", "--days", "weekend"), "must be weekdays such as mon-fri"),
        (("kth-sp2@KTH", "--hours", "local"), "converted"),
        (("kth-sp2@KTH", "--to", "gwf.zip", "--out", "x"), "gwf.zip"),
        (("kth-sp2@KTH", "--time-zone", "Mars/Olympus"), "tz database"),
    ],
)
def test_wrong_arguments_are_one_sentence(echelon, arguments, part, tmp_path, monkeypatch):
    """Bad input is told in one line, with exit code 2."""
    monkeypatch.chdir(tmp_path)
    said = echelon("merge", *arguments)
    assert said.code == 2
    assert part in said.sentence
    assert list(tmp_path.iterdir()) == []


def test_missing_logs_are_named(echelon, monkeypatch, tmp_path):
    """Grid 2 without the logs of DAS-2 says which are missing and what to do."""
    monkeypatch.setenv("ECHELON_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("ECHELON_ARCHIVE", "http://127.0.0.1:9")
    sentence = echelon("info", "grid2:week=1").sentence
    assert "das2-fs0 of DAS2-Vrije" in sentence
    assert "stand-ins=lublin" in sentence


def test_stand_ins_are_told(echelon, monkeypatch):
    """A week with stand-ins says so in its name and among its anomalies."""
    monkeypatch.setenv("ECHELON_DATA", "")
    said = echelon("merge", "kth-sp2@KTH", "das2-fs0@VU:144", "--weeks", 1, "--stand-ins", "lublin")
    assert "grid-with-stand-ins: " in said.out
    assert "stand-in" in said.out
    assert "DAS2-fs0-2003-1.swf.gz" in said.out
