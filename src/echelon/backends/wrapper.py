"""Wrapper: the text of a shell script around a job, which claims it, runs it, and records its end."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from echelon.backends.wrapper_text import (
    CLAIM,
    FIRST_LINE,
    GUARD,
    GUARDED_PAYLOAD,
    IS_GUARDED,
    LEADER,
    LEAVE,
    LEAVE_NOTHING,
    PAUSES,
    PAYLOAD,
    RECORD,
    SCRIPT,
    TIME,
)
from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import PurePath

    from echelon.backends.contract import Submission

UNCLAIMED = 75
"""Exit code of a wrapper whose job was claimed before: its payload did not start."""

CANNOT_CLAIM = 73
"""Exit code of a wrapper that could neither claim its job nor find it claimed."""

NO_PLACE = 72
"""Exit code of a job whose working directory or output files cannot be used at its node."""

_TAG = re.compile(r"[a-z0-9-]{1,63}")
_FOREVER = 2**31 - 1


def quote(text: str) -> str:
    """Return `text` as one word of a POSIX shell, whatever is in it.

    Raises
    ------
    InputError
        If it has the character 0, which no argument of a program can have.
    """
    if "\0" in text:
        raise InputError("has the character 0, which no argument or variable of a program can have")
    return "'" + text.replace("'", "'\\''") + "'"


def wrap(
    submission: Submission,
    directory: PurePath,
    *,
    guards: bool,
    redirects: bool = True,
    grace: float = 10.0,
) -> str:
    """Return the text of a POSIX shell script that runs a job once, wherever and however often it starts.

    Parameters
    ----------
    submission : Submission
        The job.
    directory : PurePath
        The directory that its nodes share with the service, see `Claims`.
    guards : bool
        Whether the wrapper runs the payload in a session of its own, enforces the time limit, forwards TERM,
        kills what does not end after it, and kills what the job leaves behind. It must then be started as the
        leader of a session, on Linux with ``setsid``, and is stopped by a TERM to its process group. Else its
        cluster does all this, and signals all processes of a job.
    redirects : bool, default True
        Whether the wrapper opens the files for what the job prints; else its cluster does.
    grace : float, default 10
        Seconds from TERM to KILL, rounded up to whole ones, as the time limit is.

    Raises
    ------
    InputError
        If the tag, the program, a variable or the working directory is not what it must be.

    Notes
    -----
    A directory made by ``mkdir``, which is atomic, is the claim. Its mode says whose it is, see `Claims`. A
    wrapper that finds its claim taken exits with code 75 and writes nothing; else it exits as its payload.

    The record of the end is a file that appears at once, by ``rename``: exit code, signal, start, end and
    cause, with blanks between. An exit code of 129 to 192 counts as a signal: no shell can tell them apart.
    The cause is ``limit`` if the time limit was reached, ``stopped`` after a TERM, else ``end``.

    The payload is a foreground command: in the background, shells let commands ignore INT and QUIT.
    """
    limit = submission.time_limit
    values = {
        "base": quote(str(directory)),
        "tag": _tag(submission.tag),
        "limit": _FOREVER if limit is None else _round_up(limit),
        "grace": _round_up(grace),
        "pauses": " ".join(map(str, PAUSES)),
        "place": _place(submission, redirects=redirects),
        "payload": _payload(submission),
        "unclaimed": UNCLAIMED,
        "cannot_claim": CANNOT_CLAIM,
    }
    if guards:
        before = [FIRST_LINE, LEADER, CLAIM, GUARD, TIME, IS_GUARDED]
        parts = [*before, GUARDED_PAYLOAD, RECORD, LEAVE_NOTHING, LEAVE]
    else:
        parts = [FIRST_LINE, CLAIM, TIME, PAYLOAD, RECORD, LEAVE]
    return "".join(parts) % values


def _round_up(seconds: float) -> int:
    return max(1, min(math.ceil(seconds), _FOREVER))


def _tag(tag: str) -> str:
    if not _TAG.fullmatch(tag):
        raise InputError(f"is {tag!r}, but has 1 to 63 characters of a-z, 0-9 and '-'", field="tag")
    return tag


def _place(submission: Submission, *, redirects: bool) -> str:
    """Return the commands that write the script, enter the directory and open the files."""
    if submission.directory and not submission.directory.startswith("/"):
        raise InputError(f"is {submission.directory!r}, but begins with '/'", field="directory")
    lines = []
    if submission.script:
        lines.append(SCRIPT % {"script": quote(submission.script), "no_place": NO_PLACE})
    if submission.directory:
        lines.append(f"        cd -- {quote(submission.directory)} || exit {NO_PLACE}")
    else:
        own = '(umask 077 && mkdir -p -- "$ech_job") && cd -- "$ech_job"'
        lines.append(f"        {own} || exit {NO_PLACE}")
    if redirects:
        output = quote(submission.output or f"{submission.tag}.out")
        # What an output file cannot be opened for would end the shell with a code of its own.
        lines.append(f"        (: > {output}) || exit {NO_PLACE}")
        if submission.error and submission.error != submission.output:
            error = quote(submission.error)
            lines += [f"        (: > {error}) || exit {NO_PLACE}", f"        exec > {output} 2> {error}"]
        else:
            lines.append(f"        exec > {output} 2>&1")
    return "\n".join(lines)


def _payload(submission: Submission) -> str:
    """Return the command: ``env`` knows no builtins and no functions, and takes any name of a variable."""
    variables = [variable_of(name, value) for name, value in submission.environment]
    if submission.script:
        program, arguments = '"$ech_job/script"', []
    else:
        check_command(submission.command)
        program, *arguments = (quote(argument) for argument in submission.command)
        if "=" in program:
            # `env` would take it for a variable.
            program = f"sh -c 'exec \"$@\"' sh {program}"
    return " ".join(["env", "--", *variables, program, *arguments])


def check_command(command: Sequence[str]) -> None:
    """Refuse a command without a program."""
    if not command or not command[0]:
        raise InputError("is empty, and there is no script", field="command")
    if command[0].startswith("-"):
        raise InputError(f"begins with '-': {command[0]!r} is no program", field="command")


def variable_of(name: str, value: str) -> str:
    """Return a variable and its value as one word of a shell."""
    if not name or "=" in name:
        raise InputError(f"is {name!r}, but is not empty and has no '='", field="environment")
    return quote(f"{name}={value}")
