"""``echelon convert``."""

from __future__ import annotations

import pytest

from echelon import read_workload


def test_says_what_was_converted_and_lost(echelon, six_jobs, tmp_path):
    """A format that holds less is told field by field."""
    said = echelon("convert", six_jobs, tmp_path / "six.sim", "--drop-invalid")
    assert (said.code, said.err) == (0, "")
    assert "5 of 6 jobs of six written to" in said.out
    assert "as sst-sim." in said.out
    assert "Changed: kept 5 of 6 jobs: run time > 0, a size and submit time >= 0." in said.out
    assert "Lost: user of 5 jobs (now unknown)." in said.out
    assert len(read_workload(tmp_path / "six.sim")) == 5


def test_accounts_are_lost_in_json(echelon, tmp_path):
    """Slurm's accounts have no place in workload.json: that is said, and the file can be read back."""
    (tmp_path / "in.sacct").write_text(
        "JobID|User|Account|Submit|Start|End|Elapsed|Timelimit|AllocCPUS|State\n1|ada|physics|2024-01-31T12:00:00|2024-01-31T12:00:05|2024-01-31T12:10:05|00:10:00|00:20:00|4|COMPLETED\n2|bob|physics|2024-01-31T12:00:09|Unknown|Unknown|00:00:00|00:20:00|4|CANCELLED\n"
    )
    said = echelon("convert", tmp_path / "in.sacct", tmp_path / "out.json", "--drop-invalid")
    assert (said.code, said.err) == (0, "")
    assert "Lost: the accounting data on accounts." in said.out
    assert read_workload(tmp_path / "out.json").names["user"] == ("ada", "bob")


@pytest.mark.parametrize("file", ["out.json", "out.swf", "out.csv"])
def test_no_job_is_left(echelon, tmp_path, file):
    """Where changes leave no job, that is an error, and no file is written, which could not be read back."""
    log = "JobID|Submit|Start|End|Elapsed|AllocCPUS\n2|2024-01-31T12:00:09|Unknown|Unknown|00:00:00|4\n"
    (tmp_path / "in.sacct").write_text(log)
    said = echelon("convert", tmp_path / "in.sacct", tmp_path / file, "--drop-invalid")
    assert said.code == 2
    assert said.sentence == (
        "echelon: in: no job is left to write: kept 0 of 1 jobs: run time > 0, a size and submit time >= 0"
    )
    assert not (tmp_path / file).exists()


def test_nothing_lost(echelon, six_jobs, tmp_path):
    """SWF holds all that SWF has, compressed or not."""
    said = echelon("convert", six_jobs, tmp_path / "again.swf.gz")
    assert "Nothing was lost" in said.out
    assert read_workload(tmp_path / "again.swf.gz") == read_workload(six_jobs)


def test_formats_by_name(echelon, six_jobs, tmp_path):
    """--from and --to count more than endings."""
    source = six_jobs.rename(tmp_path / "six.log")
    said = echelon("convert", source, tmp_path / "six.txt", "--from", "swf", "--to", "csv", "--quiet")
    assert said == (0, "", "")
    assert read_workload(tmp_path / "six.txt", format="csv").run_time.tolist() == [100, 100, 50, -1, 10, 10]


@pytest.mark.parametrize(
    ("arguments", "field", "expected"),
    [
        ("--window-start 2", "submit_time", [2, 3, 4, 300]),
        ("--window-end 2", "submit_time", [0, 1]),
        ("--window-start 1 --window-end 3 --first 1", "submit_time", [1]),
        ("--drop-invalid --first 4", "job_id", [1, 2, 3, 5]),
        ("--scale-load 2", "submit_time", [0, 0.5, 1, 1.5, 2, 150]),
        ("--scale-size 8", "processors", [6, 8, 2, 2, 18, 2]),
        ("--off-line", "submit_time", [0, 0, 0, 0, 0, 0]),
        ("--off-line --window-start 2", "job_id", [3, 4, 5, 6]),
        ("--repair-estimates", "requested_time", [100, 100, 50, 50, 50, 10]),
        ("--drop-invalid --renumber", "job_id", [1, 2, 3, 4, 5]),
    ],
)
def test_changes(echelon, six_jobs, *, arguments, field, expected):
    """Each option changes what it says, in the order of the help page."""
    target = six_jobs.with_name("new.swf")
    assert echelon("convert", six_jobs, target, *arguments.split(), "-q").code == 0
    assert getattr(read_workload(target), field).tolist() == expected


def test_to_standard_output(echelon, six_jobs, tmp_path):
    """- writes the workload and nothing else to standard output; what is said goes to stderr."""
    said = echelon("convert", six_jobs, "-", "--to", "csv", "--first", 2)
    (tmp_path / "two.csv").write_text(said.out)
    assert said.code == 0
    assert read_workload(tmp_path / "two.csv").run_time.tolist() == [100, 100]
    assert said.err.startswith("2 of 6 jobs of six written as csv.\n")
    assert echelon("convert", six_jobs, "-", "--to", "csv", "--first", 2, "-q") == (0, said.out, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["six.swf", "two.csv"]


def test_sort(echelon, six_jobs, tmp_path):
    """--sort orders by submit time."""
    lines = six_jobs.read_text().splitlines(keepends=True)
    six_jobs.write_text("".join([*lines[:5], *lines[:4:-1]]))
    assert echelon("convert", six_jobs, tmp_path / "new.swf", "--sort").code == 0
    assert read_workload(tmp_path / "new.swf").job_id.tolist() == [1, 2, 3, 4, 5, 6]


def test_an_existing_file_survives_a_failure(echelon, six_jobs, tmp_path):
    """A conversion that fails leaves what was there."""
    target = tmp_path / "old.swf"
    target.write_text("precious")
    six_jobs.write_text("1 2 3\n")
    assert echelon("convert", six_jobs, target).code == 2
    assert target.read_text() == "precious"


def test_a_log_becomes_jobs_with_tasks(echelon, six_jobs, tmp_path):
    """workload.json tells tasks: assumed ones are printed and kept in the file."""
    out = tmp_path / "six.json"
    said = echelon("convert", six_jobs, out, "--drop-invalid", "--tasks", "by-size:cores=3,comm=5")
    assert (said.code, said.err) == (0, "")
    assert "Changed: tasks assumed: by-size of 3 cores, one task per processor, speed 1000000000" in said.out
    assert "Nothing was lost" in said.out
    demands = read_workload(out).demands
    assert demands is not None
    assert demands.sequential.tolist() == [True, False, True, False, True]
    assert demands.communication_volume.tolist() == [0, 5, 0, 5, 0]
    assert "transformed           tasks assumed" not in said.out
    assert "tasks assumed: by-size of 3 cores" in " ".join(read_workload(out).header.all("Note"))


def test_tasks_are_assumed_where_a_format_needs_them(echelon, six_jobs, tmp_path):
    """Without --tasks jobs are MPI jobs, and that is said; a file that has tasks keeps them."""
    out, again = tmp_path / "six.json", tmp_path / "again.json"
    assert (
        "tasks assumed: mpi, one task per processor"
        in echelon("convert", six_jobs, out, "--drop-invalid").out
    )
    said = echelon("convert", out, again)
    assert "tasks assumed" not in said.out
    assert read_workload(again) == read_workload(out)
    assert "Lost: the demand of the jobs' tasks" in echelon("convert", out, tmp_path / "six.swf").out


def test_jobs_that_never_ran_have_no_tasks(echelon, six_jobs, tmp_path):
    """One sentence names the first, and the option that leaves such jobs out."""
    said = echelon("convert", six_jobs, tmp_path / "six.json")
    assert said.code == 2
    assert "1 of 6 jobs have no run time > 0, which tasks need (first: job 4)" in said.sentence
    assert "--drop-invalid" in said.sentence
