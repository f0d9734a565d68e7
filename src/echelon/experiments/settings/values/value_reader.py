"""Reading what a file says of a setting: its type, its bounds, its names, and where its paths lead."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.errors import EchelonError, InputError, UnknownNameError
from echelon.experiments.settings.setting import loaded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from echelon.experiments.settings.setting import Setting


def read_value(setting: Setting, given: object, folder: Path) -> Any:  # noqa: ANN401  (what it takes)
    """Return what a file in `folder` says of a setting, checked, its paths as seen from here.

    Parameters
    ----------
    setting : Setting
        Which one.
    given : object
        As TOML gives it.
    folder : Path
        Where the file is.

    Raises
    ------
    InputError
        If the setting does not take this value; the message does not name the setting.
    """
    if setting.by_site and not _is_rule_table(given):
        from echelon.experiments.settings.values.values_by_site import (
            ROOT,
            check_paths,
            format_by_site,
            parts_of,
        )

        parts = parts_of(given)
        if parts.keys() != {ROOT}:
            check_paths(parts)
            return format_by_site({path: _read_one(setting, part, folder) for path, part in parts.items()})
        given = parts[ROOT]
    return _read_one(setting, given, folder)


def check_type(setting: Setting, given: object) -> None:
    """Raise an error if what Python gave for a choice, a number, a truth or a list is of another type.

    Settings that have a reader are left to that, and bounds and names to those whom they concern.

    Raises
    ------
    InputError
        If it is of another type, or a number that is too large.
    """
    plain = given.item() if isinstance(given, np.generic) else given
    if setting.read:
        return
    if list in setting.types:
        is_right = isinstance(plain, Iterable)
    elif setting.types == (bool,):
        is_right = isinstance(plain, int)
    else:
        is_right = not (setting.choices or setting.types == (float,)) or _has_type(setting, plain)
    if not is_right or _is_huge(plain):
        raise InputError(_sentence(setting, given), field=setting.dashed)


def _read_one(setting: Setting, given: object, folder: Path) -> Any:  # noqa: ANN401  (as above)
    value, *wrong = _typed(setting, given)
    if wrong:
        raise InputError("; ".join(dict.fromkeys(wrong)))
    try:
        found = _located(setting, value, folder)
        _check(setting, found)
    except EchelonError as error:
        said = str(error).removeprefix(f"{setting.name}: ").removeprefix(f"{setting.dashed}: ")
        raise InputError(said.rstrip(".")) from error
    return found


def execution(words: str) -> object:
    """Return the execution of nodes, or of a multicluster, that words name."""
    from echelon.execution.registry import EXECUTION, TIME_SHARED_NODES

    return (TIME_SHARED_NODES if TIME_SHARED_NODES.means(words) else EXECUTION).parse(words)


def seconds(given: str | float) -> float:
    """Return a time in seconds, a finite number >= 0; words may have a unit, ``5min``."""
    found = number_of_seconds(given)
    if not 0 <= found < math.inf:
        raise InputError(f"must be a time in seconds >= 0, got {given!r:.60}; a unit may follow, as in 5min")
    return found


def number_of_seconds(given: object) -> float:
    """Return a number, or words for one with or without a unit (``8h``), as seconds; NaN if it is neither."""
    # Only words with units need it.
    from echelon.availability.log_clock import log_seconds

    try:
        return math.nan if isinstance(given, bool) else float(given)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        found = log_seconds(given) if isinstance(given, str) else None
        return math.nan if found is None else found


def stay(given: str | float) -> float:
    """Return how long a job may stay, a number of seconds above 0; infinity is forever."""
    found = number_of_seconds(given) if isinstance(given, str) else given
    if isinstance(found, bool) or not isinstance(found, int | float) or not found > 0 or _is_huge(found):
        raise InputError(
            f"must be a number above 0, got {given!r:.60}; a unit may follow, as in 8h", field="longest stay"
        )
    return found


def window(given: Any) -> tuple[float, float]:  # noqa: ANN401  (whatever Python gives)
    """Return a window of the log: two numbers of seconds, the first below the second."""
    try:
        start, end = (float(one) for one in given)
    except (TypeError, ValueError, OverflowError):
        start = end = math.nan
    if not start < end:
        shown = list(given) if isinstance(given, tuple) else given
        raise InputError(
            f"got {shown!r:.60}, expected a list of two times in seconds, the first before the second",
            field="window",
        )
    return start, end


def time_limit(given: str | float) -> float:
    """Return a time limit in seconds, a finite number > 0.

    Words may have a unit, ``24h``, or be a duration as Slurm writes it: ``1-12:00:00``, ``24:00:00``.
    """
    found = number_of_seconds(given)
    if math.isnan(found) and isinstance(given, str):
        from echelon.workloads.formats.text.durations import seconds_of_duration

        try:
            found = seconds_of_duration(given.strip())
        except ValueError:
            found = math.nan
    if not 0 < found < math.inf:
        raise InputError(
            f"must be a time > 0 such as 24h, 1-12:00:00 or seconds, got {given!r:.60}", field="max-time"
        )
    return found


def estimators(listed: list[str]) -> None:
    """Raise an error if one of the words names no estimator."""
    from echelon.policies import estimator_named

    for words in listed:
        estimator_named(words)


def _is_rule_table(given: object) -> bool:
    """Return whether a file names a rule by a table of its name and parameters."""
    return isinstance(given, dict) and "name" in given


def _typed(setting: Setting, given: Any) -> Iterator[Any]:  # noqa: ANN401  (whatever the file says)
    """Yield the value in the type of the setting, then a sentence on each part that has another."""
    if setting.is_rule and isinstance(given, dict):
        from echelon.experiments.rule_table import rule_spec

        try:
            given = rule_spec(given)
        except InputError as error:
            yield given
            yield str(error)
            return
    if list in setting.types:
        yield from _listed(setting, given)
        return
    yield float(given) if _is_whole(given) and _wants_float(setting) else given
    if setting.types and not (_has_type(setting, given) and _in_bounds(setting, given)):
        yield _sentence(setting, given)


def _listed(setting: Setting, given: Any) -> Iterator[Any]:  # noqa: ANN401  (whatever the file says)
    if not isinstance(given, list) or (setting.least is not None and len(given) != setting.least):
        yield given
        yield _sentence(setting, given)
        return
    yield [float(one) if _is_whole(one) and _wants_float(setting) else one for one in given]
    yield from (_sentence(setting, one) for one in given if not _has_type(setting, one))


def _sentence(setting: Setting, given: object) -> str:
    return f"got {given!r:.80}, expected {setting.expected}"


def _is_whole(given: object) -> bool:
    return isinstance(given, int) and not isinstance(given, bool)


def _is_huge(given: object) -> bool:
    """Return whether it is a whole number that no floating-point number is near."""
    return isinstance(given, int) and abs(given) > sys.float_info.max


def _wants_float(setting: Setting) -> bool:
    return float in setting.types and int not in setting.types


def _has_type(setting: Setting, given: object) -> bool:
    if isinstance(given, bool):
        return bool in setting.types
    wanted = (*setting.types, int) if float in setting.types else setting.types
    return isinstance(given, tuple(one for one in wanted if one is not list))


def _in_bounds(setting: Setting, given: Any) -> bool:  # noqa: ANN401  (a text, a number or a truth)
    if isinstance(given, str):
        return setting.least is None or len(given) >= setting.least
    if setting.above is not None and not given > setting.above:
        return False
    return setting.least is None or given >= setting.least


def _located(setting: Setting, value: Any, folder: Path) -> Any:  # noqa: ANN401  (as above)
    if not setting.located:
        return value
    if isinstance(value, list):
        return [loaded(setting.located)(one, folder) for one in value]
    return loaded(setting.located)(value, folder)


def _check(setting: Setting, value: Any) -> None:  # noqa: ANN401  (as above)
    """Raise an EchelonError if a value names nothing."""
    if setting.choices:
        from echelon.experiments.settings.values.completion import only

        if value not in (names := only(setting)):
            raise UnknownNameError(setting.name, value, names)
    if check := setting.check or setting.read:
        loaded(check)(value)
