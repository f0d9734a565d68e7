"""``echelon submit``: what arrives at the service, and what is printed."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from echelon.cli.serving.job_body import seconds_of
from echelon.errors import InputError
from fake_server import serving


def bodies(service) -> list[dict[str, object]]:
    """Return what was submitted, without the working directory where it is this one."""
    here = str(Path.cwd())
    return [
        {name: value for name, value in body.items() if (name, value) != ("directory", here)}
        for body in service.bodies
    ]


def test_jobs_work_where_they_are_submitted(echelon, service, monkeypatch, tmp_path):
    """On this machine the current directory is the job's, as with sbatch; an application has its own."""
    monkeypatch.chdir(tmp_path)
    assert echelon("submit", "--", "./here").code == 0
    assert echelon("submit", "--app", "solver").code == 0
    assert echelon("submit", "--chdir", "/", "--", "a").code == 0
    with serving(service) as address:
        assert echelon("submit", "--service", address, "--", "./there").code == 0
    assert [body.get("directory") for body in service.bodies] == [str(tmp_path), None, "/", None]


def test_a_program_and_its_arguments(echelon, service):
    """The job's number is printed as sbatch does; options after the program are the program's."""
    said = echelon("submit", "-n", 16, "-t", "1:00", "--name", "heat", "--", "./solver", "-n", "3", "a b")
    assert said == (0, "Submitted job 1\n", "")
    assert bodies(service) == [
        {"command": ["./solver", "-n", "3", "a b"], "processors": 16, "time_limit": 60.0, "name": "heat"}
    ]


def test_the_sign_before_the_program_may_be_left_out(echelon, service):
    """The first word that is no option begins the program; all that follows is its own."""
    assert echelon("submit", "-n", 2, "prog", "--wait", "--debug", "-h").out == "Submitted job 1\n"
    assert bodies(service)[0] == {"command": ["prog", "--wait", "--debug", "-h"], "processors": 2}
    assert echelon("submit", "--", "prog", "--", "--debug").out == "Submitted job 2\n"
    assert bodies(service)[1] == {"command": ["prog", "--", "--debug"]}


def test_debug_before_the_program_is_ours(echelon, tmp_path):
    """The traceback of an error comes where --debug stands before the program."""
    file = f"unix://{tmp_path}/none.sock"
    assert "Traceback" in echelon("--debug", "submit", "--service", file, "--", "a").err
    assert "Traceback" not in echelon("submit", "--service", file, "--", "a", "--debug").err


def test_all_other_options(echelon, service, monkeypatch, tmp_path):
    """Each option is a field of the job; lists may be joined by commas or repeated."""
    monkeypatch.setenv("HERE", "x=y z")
    monkeypatch.chdir(tmp_path)
    arguments = (
        *(
            "--memory",
            "4G",
            "--clusters",
            "alpha,beta",
            "--clusters",
            "gamma",
            "--after",
            "3,4",
            "--retries",
            2,
        ),
        *("--hold", "--output", "out.txt", "--error", "/tmp/err", "--chdir", "runs", "--env", "A=b=c"),
        *("--env", "HERE", "--env", "EMPTY=", "--option", "partition=long"),
    )
    assert echelon("submit", *arguments, "--", "a").code == 0
    assert bodies(service)[0] == {
        **{
            "command": ["a"],
            "memory": 4 * 1024**3,
            "clusters": ["alpha", "beta", "gamma"],
            "after": ["3", "4"],
        },
        **{"retries": 2, "hold": True, "output": "out.txt", "error": "/tmp/err"},
        **{"directory": f"{tmp_path}{os.sep}runs", "environment": {"A": "b=c", "HERE": "x=y z", "EMPTY": ""}},
        "options": {"partition": "long"},
    }


def test_an_application_with_parameters(echelon, service):
    """Its parameters follow as NAME=VALUE."""
    assert echelon("submit", "--app", "solver", "-n", 4, "cells=1000", "title=a b").code == 0
    assert bodies(service)[0] == {
        **{"application": "solver", "parameters": {"cells": "1000", "title": "a b"}, "processors": 4}
    }


def test_scripts_from_files_and_from_standard_input(echelon, service, monkeypatch, tmp_path):
    """The text goes as it is."""
    text = "#!/bin/sh\necho 'a\tb' $HOME\n"
    (tmp_path / "job.sh").write_text(text)
    assert echelon("submit", "--script", tmp_path / "job.sh").code == 0
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert echelon("submit", "--script", "-").code == 0
    assert bodies(service) == [{"script": text}, {"script": text}]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "nothing is to run: name a program (echelon submit -n 4 -- prog args), --script or --app"),
        (("-t", "soon", "--", "a"), "--time: got 'soon', expected a time above 0: minutes, MM:SS"),
        (("-t", "0", "--", "a"), "--time: got '0', expected a time above 0"),
        (("--memory", "4Gn", "--", "a"), "--memory: got '4Gn', expected an amount above 0 for the whole job"),
        (("--memory", "-1", "--", "a"), "--memory: got '-1'"),
        (("-n", "0", "--", "a"), "Invalid value for '--processors' / '-n': 0 is not in the range x>=1"),
        (("--app", "solver", "cells"), "--app solver: expected NAME=VALUE, got 'cells'"),
        (("--app", "solver", "a=1", "a=2"), "--app solver: a is given more than once; give it once"),
        (("--app", "solver", "--script", "f"), "--app and --script exclude each other; give one"),
        (("--script", "/nowhere/f"), "/nowhere/f: cannot be read: No such file or directory"),
        (("--script", os.devnull), f"{os.devnull}, line 1: must begin with #! and an interpreter"),
        (("--script", os.devnull, "arg"), "--script: a script takes no arguments here, got 'arg'"),
        (("--env", "NOT_SET_HERE", "--", "a"), "--env: 'NOT_SET_HERE' is not set here"),
        (("--name", "a", "--name", "b", "--", "c"), "is given more than once"),
    ],
)
def test_what_is_refused(echelon, service, arguments, sentence):
    """One sentence says what is wrong, and nothing is sent."""
    said = echelon("submit", *arguments)
    assert said.code == 2
    assert sentence in said.sentence
    assert service.requests == []


def test_a_script_that_is_no_text(echelon, service, tmp_path):
    """A binary file is refused by name."""
    (tmp_path / "prog").write_bytes(b"\x7fELF\xff\xfe")
    assert (
        "is no script: it is not text in UTF-8" in echelon("submit", "--script", tmp_path / "prog").sentence
    )
    assert service.requests == []


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        *(("10", 600.0), ("1:00", 60.0), ("1:00:00", 3600.0), ("2-0", 172800.0), ("1-2:03:04", 93784.0)),
        *(("90s", 90.0), ("15min", 900.0), ("1.5h", 5400.0), ("1d", 86400.0), (" 2 h ", 7200.0)),
    ],
)
def test_times_are_slurms_or_have_a_unit(text, seconds):
    """Minutes alone, or parts with colons as sbatch reads them; a number with a unit."""
    assert seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["", "1m", "-5", "1:2:3:4", "nan", "inf", "٣"])
def test_other_times_are_refused(text):
    """Nothing is guessed."""
    with pytest.raises(InputError, match="expected a time above 0"):
        seconds_of(text)


def test_a_refusal_is_one_sentence(echelon, service):
    """What the service says against a job is the message; escape sequences in it are harmless."""
    service.refuse = {"detail": "no cluster has 99 processors\x1b[2J", "field": "processors", "status": 422}
    said = echelon("submit", "-n", 99, "--", "a")
    assert said == (2, "", "echelon: processors: no cluster has 99 processors\\x1b[2J\n")


def test_no_service_is_one_sentence(echelon, monkeypatch, tmp_path):
    """The message says how to start one."""
    monkeypatch.setenv("ECHELON_SERVICE", f"unix://{tmp_path}/none.sock")
    assert echelon("submit", "--", "a").sentence == (
        f"echelon: no service answers at unix://{tmp_path}/none.sock; start one with: echelon serve"
    )


def test_a_key_makes_it_one_job(echelon, service):
    """The same key is the same job; JSON shows all of it."""
    first = echelon("submit", "--key", "k", "--json", "--", "a").json
    assert echelon("submit", "--key", "k", "--json", "--", "a").json == first
    assert first["number"] == 1
    assert len(service.jobs) == 1
