"""Checks of a portal's arguments: names, times, numbers."""

from __future__ import annotations

import math
from contextlib import suppress

from echelon.errors import InputError
from echelon.quantities import is_number, is_whole

MOST_COUNT = 2**31 - 1
"""Most cores of a site, and processes of a job: as for machines in platform files."""


def name_of(value: object, field: str) -> str:
    """Return `value` if it is a string that is not blank.

    Raises
    ------
    InputError
        If it is not.
    """
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"must be a string that is not empty, got {value!r:.60}", field=field)
    return value


def number_of(value: object, field: str, *, least: float = -math.inf) -> float:
    """Return `value` as a float if it is a finite number not below `least`.

    Raises
    ------
    InputError
        If it is not.
    """
    number = math.nan
    if is_number(value):
        with suppress(OverflowError):
            number = float(value)
    if not math.isfinite(number) or number < least:
        bound = "" if least == -math.inf else f" >= {least:g}"
        raise InputError(f"must be a finite number{bound}, got {value!r:.60}", field=field)
    return number


def check_whole(value: object, field: str, *, least: int) -> int:
    """Return `value` if it is a whole number not below `least`.

    Raises
    ------
    InputError
        If it is not.
    """
    if not is_whole(value) or value < least:
        raise InputError(f"must be a whole number >= {least}, got {value!r:.60}", field=field)
    return value


def count_of(value: object, field: str) -> int:
    """Return `value` as an int if it is a whole number from 1 to `MOST_COUNT`.

    Raises
    ------
    InputError
        If it is not.
    """
    whole = is_whole(value)
    if not whole or value < 1:  # type: ignore[operator]
        raise InputError(f"must be a whole number >= 1, got {value!r:.60}", field=field)
    count: int = int(value)  # type: ignore[call-overload]
    if count > MOST_COUNT:
        raise InputError(f"must be at most {MOST_COUNT}, got {value!r:.60}", field=field)
    return count
