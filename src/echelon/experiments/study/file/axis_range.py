"""Reading an axis between two bounds: ``{ low = 0.8, high = 1.2, step = 0.1 }``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeGuard

from echelon.experiments.study.file.axis import Choices, Range, Value
from echelon.experiments.study.file.template import shown
from echelon.platforms.files.mistakes import format_got

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.experiments.study.file.axis import Axis
    from echelon.platforms.files.mistakes import Mistakes

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
    mistakes.note(place, f"{format_got(dict(table))}, expected {expected}")
    return None


def _steps(name: str, low: float, high: float, step: float) -> Choices:
    """Return the numbers from `low` in steps up to `high`, as people would write them."""
    count = math.floor((high - low) / step + _ROUNDING) + 1
    numbers = [low + k * step for k in range(count)]
    plain = [number if isinstance(number, int) else float(f"{number:.12g}") for number in numbers]
    return Choices(name, tuple(Value({name: number}, shown(number), ("axes", name)) for number in plain))


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
