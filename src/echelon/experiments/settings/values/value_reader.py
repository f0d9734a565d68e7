"""Reading what a file says of a setting: its type, its bounds, its names, and where its paths lead."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.errors import EchelonError, InputError, UnknownNameError
from echelon.experiments.settings.setting import load

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from echelon.experiments.settings.setting import Setting


def read_value(setting: Setting, argument: object, folder: Path) -> Any:  # noqa: ANN401  (what it takes)
    """Return what a file in `folder` says of a setting, checked, its paths as seen from here.

    Parameters
    ----------
    setting : Setting
        Which one.
    argument : object
        As TOML gives it.
    folder : Path
        Where the file is.

    Raises
    ------
    InputError
        If the setting does not take this value; the message does not name the setting.
    """
    if setting.by_site and not _is_rule_table(argument):
        from echelon.experiments.settings.values.values_by_site import (
            ROOT,
            check_paths,
            format_by_site,
            parts_of,
        )

        parts = parts_of(argument)
        if parts.keys() != {ROOT}:
            check_paths(parts)
            return format_by_site({path: _read_one(setting, part, folder) for path, part in parts.items()})
        argument = parts[ROOT]
    return _read_one(setting, argument, folder)


def check_type(setting: Setting, argument: object) -> None:
    """Raise an error if what Python gave for a choice, a number, a truth or a list is of another type.

    Settings that have a reader are left to that, and bounds and names to those whom they concern.

    Raises
    ------
    InputError
        If it is of another type, or a number that is too large.
    """
    plain = argument.item() if isinstance(argument, np.generic) else argument
    if setting.read:
        return
    if list in setting.types:
        is_right = isinstance(plain, Iterable)
    elif setting.types == (bool,):
        is_right = isinstance(plain, int)
    else:
        is_right = not (setting.choices or setting.types == (float,)) or _has_type(setting, plain)
    if not is_right or _is_huge(plain):
        raise InputError(_sentence(setting, argument), field=setting.dashed)


def _read_one(setting: Setting, argument: object, folder: Path) -> Any:  # noqa: ANN401  (as above)
    value, *wrong = _convert(setting, setting.word(argument) if setting.choices else argument)
    if wrong:
        raise InputError("; ".join(dict.fromkeys(wrong)))
    try:
        reading = _locate(setting, value, folder)
        _check(setting, reading)
    except EchelonError as error:
        problem = str(error).removeprefix(f"{setting.name}: ").removeprefix(f"{setting.dashed}: ")
        raise InputError(problem.rstrip(".")) from error
    return reading


def execution(spec: str) -> object:
    """Return the execution of nodes, or of a multicluster, that a spec names."""
    from echelon.execution.registry import EXECUTION, TIME_SHARED_NODES

    return (TIME_SHARED_NODES if TIME_SHARED_NODES.means(spec) else EXECUTION).parse(spec)


def seconds(duration: str | float) -> float:
    """Return a time in seconds, a finite number >= 0; a text may have a unit, ``5min``."""
    number = number_of_seconds(duration)
    if not 0 <= number < math.inf:
        raise InputError(f"got {duration!r:.60}, expected seconds >= 0, or with a unit such as 5min")
    return number


def number_of_seconds(duration: object) -> float:
    """Return a number, or the text of one, perhaps with a unit (``8h``), as seconds; NaN if it is neither."""
    # Only texts with units need it.
    from echelon.availability.log_clock import log_seconds

    try:
        return math.nan if isinstance(duration, bool) else float(duration)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = log_seconds(duration) if isinstance(duration, str) else None
        return math.nan if number is None else number


def stay(duration: str | float) -> float:
    """Return how long a job may stay, a number of seconds above 0; infinity is forever."""
    number = number_of_seconds(duration) if isinstance(duration, str) else duration
    if isinstance(number, bool) or not isinstance(number, int | float) or not number > 0 or _is_huge(number):
        raise InputError(f"got {duration!r:.60}, expected seconds > 0, or with a unit such as 8h")
    return number


def window(bounds: Any) -> tuple[float, float]:  # noqa: ANN401  (whatever Python gives)
    """Return a window of the log: two numbers of seconds, the first below the second."""
    try:
        start, end = (float(one) for one in bounds)
    except (TypeError, ValueError, OverflowError):
        start = end = math.nan
    if not start < end:
        shown = list(bounds) if isinstance(bounds, tuple) else bounds
        raise InputError(
            f"got {shown!r:.60}, expected a list of two times in seconds, the first before the second",
            field="window",
        )
    return start, end


def time_limit(limit: str | float) -> float:
    """Return a time limit in seconds, a finite number > 0.

    A text may have a unit, ``24h``, or be a duration as Slurm writes it: ``1-12:00:00``, ``24:00:00``.
    """
    number = number_of_seconds(limit)
    if math.isnan(number) and isinstance(limit, str):
        from echelon.workloads.formats.text.durations import seconds_of_duration

        try:
            number = seconds_of_duration(limit.strip())
        except ValueError:
            number = math.nan
    if not 0 < number < math.inf:
        raise InputError(
            f"must be a time > 0 such as 24h, 1-12:00:00 or seconds, got {limit!r:.60}", field="max-time"
        )
    return number


def estimators(listed: list[str]) -> None:
    """Raise an error if one of the specs names no estimator."""
    from echelon.policies import estimator_named

    for spec in listed:
        estimator_named(spec)


def _is_rule_table(argument: object) -> bool:
    """Return whether a file names a rule by a table of its name and parameters."""
    return isinstance(argument, dict) and "name" in argument


def _convert(setting: Setting, argument: Any) -> Iterator[Any]:  # noqa: ANN401  (whatever the file says)
    """Yield the value in the type of the setting, then a sentence on each part that has another."""
    if setting.is_rule and isinstance(argument, dict):
        from echelon.experiments.rule_table import rule_spec

        try:
            argument = rule_spec(argument)
        except InputError as error:
            yield argument
            yield str(error)
            return
    if list in setting.types:
        yield from _convert_list(setting, argument)
        return
    yield float(argument) if _is_whole(argument) and _wants_float(setting) else argument
    if setting.types and not (_has_type(setting, argument) and _in_bounds(setting, argument)):
        yield _sentence(setting, argument)


def _convert_list(setting: Setting, argument: Any) -> Iterator[Any]:  # noqa: ANN401  (whatever the file says)
    if not isinstance(argument, list) or (setting.least is not None and len(argument) != setting.least):
        yield argument
        yield _sentence(setting, argument)
        return
    yield [float(one) if _is_whole(one) and _wants_float(setting) else one for one in argument]
    yield from (_sentence(setting, one) for one in argument if not _has_type(setting, one))


def _sentence(setting: Setting, argument: object) -> str:
    return f"got {argument!r:.80}, expected {setting.expected}"


def _is_whole(argument: object) -> bool:
    return isinstance(argument, int) and not isinstance(argument, bool)


def _is_huge(argument: object) -> bool:
    """Return whether it is a whole number that no floating-point number is near."""
    return isinstance(argument, int) and abs(argument) > sys.float_info.max


def _wants_float(setting: Setting) -> bool:
    return float in setting.types and int not in setting.types


def _has_type(setting: Setting, argument: object) -> bool:
    if isinstance(argument, bool):
        return bool in setting.types
    wanted = (*setting.types, int) if float in setting.types else setting.types
    return isinstance(argument, tuple(one for one in wanted if one is not list))


def _in_bounds(setting: Setting, argument: Any) -> bool:  # noqa: ANN401  (a text, a number or a truth)
    if isinstance(argument, str):
        return setting.least is None or len(argument) >= setting.least
    return setting.bounds(argument)


def _locate(setting: Setting, value: Any, folder: Path) -> Any:  # noqa: ANN401  (as above)
    if not setting.located:
        return value
    if isinstance(value, list):
        return [load(setting.located)(one, folder) for one in value]
    return load(setting.located)(value, folder)


def _check(setting: Setting, value: Any) -> None:  # noqa: ANN401  (as above)
    """Raise an EchelonError if a value names nothing."""
    if setting.choices:
        from echelon.experiments.settings.values.completion import only

        if value not in (names := only(setting)):
            raise UnknownNameError(setting.name, value, names)
    if check := setting.check or setting.read:
        load(check)(value)
