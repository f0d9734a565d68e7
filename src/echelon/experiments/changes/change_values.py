"""Words of settings of machines that change, as the engine takes them, and back to words."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from echelon.availability import Changes, CheckpointRule
from echelon.errors import InputError, UnknownNameError
from echelon.experiments.settings.availability import is_none


def repair_of(given: str | float) -> str | float:
    """Return what schedulers know of repairs: ``unknown``, ``known``, or an estimate in seconds.

    Raises
    ------
    InputError, UnknownNameError
        If it is none of these, or the estimate is not a finite number > 0.
    """
    if isinstance(given, int | float) and not isinstance(given, bool):
        return Changes(repair=float(given)).repair
    word, _, rest = str(given).strip().lower().partition(":")
    if word == "estimate" or (word[:1].isdigit() and not rest):
        from echelon.availability.log_clock import length_of

        try:
            return length_of(rest if word == "estimate" else word)
        except InputError as error:
            raise InputError(f"{given!r:.60}: {error.problem}", field="repair") from error
    if rest or word not in ("unknown", "known"):
        raise UnknownNameError("knowledge of repairs", str(given), ("unknown", "known", "estimate:SECONDS"))
    return word


def seconds_of(given: Any, *, least: str = ">= 0") -> float:  # noqa: ANN401  (seconds, or words for them)
    """Return a time in seconds, given as a number or with a unit (``5min``), finite and >= 0.

    Raises
    ------
    InputError
        If it is none.
    """
    from echelon.availability.log_clock import log_seconds

    is_number = isinstance(given, int | float | np.number) and not isinstance(given, bool)
    found = float(given) if is_number else log_seconds(given) if isinstance(given, str) else None
    if found is None or not (0 <= found < math.inf) or (found == 0 and least == "> 0"):
        raise InputError(f"got {given!r:.60}, expected seconds {least}, or with a unit such as 5min")
    return found


def positive_seconds_of(given: Any) -> float:  # noqa: ANN401  (as above)
    """Return a time in seconds > 0; see `seconds_of`."""
    return seconds_of(given, least="> 0")


def format_repair(value: str | float) -> str:
    """Return the canonical words of what schedulers know of repairs."""
    from echelon.rules import text_of

    return value if isinstance(value, str) else f"estimate:{text_of(float(value))}"


def canonical_maintenance(given: str) -> str | None:
    """Return words of maintenance that could be read, ``none`` as None.

    Raises
    ------
    InputError
        If they are wrong.
    """
    if not isinstance(given, str):
        raise InputError(f"must be words such as 86400/8h/weekly, got {given!r:.60}", field="maintenance")
    if is_none(given):
        return None
    from echelon.availability.maintenance import check_maintenance

    return check_maintenance(given.strip())


def checkpoint_of(given: Any) -> str | float | CheckpointRule | None:  # noqa: ANN401  (words, seconds or a rule)
    """Return the word of a rule of checkpoints, seconds between them, or a rule; ``none`` as None.

    Raises
    ------
    InputError, UnknownNameError
        If it is none of these, or the seconds are not a number > 0.
    """
    if given is None or isinstance(given, CheckpointRule):
        return given
    if isinstance(given, str):
        word = given.strip().lower()
        if is_none(word):
            return None
        try:
            number = float(word)
        except ValueError:
            from echelon.availability.log_clock import length_of

            if word[:1].isdigit():
                return length_of(word)
            CheckpointRule(word, cost=1.0)
            return word
    else:
        is_number = isinstance(given, int | float | np.number) and not isinstance(given, bool)
        number = float(given) if is_number else math.nan
    if not 0 < number < math.inf:
        raise InputError(f"must be a number of seconds > 0, got {given!r:.60}", field="checkpoint")
    return number


def format_checkpoint(value: str | float | CheckpointRule | None) -> Any:  # noqa: ANN401  (words or a number)
    """Return the canonical words of a rule of checkpoints, or its seconds."""
    return value.interval if isinstance(value, CheckpointRule) else value
