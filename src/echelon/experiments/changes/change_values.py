"""Settings of machines that change, as the engine takes them, and back to specs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.availability import Changes, CheckpointRule
from echelon.errors import InputError, UnknownNameError
from echelon.experiments.settings.availability import is_none

if TYPE_CHECKING:
    from echelon.availability.laws import Law
    from echelon.availability.processes import FailureProcess


def repair_of(spec: str | float) -> str | float:
    """Return what schedulers know of repairs: ``unknown``, ``known``, or an estimate in seconds.

    Raises
    ------
    InputError, UnknownNameError
        If it is none of these, or the estimate is not a finite number > 0.
    """
    if isinstance(spec, int | float) and not isinstance(spec, bool):
        return Changes(repair=float(spec)).repair
    word, _, rest = str(spec).strip().lower().partition(":")
    if word == "estimate" or (word[:1].isdigit() and not rest):
        from echelon.availability.log_clock import length_of

        try:
            return length_of(rest if word == "estimate" else word)
        except InputError as error:
            raise InputError(f"{spec!r:.60}: {error.problem}", field="repair") from error
    if rest or word not in ("unknown", "known"):
        raise UnknownNameError("knowledge of repairs", str(spec), ("unknown", "known", "estimate:SECONDS"))
    return word


def seconds_of(duration: Any, *, least: str = ">= 0") -> float:  # noqa: ANN401  (seconds, or a text for them)
    """Return a time in seconds, given as a number or with a unit (``5min``), finite and >= 0.

    Raises
    ------
    InputError
        If it is none.
    """
    from echelon.availability.log_clock import log_seconds

    is_number = isinstance(duration, int | float | np.number) and not isinstance(duration, bool)
    seconds = float(duration) if is_number else log_seconds(duration) if isinstance(duration, str) else None
    if seconds is None or not (0 <= seconds < math.inf) or (seconds == 0 and least == "> 0"):
        raise InputError(f"got {duration!r:.60}, expected seconds {least}, or with a unit such as 5min")
    return seconds


def positive_seconds_of(duration: Any) -> float:  # noqa: ANN401  (as above)
    """Return a time in seconds > 0; see `seconds_of`."""
    return seconds_of(duration, least="> 0")


def format_repair(value: str | float) -> str:
    """Return the canonical spec of what schedulers know of repairs."""
    from echelon.rules import text_of

    return value if isinstance(value, str) else f"estimate:{text_of(float(value))}"


def canonical_maintenance(spec: str) -> str | None:
    """Return the spec of maintenance if it can be read, ``none`` as None.

    Raises
    ------
    InputError
        If it is wrong.
    """
    if not isinstance(spec, str):
        raise InputError(f"must be a spec such as 86400/8h/weekly, got {spec!r:.60}", field="maintenance")
    if is_none(spec):
        return None
    from echelon.availability.maintenance import check_maintenance

    return check_maintenance(spec.strip())


def checkpoint_of(spec: Any) -> str | float | CheckpointRule | None:  # noqa: ANN401  (a spec, seconds or a rule)
    """Return the word of a rule of checkpoints, seconds between them, or a rule; ``none`` as None.

    Raises
    ------
    InputError, UnknownNameError
        If it is none of these, or the seconds are not a number > 0.
    """
    if spec is None or isinstance(spec, CheckpointRule):
        return spec
    if isinstance(spec, str):
        word = spec.strip().lower()
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
        is_number = isinstance(spec, int | float | np.number) and not isinstance(spec, bool)
        number = float(spec) if is_number else math.nan
    if not 0 < number < math.inf:
        raise InputError(f"must be a number of seconds > 0, got {spec!r:.60}", field="checkpoint")
    return number


def format_checkpoint(value: str | float | CheckpointRule | None) -> Any:  # noqa: ANN401  (a spec or a number)
    """Return the canonical spec of a rule of checkpoints, or its seconds."""
    return value.interval if isinstance(value, CheckpointRule) else value


def failures_of(spec: Any) -> FailureProcess | None:  # noqa: ANN401  (a spec, a law or a process)
    """Return the process of failures that a spec, a law or a process means; ``none`` is None.

    Raises
    ------
    UnknownNameError, InputError
        If a spec names no law, or a number is out of its range.
    """
    if spec is None or is_none(spec):
        return None
    from echelon.availability.laws import law
    from echelon.availability.processes import FailureProcess

    if isinstance(spec, FailureProcess):
        return spec
    try:
        return FailureProcess.of_spec(spec) if isinstance(spec, str) else FailureProcess(law(spec))
    except InputError as error:
        if (error.field or "").startswith("failures"):
            raise
        raise InputError(str(error), field="failures") from error


def format_failures(process: FailureProcess | None) -> str | None:
    """Return the canonical spec of a process of failures."""
    return None if process is None else process.spec


def repair_times_of(spec: Any) -> Law | None:  # noqa: ANN401  (a spec or a law)
    """Return the law of repair times that a spec means; ``none`` is None.

    Raises
    ------
    UnknownNameError, InputError
        As `failures_of`.
    """
    if spec is None or is_none(spec):
        return None
    from echelon.availability.laws import law

    try:
        return law(spec)
    except InputError as error:
        raise InputError(str(error), field="repair-times") from error


def format_repair_times(repair_times: Law | None) -> str | None:
    """Return the canonical spec of a law of repair times."""
    if repair_times is None:
        return None
    from echelon.availability.laws import format_law

    return format_law(repair_times)
