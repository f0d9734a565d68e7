"""What an operator asks of accounting: ``info``, ``run`` and ``compare`` of what sacct prints."""

from __future__ import annotations

import pytest

SACCT = """\
JobID|User|Account|Partition|QOS|Submit|Start|End|Elapsed|Timelimit|AllocCPUS|NNodes|State
1|ada|physics|main|normal|2024-03-30T23:00:00|2024-03-30T23:00:05|2024-03-31T04:00:05|04:00:00|05:00:00|48|3|COMPLETED
2|bob|biology|gpu|high|2024-03-31T00:10:00|2024-03-31T04:00:05|2024-03-31T04:30:05|00:30:00|01:00:00|64|4|TIMEOUT
3|bob|biology|gpu|high|2024-03-31T00:15:00|Unknown|Unknown|00:00:00|01:00:00|0|1|PENDING
"""
"""In Madrid, in the night in which 02:00 is 03:00: the first job runs for 4 h, though 5 by the clock."""


@pytest.fixture
def log(tmp_path):
    """Return a small file of accounting."""
    path = tmp_path / "march.sacct"
    path.write_text(SACCT)
    return path


def test_info_says_what_the_machine_did(echelon, log):
    """The most in use, waits, and tables by partition, QOS, account and state, on the clock of the site."""
    said = echelon("info", log, "--timezone", "Europe/Madrid").out
    for text in (
        "64 processors at once, 2024-03-31 04:00 CEST",
        "waits             mean 85.08 min, median 85.08 min, longest 2.835 h, of 2 jobs",
        "Partitions:",
        "QOS:",
        "Accounts:",
        " timeout        1    14.3 %       64   2.835 h   2.835 h   2.835 h",
        "By the times of the log, jobs used 64 of them at once.",
    ):
        assert text in said
    told = echelon("info", log, "--json").json
    assert (told["peak"]["processors"], told["waits"]["jobs"]) == (64, 2)
    assert [one["name"] for one in told["groups"]["account"]] == ["physics", "biology"]


def test_run_shows_the_waits_of_the_log(echelon, log, tmp_path):
    """By default of accounting, in the terminal, in files and as JSON; not if it is not wanted."""
    arguments = ("run", log, "--timezone", "Europe/Madrid", "--processors", 64, "--out", tmp_path / "out")
    said = echelon(*arguments, "--no-report", "--dates", "iso").out
    assert " in the log   85.08 min   85.08 min   2.835 h" in said
    assert "log_waits.csv" in said
    head, first, *_ = (tmp_path / "out" / "jobs.csv").read_text().splitlines()
    assert head.endswith(",node_count,state,partition,submit_date,start_date,end_date")
    assert first.endswith(
        ",3,completed,main,2024-03-30T23:00:00+01:00,2024-03-30T23:00:00+01:00,2024-03-31T04:00:00+02:00"
    )
    assert echelon(*arguments, "--json", "--no-report").json["log_waits"]["jobs"] == 2
    said = echelon(*arguments, "--no-report", "--no-log-waits").out
    assert "in the log" not in said
    assert not (tmp_path / "out" / "log_waits.csv").exists()
    assert "submit_date" not in (tmp_path / "out" / "jobs.csv").read_text()


def test_a_report_is_made_again_in_another_zone(echelon, log, tmp_path):
    """All dates of the page are of one clock."""
    echelon("run", log, "--processors", 64, "--out", tmp_path / "out", "--quiet")
    page = tmp_path / "out" / "report.html"
    assert '"zone":{"name":"UTC"' in page.read_text()
    assert echelon("report", tmp_path / "out", "--timezone", "Europe/Madrid").code == 0
    assert '"zone":{"name":"Europe/Madrid"' in page.read_text()
    said = echelon("report", tmp_path / "out", "--timezone", "Europe/Madird").sentence
    assert "did you mean 'Europe/Madrid'?" in said


def test_compare_varies_sizes_and_limits(echelon, log):
    """From options and from a file; a run refuses a list, and says how to choose."""
    said = echelon("compare", log, "--processors", "64,128", "--max-time", "2h,24h", "--policies", "easy").out
    for text in (" processors=64", " max_time=24h", "Time limit 2h: 1 request and 1 run time cut to it."):
        assert text in said
    scenario = log.with_suffix(".toml")
    scenario.write_text('workload = "march.sacct"\nprocessors = [64, 128]\nmax_time = ["2h", "24h"]\n')
    assert "4 runs on march" in echelon("compare", scenario).out
    assert "the file lists 2 values; run them with echelon compare" in echelon("run", scenario).sentence


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--timezone", "Mars"), "must be a name of the tz database"),
        (("--max-time", "0"), "max-time: must be a time > 0"),
        (("--max-time", "-2h"), "max-time: must be a time > 0"),
        (("--longer-jobs", "drop"), "give max-time, too"),
        (("--dates", "iso"), "needs a folder for jobs.csv, give --out DIR"),
        (("--dates", "roman", "--out", "x"), "no kind of dates is named 'roman'"),
    ],
)
def test_what_makes_no_sense_is_refused(echelon, log, arguments, problem):
    """In a sentence, before anything is simulated."""
    assert problem in echelon("run", log, "--processors", 64, *arguments).sentence


def test_what_a_log_does_not_record_is_refused(echelon, tmp_path):
    """Waits of a log without starts, dates of one without a beginning."""
    log = tmp_path / "log.csv"
    log.write_text("submit_time,run_time,processors\n0,10,1\n")
    arguments = ("run", log, "--processors", 4)
    assert "records no waits" in echelon(*arguments, "--log-waits").sentence
    assert (
        "does not say when it began"
        in echelon(*arguments, "--dates", "iso", "--out", tmp_path / "o").sentence
    )
    assert "does not say when it began" in echelon(*arguments, "--timezone", "UTC").sentence
