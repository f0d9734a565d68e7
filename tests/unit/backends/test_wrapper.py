"""The wrapper around a job: one claim, exact arguments, the record of the end, signals and limits."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.backends.claims import Claims, record_of
from echelon.backends.contract import Outcome, Submission
from echelon.backends.wrapper import CANNOT_CLAIM, NO_PLACE, UNCLAIMED, quote, wrap
from echelon.errors import InputError

SHELLS = [shell for shell in ("/bin/dash", "/bin/bash", "/bin/busybox") if Path(shell).exists()]
HOSTILE = (
    "'; rm -rf /; '",
    'a "b" c',
    "$HOME ${HOME} $(id) `id`",
    "one\ntwo\n",
    "\\n \\\\ \\",
    "*",
    "~",
    "#",
    "-n",
    "",
    "%s %d %%",
    "äöü € 漢字 \U0001f600 \x81\x88",
    "\t\x01\x1b[31m\x7f",
    "!!",
)


class Place:
    """A directory of claims, and what is started there; everything ends with the test."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.claims = Claims(path / "it's shared")
        self.claims.prepare()
        self.started: list[subprocess.Popen[bytes]] = []

    def start(self, tag, *command, guards=True, shell="/bin/sh", grace=1.0, redirects=True, **given):
        submission = Submission(tag, command, **{"directory": str(self.path), **given})
        text = wrap(submission, self.claims.directory, guards=guards, redirects=redirects, grace=grace)
        file = self.path / f"{tag}.{len(self.started)}.sh"
        file.write_text(text, encoding="utf-8", errors="surrogateescape")
        shells = [shell, "sh"] if shell.endswith("busybox") else [shell]
        log = self.path / "log"
        with log.open("ab") as out:
            process = subprocess.Popen(
                [*shells, str(file)],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )
        self.started.append(process)
        return process

    def run(self, tag, *command, **given):
        """Run a job to its end; return the record of its end."""
        self.start(tag, *command, **given).wait(20)
        return self.claims.records([tag]).get(tag)

    def output(self, tag) -> str:
        return (self.path / f"{tag}.out").read_text(encoding="utf-8")

    def wait_for(self, file: str) -> str:
        for _ in range(500):
            if (self.path / file).exists() and (text := (self.path / file).read_text()):
                return text
            time.sleep(0.01)
        raise AssertionError(file)


@pytest.fixture
def place(tmp_path):
    place = Place(tmp_path)
    yield place
    for process in place.started:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    for payload in place.claims.directory.glob("jobs/*/payload"):
        try:
            os.killpg(int(payload.read_text().split()[0]), signal.SIGKILL)
        except ProcessLookupError:
            continue


@pytest.mark.slow
@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("guards", [True, False])
def test_words_arrive_unchanged(place, shell, guards):
    """Arguments and variables with quotes, ends of lines, blanks, substitutions and any letters arrive."""
    script = (
        "import os, sys; sys.stdout.write(ascii((sys.argv[1:], [os.environ[n] for n in ('A.B', 'UID')])))"
    )
    environment = (("A.B", "".join(HOSTILE)), ("UID", "x"), ("ech_job", "y"))
    record = place.run(
        "arguments", "python3", "-c", script, *HOSTILE, shell=shell, guards=guards, environment=environment
    )
    assert record.outcome == Outcome.COMPLETED
    assert place.output("arguments") == ascii(([*HOSTILE], ["".join(HOSTILE), "x"]))


@pytest.mark.parametrize("word", HOSTILE)
def test_a_quoted_word_is_one_word(word):
    """Whatever is in a word, the shell sees one word and no command."""
    shown = subprocess.run(["/bin/sh", "-c", f"printf '%s|' {quote(word)}"], capture_output=True, check=True)
    assert shown.stdout.decode() == word + "|"


@pytest.mark.slow
@given(
    arguments=st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])), max_size=4)
)
@examples(60)
def test_any_texts_are_as_many_arguments(arguments):
    """Whatever is in arguments, the shell hands them to a program as they are."""
    program = [sys.executable, "-S", "-c", "import sys; print(ascii(sys.argv[1:]))"]
    command = " ".join(map(quote, [*program, *arguments]))
    shown = subprocess.run(["/bin/sh"], input=command.encode(), capture_output=True, check=True)
    assert shown.stdout.decode().strip() == ascii(arguments)


@pytest.mark.parametrize("program", ["exit", "eval", "cd", "ech_time", "A=b", "if"])
def test_a_program_is_a_program(place, program):
    """Names that a shell would take for its own are names of programs, which are not there."""
    record = place.run("shell-word", program, "3")
    assert (record.outcome, record.exit_code) == (Outcome.FAILED, 127)


def test_a_program_with_an_equals_sign_runs(place):
    """A program whose path has an equals sign is no variable, and gets its variables."""
    program = place.path / "a=b"
    program.write_text('#!/bin/sh\necho "$X $1"\n')
    program.chmod(0o700)
    place.run("equals", str(program), "two", environment=(("X", "one"),))
    assert place.output("equals") == "one two\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "printed"),
    [
        ("#!/usr/bin/env python3\nimport sys\nprint('it\\'s', '%s', len(sys.argv))", "it's %s 1\n"),
        ("printf '%s' \"$0\" | sed 's|.*/||'", "script"),
        ("#!/bin/sh\ncat <<'END'\n$x `y` 'z'\nEND\n", "$x `y` 'z'\n"),
    ],
)
def test_scripts_keep_their_first_line(place, script, printed):
    """A script runs as its own first line says, else in the shell, and its text is not changed."""
    record = place.run("script", script=script)
    assert (record.exit_code, place.output("script")) == (0, printed)


@pytest.mark.parametrize("code", [0, 1, 75, 126, 200, 255])
@pytest.mark.parametrize("guards", [True, False])
def test_exit_codes_are_recorded(place, code, guards):
    """The record has the exit code of the payload, and the wrapper exits with it."""
    process = place.start("code", "sh", "-c", f"exit {code}", guards=guards)
    assert process.wait(20) == code
    record = place.claims.records(["code"])["code"]
    assert (record.exit_code, record.signal) == (code, None)
    assert record.outcome == (Outcome.COMPLETED if code == 0 else Outcome.FAILED)
    assert time.time() - 20 < record.started_at <= record.ended_at <= time.time()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
def test_signals_are_recorded(place, number):
    """A payload that a signal ends is FAILED by that signal; INT is not ignored in it."""
    record = place.run("signal", "sh", "-c", f"kill -{int(number)} $$")
    assert (record.outcome, record.exit_code, record.signal) == (Outcome.FAILED, None, number)


def test_a_payload_cannot_signal_its_wrapper(place):
    """`kill 0` in a script, as many have it at their end, does not reach the wrapper."""
    record = place.run("own", "sh", "-c", "trap 'kill -9 0' EXIT; exit 3")
    assert (record.outcome, record.signal) == (Outcome.FAILED, signal.SIGKILL)


@pytest.mark.slow
def test_one_of_many_racers_has_the_claim(place):
    """Of many wrappers and services at once exactly one gets the claim, and all agree on who."""
    pauses = [0.0, 0.0, 0.002, 0.002, 0.004, 0.004, 0.006, 0.006, 0.3]
    winners = {_race(place, f"race-{number}", pause) for number, pause in enumerate(pauses)}
    assert "job" in winners


def _race(place, tag: str, pause: float) -> str:
    """Let three wrappers and three services race for a claim; return who has it."""
    taken: list[bool] = []
    services = [threading.Thread(target=lambda: taken.append(place.claims.revoke([tag])[tag])) for _ in "123"]
    racers = []
    for service in services:
        racers.append(place.start(tag, "sh", "-c", f"echo ran >> {place.path}/{tag}.ran", guards=False))
        time.sleep(pause)
        service.start()
    codes = sorted(racer.wait(20) for racer in racers)
    for service in services:
        service.join()
    ran = (place.path / f"{tag}.ran").read_text() if (place.path / f"{tag}.ran").exists() else ""
    assert (codes, ran) in (([0, UNCLAIMED, UNCLAIMED], "ran\n"), ([UNCLAIMED] * 3, ""))
    assert taken == [not ran] * 3
    assert place.claims.find_claimed([tag]) == (frozenset([tag]) if ran else frozenset())
    return "job" if ran else "service"


def test_a_claim_has_an_owner_at_every_moment(place):
    """A wrapper killed right after its claim has it for good: no service gets it, and nothing runs again."""
    text = wrap(Submission("dead", ("true",), directory="/"), place.claims.directory, guards=False)
    claims, rest = text.split("ech_time() {")
    assert "ech_code=$?" in rest
    subprocess.run(["/bin/sh", "-c", claims + "kill -9 $$"], check=False)
    assert place.claims.revoke(["dead"]) == {"dead": False}
    evidence = place.claims.evidence(["dead"])
    assert (evidence.claimed, evidence.records) == (frozenset(["dead"]), {})
    assert place.start("dead", "true").wait(20) == UNCLAIMED


@pytest.mark.slow
@pytest.mark.parametrize("guards", [True, False])
def test_a_wrapper_that_dies_at_any_step_runs_once(place, guards):
    """Killed after any step, a wrapper leaves a job that another one starts, or one that has its claim."""
    ran = place.path / "ran"
    for number in range(12):
        tag = f"step-{number}"
        submission = Submission(tag, ("sh", "-c", f"echo {tag} >> ran"), directory=str(place.path))
        text = wrap(submission, place.claims.directory, guards=guards, grace=1.0)
        steps = text.split("\n\n")
        if number == len(steps) - 1:
            break
        cut = "\n\n".join(steps[: number + 1]) + "\nkill -9 $$\n"
        first = subprocess.Popen(["/bin/sh", "-c", cut], start_new_session=True, stderr=subprocess.DEVNULL)
        assert first.wait(20) == -signal.SIGKILL
        _kill_group(first.pid)
        has_claim = tag in place.claims.find_claimed([tag])
        again = place.start(tag, *submission.command, guards=guards)
        assert again.wait(20) == (UNCLAIMED if has_claim else 0)
        runs = ran.read_text().split().count(tag) if ran.exists() else 0
        assert runs == 1 or (runs == 0 and has_claim)
    assert number > 3


def _kill_group(leader: int) -> None:
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        return


def test_a_service_that_died_keeps_its_claims(place):
    """What was revoked stays so: the next service takes it again, and no job starts."""
    assert place.claims.revoke(["gone"]) == {"gone": True}
    again = Claims(place.claims.directory)
    assert again.revoke(["gone", "new"]) == {"gone": True, "new": True}
    assert place.start("gone", "touch", str(place.path / "ran")).wait(20) == UNCLAIMED
    assert not (place.path / "ran").exists()
    assert again.find_claimed(["gone"]) == frozenset()


def test_what_is_not_known_is_not_said(place, tmp_path):
    """Without its directory no claim is taken or missing, and the wrapper does not start its job."""
    away = Claims(tmp_path / "away")
    assert away.revoke(["a"]) == {}
    assert not away.evidence(["a"]).is_complete
    text = wrap(Submission("a", ("touch", "ran"), directory=str(tmp_path)), away.directory, guards=False)
    done = subprocess.run(["/bin/sh", "-c", text], capture_output=True, check=False)
    assert done.returncode == CANNOT_CLAIM
    assert b"cannot make the claim" in done.stderr
    assert not (tmp_path / "ran").exists()


def test_a_time_limit_ends_the_job(place):
    """At its limit a job gets TERM, and what ignores it is killed after the grace."""
    began = time.time()
    record = place.run("late", "sh", "-c", "trap '' TERM; sleep 60; sleep 60", time_limit=1.0)
    assert (record.outcome, record.signal) == (Outcome.TIMED_OUT, signal.SIGKILL)
    assert 1.9 < time.time() - began < 6


def test_a_term_to_the_wrapper_reaches_the_payload(place):
    """TERM to the wrapper's group reaches all processes of the payload, which may end as it likes."""
    script = "trap 'echo got it; exit 5' TERM; sleep 60 & echo $! > child; wait"
    process = place.start("stop", "sh", "-c", script)
    child = int(place.wait_for("child"))
    os.killpg(process.pid, signal.SIGTERM)
    assert process.wait(20) == 5
    record = place.claims.records(["stop"])["stop"]
    assert (record.outcome, record.exit_code) == (Outcome.CANCELED, 5)
    assert place.output("stop") == "got it\n"
    assert not _runs(child)


def test_nothing_is_left_behind(place):
    """What a job leaves in the background is killed at its end."""
    place.run("leaves", "sh", "-c", "sleep 60 & echo $! > child")
    assert not _runs(int((place.path / "child").read_text()))


@pytest.mark.parametrize("guards", [False, True])
def test_a_job_without_a_directory_has_one_of_its_own(place, guards):
    """What it prints and writes is in the folder of its tag, which only its user may read."""
    record = place.run("own", "sh", "-c", "echo here > file; pwd", directory="", guards=guards)
    folder = place.claims.directory / "jobs" / "own"
    assert record.exit_code == 0
    assert (folder / "file").read_text() == "here\n"
    assert (folder / "own.out").read_text() == f"{folder}\n"
    assert folder.stat().st_mode & 0o77 == 0


def test_output_files(place):
    """Output and errors go to the files of the job; where they cannot, it fails before it starts."""
    place.run("both", "sh", "-c", "echo out; echo err >&2")
    assert place.output("both") == "out\nerr\n"
    place.run("apart", "sh", "-c", "echo out; echo err >&2", output="o $x'", error="e\n")
    assert ((place.path / "o $x'").read_text(), (place.path / "e\n").read_text()) == ("out\n", "err\n")
    assert place.run("nowhere", "true", directory="/no/where").exit_code == NO_PLACE
    assert place.run("no-file", "true", output="/no/where").exit_code == NO_PLACE


@pytest.mark.parametrize("guards", [True, False])
def test_a_job_without_a_directory_has_its_own(place, guards):
    """It runs in the directory of its tag, beside the claims, and leaves there what it prints."""
    assert place.run("homeless", "pwd", directory="", guards=guards).exit_code == 0
    own = place.claims.directory / "jobs" / "homeless"
    assert (own / "homeless.out").read_text() == f"{own}\n"


def test_a_wrapper_with_guards_starts_in_a_session_only(place):
    """A wrapper that would signal the group of others refuses to start, and claims nothing."""
    text = wrap(Submission("alone", ("true",), directory="/"), place.claims.directory, guards=True)
    done = subprocess.run(["/bin/sh", "-c", f"({text}\n)"], capture_output=True, check=False)
    assert done.returncode == 71
    assert not (place.claims.directory / "claims/alone").exists()


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"tag": "a/b"}, "tag"),
        ({"tag": "A"}, "tag"),
        ({"tag": "a" * 64}, "tag"),
        ({"command": ()}, "command"),
        ({"command": ("",)}, "command"),
        ({"command": ("-x",)}, "command"),
        ({"directory": "here"}, "directory"),
        ({"environment": (("", "x"),)}, "environment"),
        ({"environment": (("a=b", "x"),)}, "environment"),
        ({"command": ("a\0b",)}, None),
    ],
)
def test_what_cannot_be_said_to_a_shell_is_refused(given, field):
    """A tag that is no file name, no program, and variables without a name are errors with their field."""
    submission = Submission(**{"tag": "a", "command": ("true",), **given})
    with pytest.raises(InputError) as caught:
        wrap(submission, Path("/d"), guards=True)
    assert caught.value.field == field


@pytest.mark.parametrize("text", ["", "0", "0 0 1 2", "x 0 1 2 end", "0 0 1 2 end more", "\ufffd"])
def test_damaged_records_say_nothing(text):
    """A record that a crash of the machine has damaged counts as none."""
    assert record_of(text) is None


def test_old_claims_are_pruned(place):
    """What ended long ago is removed, but not what is kept or new."""
    for tag in ("old", "kept", "new"):
        place.run(tag, "true")
        if tag != "new":
            os.utime(place.claims.directory / "exits" / tag, (1.0, 1.0))
    place.claims.prune(time.time() - 100, {"kept"})
    assert place.claims.find_claimed(["old", "kept", "new"]) == {"kept", "new"}
    assert {path.name for path in (place.claims.directory / "jobs").iterdir()} == {"kept", "new"}


def _runs(pid: int) -> bool:
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return False
        if state in "ZX":
            return False
        time.sleep(0.01)
    return True
