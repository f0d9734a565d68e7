"""``echelon explain``."""

from __future__ import annotations

import inspect

import pytest

import echelon as ec
from echelon.cli.explain import _settings


def test_sentences_say_why_a_job_started(echelon, six_jobs):
    """Job 3 overtakes job 2, which EASY plans for the end of job 1."""
    said = echelon("explain", six_jobs, "--policy", "easy", "--job", 3)
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines() == [
        "Job 3 was submitted at 2 s, needed 1 processor, was planned to run for 50 s, and started at once.",
        "On the log's clock it was submitted and started at 1996-07-22 01:46 UTC.",
        "At 2 s job 3 started, with 1 processor free, and overtook job 2.",
        "Then job 2 (4 processors) was planned to start at 100 s. Job 3 was planned to end by then, at 52 s.",
        "It ended at 52 s.",
    ]


def test_without_backfilling_it_waits_behind_the_head(echelon, six_jobs):
    """Under fcfs the same job has room and must not overtake."""
    said = echelon("explain", six_jobs, "--job", 3)
    assert (
        "From 2 s to 100 s there was room for it, but job 2 (4 processors) was ahead and did not fit, and "
        "under this policy no job overtakes another.\n"
    ) in said.out


def test_jobs_that_share_the_machine_in_time_are_not_overtaken(echelon):
    """Under round robin a job that had its turn is not overtaken while it waits for the next one."""
    asked = ("explain", "lublin:jobs=60:seed=3", "--processors", 32, "--policy", "round-robin", "--job")
    assert "started, with 31 processors free, before job 10 ran again." in echelon(*asked, 12).out
    assert "5 processors free, before job 10 ran again, and overtook job 19." in echelon(*asked, 20).out


def test_json_has_the_values_behind_the_sentences(echelon, six_jobs):
    """All that was seen, with the sentences."""
    told = echelon("explain", six_jobs, "--policy", "easy", "--job", 2, "--json").json
    (wait,) = told["waits"]
    assert told["job"]["label"] == "2"
    assert wait["began"]["time"] == 100
    assert [one["kind"] for one in wait["obstacles"]] == ["processors"]
    assert [one["job"]["label"] for one in wait["overtakers"]] == ["3"]
    assert told["sentences"][0].startswith("Job 2 was submitted at 1 s")


def test_jobs_that_are_not_simulated_say_why(echelon, six_jobs):
    """Two jobs of the log are left out, each for a reason of its own."""
    assert echelon("explain", six_jobs, "--job", 4).out == "Job 4 is not simulated: run time <= 0.\n"
    assert (
        "Job 5 is not simulated: more processors than the machine's 4."
        in echelon("explain", six_jobs, "--job", 5).out
    )


def test_a_killed_job_says_so(echelon, six_jobs):
    """Job 6 asked for 5 of its 10 s."""
    said = echelon("explain", six_jobs, "--estimates", "kill", "--job", 6)
    assert said.out.endswith("It was killed at its requested time at 305 s.\n")


@pytest.mark.parametrize("job", ["0", "7", "abc", "-1"])
def test_unknown_jobs_are_refused(echelon, six_jobs, job):
    """What there is, is named."""
    said = echelon("explain", six_jobs, f"--job={job}")
    assert said.code == 2
    assert said.sentence == f"echelon: job: there is no job {job!r} in six; it has 6 jobs, from 1 to 6"


def test_a_job_must_be_named(echelon, six_jobs):
    """Without --job, or with an empty one, there is nothing to explain."""
    for arguments in ((), ("--job", " ")):
        said = echelon("explain", six_jobs, *arguments)
        assert (said.code, said.sentence) == (2, "echelon: --job: needs a job to explain, give --job ID")


def test_scenario_files_and_quiet(echelon, six_jobs, tmp_path):
    """A scenario file has the settings, what it says of results does not matter; --quiet prints nothing."""
    file = tmp_path / "easy.toml"
    file.write_text(f'workload = "{six_jobs}"\npolicy = "easy"\nout = "nowhere"\n')
    assert "overtook job 2" in echelon("explain", file, "--job", 3).out
    assert echelon("explain", file, "--job", 3, "--quiet").out == ""
    assert not (tmp_path / "nowhere").exists()


def test_only_what_changes_a_schedule_is_an_option():
    """Each setting on its command line is one that `ec.explain` or the reading of a workload takes."""
    taken = {*inspect.signature(ec.explain).parameters, *inspect.signature(ec.read_workload).parameters}
    assert {setting.name for setting in _settings()} <= taken


def test_settings_of_results_in_a_scenario_are_no_hindrance(echelon, six_jobs, tmp_path):
    """A file that also says what its folder contains explains the same as the options."""
    file = tmp_path / "scenario.toml"
    file.write_text(f'workload = "{six_jobs}"\npolicy = "easy"\ndates = "iso"\nlog_waits = true\n')
    assert (
        echelon("explain", file, "--job", 3).out
        == echelon("explain", six_jobs, "--policy", "easy", "--job", 3).out
    )
