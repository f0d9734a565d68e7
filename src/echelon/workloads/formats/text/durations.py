"""Texts of times, durations, memory and GPUs as Slurm prints them, as numbers."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import tzinfo

_DURATION = re.compile(r"(?:(\d+)-)?(\d+)(?::(\d+))?(?::(\d+))?(\.\d+)?", re.ASCII)
_SECONDS = re.compile(r"\d+(?:\.\d+)?", re.ASCII)
_MEMORY = re.compile(r"(\d+(?:\.\d+)?)([KMGTP]?)([cn]?)", re.ASCII)
_KB_OF_UNIT = {"K": 1.0, "M": 1024.0, "G": 1024.0**2, "T": 1024.0**3, "P": 1024.0**4}


class Memory(NamedTuple):
    """An amount of memory in KB, and what it is for: ``"c"`` a CPU, ``"n"`` a node, ``""`` the whole job."""

    kilobytes: float
    per: str


def seconds_of_duration(text: str) -> float:
    """Return the seconds of ``D-HH:MM:SS``, ``D-HH:MM``, ``D-HH``, ``HH:MM:SS``, ``MM:SS`` or seconds alone.

    Seconds may have decimals (``05:10.250``).

    Raises
    ------
    ValueError
        If `text` has none of these forms.
    """
    match = _DURATION.fullmatch(text)
    if match is None:
        raise ValueError(text)
    days, *parts, fraction = match.groups()
    numbers = [int(part) for part in parts if part is not None]
    if days is not None:  # from the hours on
        hours, minutes, seconds = (*numbers, 0, 0)[:3]
    else:  # up to the seconds
        hours, minutes, seconds = (0, 0, *numbers)[-3:]
    return ((int(days or 0) * 24 + hours) * 60 + minutes) * 60 + seconds + float(fraction or 0)


def seconds_of_limit(text: str) -> float:
    """Return the seconds of a time limit: a duration as in `seconds_of_duration`, or minutes alone.

    Raises
    ------
    ValueError
        If `text` is neither.
    """
    return 60 * float(text) if _SECONDS.fullmatch(text) else seconds_of_duration(text)


def unix_seconds(text: str, zone: tzinfo) -> float:
    """Return the Unix time, in seconds, of Unix seconds or of an ISO 8601 date and time.

    Parameters
    ----------
    text : str
        ``1706702400`` or ``2024-01-31T12:00:00``, with or without an offset (``+01:00``, ``Z``).
    zone : tzinfo
        Of times without an offset; an hour that the end of summer time repeats counts as its first.

    Raises
    ------
    ValueError
        If `text` is neither.
    """
    if _SECONDS.fullmatch(text):
        return float(text)
    moment = datetime.fromisoformat(text)
    return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).timestamp()


def memory(text: str, *, unit: str) -> Memory:
    """Return the amount of ``4000Mc``, ``4Gn``, ``1.5G`` or ``16000M``; units count 1024 of the smaller one.

    Parameters
    ----------
    text : str
        A number, a unit K, M, G, T or P, and ``c`` (per CPU) or ``n`` (per node).
    unit : str
        The unit of a number without one: ``"K"``, ``"M"`` ... or ``"B"`` for bytes.

    Raises
    ------
    ValueError
        If `text` is no such amount.
    """
    match = _MEMORY.fullmatch(text)
    if match is None:
        raise ValueError(text)
    amount, letter, per = match.groups()
    return Memory(float(amount) * ({"B": 1 / 1024.0} | _KB_OF_UNIT)[letter or unit], per)


def gpus_of_resources(text: str) -> int:
    """Return the GPUs in trackable resources (TRES) such as ``cpu=4,gres/gpu=2,gres/gpu:a100=2,mem=16G``.

    ``gres/gpu`` counts all; where it is not among them, the GPUs of each type are added up. 0 without any.

    Raises
    ------
    ValueError
        If `text` is no list of resources and their amounts, or the number of GPUs is not whole.
    """
    amounts = dict(part.strip().split("=", 1) for part in text.split(",") if part.strip())
    if "gres/gpu" in amounts:
        return int(amounts["gres/gpu"])
    return sum(int(amount) for name, amount in amounts.items() if name.startswith("gres/gpu:"))
