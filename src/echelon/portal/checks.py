"""Checks of what a portal is told: names, times, numbers."""

from __future__ import annotations

import math

import numpy as np

from echelon.errors import InputError


def name_of(value: object, field: str) -> str:
    """Return `value` if it is a text that is not blank.

    Raises
    ------
    InputError
        If it is none.
    """
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"must be a text that is not empty, got {value!r:.60}", field=field)
    return value


def number_of(value: object, field: str, *, least: float = -math.inf) -> float:
    """Return `value` as a float if it is a finite number not below `least`.

    Raises
    ------
    InputError
        If it is none.
    """
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not number or not math.isfinite(float(value)) or float(value) < least:  # type: ignore[arg-type]
        bound = "" if least == -math.inf else f" >= {least:g}"
        raise InputError(f"must be a finite number{bound}, got {value!r:.60}", field=field)
    return float(value)  # type: ignore[arg-type]


def count_of(value: object, field: str) -> int:
    """Return `value` as an int if it is a whole number, at least 1.

    Raises
    ------
    InputError
        If it is none.
    """
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole or value < 1:  # type: ignore[operator]
        raise InputError(f"must be a whole number >= 1, got {value!r:.60}", field=field)
    return int(value)  # type: ignore[call-overload,no-any-return]
