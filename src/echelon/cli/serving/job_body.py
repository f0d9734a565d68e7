"""What a user typed for a job, as the service takes it."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from echelon.cli.options.shared_options import split_names
from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.cli.serving.job_options import JobOptions
    from echelon.client.answers import JobFields

_SECONDS_OF_UNIT = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_WITH_UNIT = re.compile(r"(\d+(?:\.\d+)?)\s*(s|min|h|d)", re.ASCII)

_LARGEST_SCRIPT = 900_000
"""Bytes of a script: with the rest of a job it must fit into a request."""


def job_body(arguments: Sequence[str], asked: JobOptions) -> JobFields:
    """Return the fields of a job.

    Parameters
    ----------
    arguments : sequence of str
        What stands after the options: a program and its arguments, or parameters of an application.
    asked : JobOptions
        What the options say.

    Raises
    ------
    InputError
        If it is not said what is to run, or twice, or an option is not what it must be.
    """
    fields: dict[str, Any] = _what_runs(arguments, app=asked["app"], script=asked["script"])
    options = {
        "processors": asked["processors"],
        "time_limit": None if asked["time"] is None else seconds_of(asked["time"]),
        "name": asked["name"],
        "memory": None if asked["memory"] is None else _bytes_of(asked["memory"]),
        "clusters": split_names(asked["clusters"]) or None,
        "after": split_names(asked["after"]) or None,
        "retries": asked["retries"],
        "hold": asked["hold"] or None,
        "output": asked["output"],
        "error": asked["error"],
        "directory": None if asked["chdir"] is None else os.path.abspath(asked["chdir"]),  # noqa: PTH100
        "environment": _environment(asked["env"] or ()) or None,
        "options": _pairs(asked["option"] or (), "--option") or None,
    }
    return cast("JobFields", fields | {name: value for name, value in options.items() if value is not None})


def _what_runs(arguments: Sequence[str], *, app: str | None, script: str | None) -> dict[str, Any]:
    if app is not None and script is not None:
        raise InputError("--app and --script exclude each other; give one")
    if app is not None:
        return {"application": app, "parameters": _pairs(arguments, f"--app {app}")}
    if script is not None:
        if arguments:
            raise InputError(f"a script takes no arguments here, got {arguments[0]!r:.60}", field="--script")
        return {"script": _script(script)}
    if not arguments:
        raise InputError(
            "nothing is to run: name a program (echelon submit -n 4 -- prog args), --script or --app"
        )
    return {"command": list(arguments)}


def _script(name: str) -> str:
    """Return the text of a script; its interpreter must be named in its first line."""
    where = "standard input" if name == "-" else name
    try:
        if name == "-":
            content = sys.stdin.buffer.read(_LARGEST_SCRIPT + 1)
        else:
            with Path(name).open("rb") as file:
                content = file.read(_LARGEST_SCRIPT + 1)
        text = content.decode()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=where) from error
    except UnicodeDecodeError as error:
        raise InputError("is no script: it is not text in UTF-8", file=where) from error
    if len(content) > _LARGEST_SCRIPT:
        raise InputError(f"is no script: it has more than {_LARGEST_SCRIPT:,} bytes", file=where)
    if not text.startswith("#!"):
        raise InputError("must begin with #! and an interpreter, as #!/bin/sh", file=where, line=1)
    return text


def _pairs(arguments: Iterable[str], field: str) -> dict[str, str]:
    """Return arguments of the form NAME=VALUE as a dictionary."""
    pairs: dict[str, str] = {}
    for argument in arguments:
        name, sign, value = argument.partition("=")
        if not (sign and name):
            raise InputError(f"expected NAME=VALUE, got {argument!r:.60}", field=field)
        if name in pairs:
            raise InputError(f"{name} is given more than once; give it once", field=field)
        pairs[name] = value
    return pairs


def _environment(variables: Iterable[str]) -> dict[str, str]:
    full = []
    for variable in variables:
        if "=" not in variable and variable not in os.environ:
            raise InputError(f"{variable!r:.60} is not set here; write {variable[:60]}=VALUE", field="--env")
        full.append(variable if "=" in variable else f"{variable}={os.environ[variable]}")
    return _pairs(full, "--env")


def seconds_of(text: str, field: str = "--time") -> float:
    """Return the seconds of a time as Slurm's users write it, or with a unit.

    Raises
    ------
    InputError
        If it is neither, or not above 0.
    """
    from echelon.workloads.formats.text.durations import seconds_of_limit

    limit = text.strip()
    try:
        match = _WITH_UNIT.fullmatch(limit)
        seconds = float(match[1]) * _SECONDS_OF_UNIT[match[2]] if match else seconds_of_limit(limit)
    except ValueError:
        seconds = 0.0
    if seconds <= 0:
        raise InputError(
            f"got {text!r:.60}, expected a time above 0: minutes, MM:SS, HH:MM:SS, D-HH:MM:SS, or with a "
            "unit such as 90s, 15min, 2h, 1d",
            field=field,
        )
    return seconds


def _bytes_of(text: str) -> int:
    from echelon.workloads.formats.text.durations import memory

    try:
        amount = memory(text.strip().upper().removesuffix("B"), unit="M")
    except ValueError:
        amount = None
    if amount is None or amount.per or amount.kilobytes <= 0:
        raise InputError(
            f"got {text!r:.60}, expected an amount above 0 for the whole job, such as 4000, 512M or 4G",
            field="--memory",
        )
    return round(amount.kilobytes * 1024)
