"""The text that sbatch gets has the service's header, and the job as nothing but data."""

from __future__ import annotations

import subprocess

import pytest

from echelon.backends.contract import Submission
from echelon.backends.slurm.job import text_of
from echelon.backends.slurm.settings import SlurmSettings
from echelon.errors import InputError, UnknownNameError

SETTINGS = SlurmSettings(partition="main", account="project", directory="/shared/echelon")
BARE = SlurmSettings()


def header(text):
    """Return the lines that sbatch reads: those up to the first line of commands."""
    found = []
    for line in text.splitlines():
        if line.startswith("#SBATCH "):
            found.append(line.removeprefix("#SBATCH "))
        elif not line.startswith("#"):
            break
    return found


def test_the_header_says_what_the_job_needs():
    """Name, tasks, limit, memory and options are in the header; a job's own option wins."""
    job = Submission(
        "ech-a-1",
        ("true",),
        processors=4,
        time_limit=90.2,
        memory=4_000_000,
        directory="/tmp",
        options=(("partition", "gpu"), ("gres", "gpu:2"), ("nodes", "1-2")),
    )
    assert header(text_of(job, SETTINGS)) == [
        "--job-name=ech-a-1",
        "--ntasks=4",
        "--chdir=/",
        "--output=/dev/null",
        "--time=1:31",
        "--mem-per-cpu=977K",
        "--partition=gpu",
        "--account=project",
        "--gres=gpu:2",
        "--nodes=1-2",
    ]


def test_tasks_share_processors():
    """Tasks of several processors hold what the job asks for together; else the job is refused."""
    job = Submission("ech-a-1", ("true",), processors=8, options=(("cpus-per-task", "4"),))
    assert "--ntasks=2" in header(text_of(job, SETTINGS))
    with pytest.raises(InputError, match="does not divide"):
        text_of(Submission("ech-a-1", ("true",), processors=6, options=(("cpus-per-task", "4"),)), SETTINGS)


@pytest.mark.parametrize("settings", [SETTINGS, BARE])
def test_directives_of_users_do_nothing(settings):
    """Lines for sbatch in a script, in arguments or in variables are not in the header."""
    lines = "#!/bin/sh\n#SBATCH --job-name=evil\n#SBATCH --uid=0\n"
    jobs = (
        Submission("ech-a-1", script=lines, directory="/tmp"),
        Submission(
            "ech-a-1",
            ("echo", f"\n{lines}"),
            directory=f"/tmp/{lines}",
            environment=(("A\n#SBATCH --uid", lines),),
        ),
    )
    for job in jobs:
        assert not any("evil" in line or "uid" in line for line in header(text_of(job, settings)))


def test_options_are_of_a_list_and_look_as_they_must():
    """Unknown options and values that hold more than a value are refused."""
    with pytest.raises(UnknownNameError, match="mail-user"):
        text_of(Submission("ech-a-1", ("true",), options=(("mail-user", "x"),)), SETTINGS)
    for value in ("a b", "a\n#SBATCH --uid=0", "$(id)", "", "'"):
        with pytest.raises(InputError):
            text_of(Submission("ech-a-1", ("true",), options=(("constraint", value),)), SETTINGS)


def test_no_line_ends_as_in_dos():
    """Texts have no carriage returns, which sbatch refuses, whatever the job has."""
    job = Submission("ech-a-1", ("printf", "a\r\nb"), directory="/tmp", environment=(("A", "\r"),))
    assert "\r" not in text_of(job, SETTINGS)


@pytest.mark.parametrize("kind", ["command", "script"])
def test_a_job_without_claims_runs_as_it_was_given(tmp_path, kind):
    """Without a directory the text itself runs the job: arguments, variables, files and the exit code."""
    arguments = ("a b", "q'\"\n$x `y`\r\n!\\", "-n", "", "é")
    given = {"command": ("sh", "-c", 'printf "%s|" "$@" "$A B"; echo oops >&2; exit 7', "sh", *arguments)}
    if kind == "script":
        given = {"script": '#!/bin/sh\nprintf "%s|" "$WORD"; echo oops >&2; exit 7\n'}
    place = tmp_path / "a 'place'"
    place.mkdir()
    job = Submission(
        "ech-a-1", directory=str(place), environment=(("WORD", arguments[1]),), error="errors", **given
    )
    text = text_of(job, BARE)
    done = subprocess.run(["sh"], input=text.encode(), check=False, capture_output=True)
    assert done.returncode == 7, done.stderr
    expected = arguments[1] + "|" if kind == "script" else "|".join([*arguments, " B"]) + "|"
    assert (place / "ech-a-1.out").read_bytes().decode() == expected
    assert (place / "errors").read_text() == "oops\n"


def test_what_is_no_job_is_refused():
    """A job without a program, or with arguments that no program can get, is an error."""
    for settings in (SETTINGS, BARE):
        for given in (
            {},
            {"command": ("",)},
            {"command": ("-x",)},
            {"command": ("a\0b",)},
            {"command": ("a",), "environment": (("A=B", "c"),)},
            {"command": ("a",), "environment": (("", "c"),)},
        ):
            with pytest.raises(InputError):
                text_of(Submission("ech-a-1", **given), settings)
