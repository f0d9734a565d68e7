"""Axes of a study: what varies, the values it takes, listed or between bounds, and what is not run."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

from echelon.experiments.study.file.template import format_value
from echelon.quantities import is_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.platforms.files.key_lines import Place
    from echelon.platforms.files.mistakes import Mistakes

_DIGITS = 6
"""Of a number drawn from a range: enough to tell two apart, few enough to read in a table."""


@dataclass(frozen=True, slots=True)
class Value:
    """One value of an axis: what it sets, and what tables call it.

    Parameters
    ----------
    settings : mapping of str to object
        Keys of runs, or names of parameters, with their values; texts may have gaps, see `template`.
    label : str
        Its name in tables; may have gaps, too.
    place : tuple of str and int
        Where the study file says so.
    """

    settings: Mapping[str, Any]
    label: str
    place: Place = ()


@dataclass(frozen=True, slots=True)
class Choices:
    """An axis whose values are listed.

    Parameters
    ----------
    name : str
        A key of runs, a parameter's name, or, if its values set several keys, any name.
    values : tuple of Value
        At least one, in the file's order.
    """

    name: str
    values: tuple[Value, ...]

    @property
    def keys(self) -> frozenset[str]:
        """What its values set."""
        return frozenset(key for value in self.values for key in value.settings)

    def at(self, share: float) -> Value:
        """Return the value at a share of the list, 0 <= share < 1: each has an equal part."""
        return self.values[min(int(share * len(self.values)), len(self.values) - 1)]


@dataclass(frozen=True, slots=True)
class Range:
    """An axis of numbers between two bounds, both of which can occur; for searches that draw.

    Parameters
    ----------
    name : str
        A key of runs or a parameter's name.
    low, high : int or float
        Bounds, ``low < high``. If both are int, only whole numbers are drawn.
    log : bool, default False
        Whether the logarithms are uniform, not the numbers; needs ``low > 0``.
    place : tuple of str and int
        Where the study file says so.
    """

    name: str
    low: float
    high: float
    log: bool = False
    place: Place = ()

    @property
    def keys(self) -> frozenset[str]:
        """What it sets."""
        return frozenset({self.name})

    def at(self, share: float) -> Value:
        """Return the number at a share of the range, 0 <= share < 1; to six significant digits."""
        number = self._number(share)
        return Value({self.name: number}, format_value(number), self.place)

    def _number(self, share: float) -> float:
        whole = isinstance(self.low, int) and isinstance(self.high, int)
        # Of whole numbers each has an interval of length 1, also the last.
        end = self.high + 1 if whole else self.high
        if self.log:
            number = math.exp(math.log(self.low) + share * (math.log(end) - math.log(self.low)))
        else:
            number = self.low + share * (end - self.low)
        if whole:
            return min(max(math.floor(number), self.low), self.high)
        return min(max(float(f"{number:.{_DIGITS}g}"), self.low), self.high)


Axis: TypeAlias = Choices | Range
"""What varies in a study."""


BOUNDS = ("low", "high", "log", "step")
MOST_STEPS = 1_000_000
"""Of one axis."""

_ROUNDING = 1e-9
"""Share of a step by which the last one may miss the upper bound: steps of 0.1 are no exact numbers."""


def range_of(name: str, table: Mapping[str, object], mistakes: Mistakes) -> Axis | None:
    """Return the axis that a table of bounds describes, listed if it has a step; None if it is wrong.

    Parameters
    ----------
    name : str
        The axis's.
    table : mapping of str to object
        ``low``, ``high``; ``log = true`` or ``step``.
    mistakes : Mistakes
        Told of what is wrong.
    """
    place = ("axes", name)
    for key in table:
        if key not in BOUNDS:
            mistakes.note_unknown((*place, key), table[key], BOUNDS)
    low, high, step, log = table.get("low"), table.get("high"), table.get("step"), table.get("log", False)
    if not (_is_number(low) and _is_number(high) and low < high and isinstance(log, bool)):
        expected = "two numbers low < high, and log = true or false"
    elif log and low <= 0:
        expected = "low > 0, as log = true"
    elif step is None:
        return Range(name, low, high, log, place)
    elif log or not _is_number(step) or step <= 0:
        expected = "a step > 0, without log"
    elif (high - low) / step > MOST_STEPS:
        expected = f"at most {MOST_STEPS:,} steps"
    else:
        return _steps(name, low, high, step)
    from echelon.platforms.files.mistakes import format_got

    mistakes.note(place, f"{format_got(dict(table))}, expected {expected}")
    return None


def _steps(name: str, low: float, high: float, step: float) -> Choices:
    """Return the numbers from `low` in steps up to `high`, as people would write them."""
    count = math.floor((high - low) / step + _ROUNDING) + 1
    numbers = [low + k * step for k in range(count)]
    plain = [number if isinstance(number, int) else float(f"{number:.12g}") for number in numbers]
    return Choices(
        name, tuple(Value({name: number}, format_value(number), ("axes", name)) for number in plain)
    )


def _is_number(value: object) -> TypeGuard[float]:
    return is_number(value) and math.isfinite(value)


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A rule: what has all of this is not run.

    Parameters
    ----------
    wanted : mapping of str to tuple
        By axis or key the values, of which one must be there. A text is compared with the label on the axis
        and with the value itself, and may hold ``*`` and ``?``.
    place : tuple of str and int
        Where the study file says so.
    """

    wanted: Mapping[str, tuple[Any, ...]]
    place: Place = ()

    def excludes(self, settings: Mapping[str, Any], labels: Mapping[str, str]) -> bool:
        """Return whether a combination with these settings and labels is left out."""
        return all(
            any(_is(value, names) for value in values)
            for key, values in self.wanted.items()
            for names in [_names(key, settings, labels)]
        )


def _names(key: str, settings: Mapping[str, Any], labels: Mapping[str, str]) -> set[str]:
    names = {labels[key]} if key in labels else set()
    return names | ({format_value(settings[key])} if key in settings else set())


def _is(value: object, names: set[str]) -> bool:
    return any(fnmatchcase(name, format_value(value)) for name in names)
