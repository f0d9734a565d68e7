"""Times and amounts of memory as users of schedulers write them."""

from __future__ import annotations

import math
import re

from echelon.errors import InputError
from echelon.platforms.files.units import MEMORY, TIME, in_base_unit

_CLOCK = re.compile(r"(?:(?P<days>[0-9]{1,5})-)?(?P<rest>[0-9]{1,6}(?::[0-9]{1,2}){0,2})")
_BINARY = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,6})?)\s*([KMGT])")
_POWERS = {"K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}

MOST_SECONDS = 100_000 * 86400.0
"""More is a mistake."""

MOST_MEMORY = 2**60
"""Bytes; more is a mistake."""

_TIMES = 'expected seconds as a number, "90 min", "1.5 h", "H:MM:SS", "D-HH", "D-HH:MM" or "D-HH:MM:SS"'
_MEMORIES = 'expected bytes as a number, "4G" (of 1024 each, as in Slurm), "4 GB" or "4 GiB"'


def seconds_of(duration: object, field: str) -> float:
    """Return a time in seconds, > 0 and at most 100,000 days.

    Parameters
    ----------
    duration : object
        A number is in seconds. Texts have a unit (``"90 min"``), or are as in Slurm: ``M:SS``, ``H:MM:SS``,
        ``D-H``, ``D-H:MM``, ``D-H:MM:SS``. A text that is a number alone is refused: Slurm's would be
        minutes, ours seconds.
    field : str
        What it is, for messages.

    Raises
    ------
    InputError
        If it is no such time.

    Examples
    --------
    >>> seconds_of("1:00:00", "time_limit"), seconds_of("1-0", "time_limit"), seconds_of("90 min", "t")
    (3600.0, 86400.0, 5400.0)
    """
    seconds = _clock(duration.strip()) if isinstance(duration, str) else None
    if seconds is None:
        seconds = in_base_unit(duration, TIME)
    if seconds is None or not 0 < seconds <= MOST_SECONDS:
        raise InputError(f"got {duration!r:.60}, {_TIMES}", field=field)
    return seconds


def _clock(text: str) -> float | None:
    match = _CLOCK.fullmatch(text)
    if not match:
        return None
    parts = [int(part) for part in match["rest"].split(":")]
    if any(part > 59 for part in parts[1:]) or (match["days"] is None and len(parts) == 1):
        return None
    if match["days"] is not None:
        hours, minutes, seconds = (*parts, 0, 0)[:3]
        return float(86400 * int(match["days"]) + 3600 * hours + 60 * minutes + seconds)
    hours, minutes, seconds = (0, *parts)[-3:]
    return float(3600 * hours + 60 * minutes + seconds)


def bytes_of(size: object, field: str) -> int:
    """Return an amount of memory in bytes, at least 1.

    Parameters
    ----------
    size : object
        A number is in bytes. ``"4G"`` is as in Slurm, of 1024 MiB; ``"4 GB"`` and ``"4 GiB"`` are as in
        platform files.
    field : str
        What it is, for messages.

    Raises
    ------
    InputError
        If it is no such amount, or more than an exbibyte.

    Examples
    --------
    >>> bytes_of("4G", "memory"), bytes_of("4 GB", "memory")
    (4294967296, 4000000000)
    """
    short = _BINARY.fullmatch(size.strip()) if isinstance(size, str) else None
    amount = float(short[1]) * _POWERS[short[2]] if short else in_base_unit(size, MEMORY)
    if amount is None or not 1 <= amount <= MOST_MEMORY:
        raise InputError(f"got {size!r:.60}, {_MEMORIES}", field=field)
    return math.ceil(amount)
