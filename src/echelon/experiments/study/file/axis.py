"""Axes of a study: what varies, and the values it takes, listed or between two bounds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from echelon.experiments.study.file.template import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.platforms.files.key_lines import Place

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
        return Value({self.name: number}, shown(number), self.place)

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
