"""Numbers as people read them: seconds as hours, counts with their noun, means with intervals.

There is one rule for text, pages, tables and figures: a value has four significant digits, also a metric in
percent; half the width of an interval two; a percentage of something else three, but at most two decimals.
``page/format.js`` writes numbers by the same rule.
"""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeGuard


def is_number(value: object) -> TypeGuard[float]:
    """Return whether a value is a real number, of Python or NumPy; yes and no are none."""
    return isinstance(value, Real) and not isinstance(value, bool)


def is_whole(value: object) -> TypeGuard[int]:
    """Return whether a value is an integer, of Python or NumPy; yes and no are none."""
    return isinstance(value, Integral) and not isinstance(value, bool)


class TimeUnit(NamedTuple):
    """A unit of time: its sign and its length in seconds."""

    sign: str
    seconds: float


TIME_UNITS = (TimeUnit("d", 86400.0), TimeUnit("h", 3600.0), TimeUnit("min", 60.0), TimeUnit("s", 1.0))


_SMALLEST = 1e-6
"""Smaller numbers would be mostly noughts."""


def time_unit(seconds: float) -> TimeUnit:
    """Return the largest unit of which `seconds` holds at least two, else the second."""
    return next((unit for unit in TIME_UNITS if abs(seconds) >= 2 * unit.seconds), TIME_UNITS[-1])


def figure(value: float, digits: int = 4) -> str:
    """Return `value` with about `digits` significant digits, thousands parted: ``1,234``, ``12.34``.

    Below a millionth it has a power of ten: ``5.8e-30``.
    """
    if not math.isfinite(value):
        return "–"
    if value == 0:
        return "0"
    if abs(value) < _SMALLEST:
        return f"{value:.{min(digits, 2) - 1}e}"
    # Of the rounded value: 0.99999 to four digits is 1.000.
    places = max(0, digits - 1 - math.floor(math.log10(abs(float(f"{value:.{digits - 1}e}")))))
    text = f"{value:,.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text and float(value).is_integer() else text


HALF_WIDTH_DIGITS = 2
"""Of half the width of an interval: more would pretend to know how uncertain a mean is."""

PERCENT_DIGITS = 3
"""Of a percentage of something else, such as a difference in percent of the baseline."""

ROUNDING = 1e-12
"""Differences that are smaller, relative to the numbers they are of, are noise of floating point."""


def format_signed(value: float, digits: int = 4) -> str:
    """Return a difference as text: ``+12.30``, ``-5.700``, ``0``."""
    return f"{'+' if value > 0 else ''}{figure(value, digits)}"


def percentage(value: float) -> str:
    """Return a percentage of something else: ``12.3 %``, ``0.04 %``."""
    text = figure(value, PERCENT_DIGITS)
    return f"{value:.2f} %" if len(text.partition(".")[2]) > 2 or "e" in text else f"{text} %"


def half_width(value: float) -> str:
    """Return half the width of an interval: ``± 0.13``."""
    return f"± {figure(value, HALF_WIDTH_DIGITS)}"


def bounds(low: float, high: float) -> str:
    """Return an interval by its bounds: ``[0 to 1,350]``."""
    return f"[{figure(low)} to {figure(high)}]"


def format_tick(value: float) -> str:
    """Return a round value beside an axis, as short as it can be: ``1,000``, ``0.7``."""
    return f"{value:,.6f}".rstrip("0").rstrip(".") if abs(value) >= _SMALLEST or not value else f"{value:g}"


def duration(seconds: float, unit: TimeUnit | None = None) -> str:
    """Return a time as text in `unit`, by default the one that suits it: ``2.5 h``."""
    unit = unit or time_unit(seconds)
    return f"{figure(seconds / unit.seconds)} {unit.sign}"


AMOUNTS = ("J", "J s", "W", "B")
"""Units that are written with a prefix: energy, energy-delay product, power, bytes."""

_PREFIXES = ("", "k", "M", "G", "T", "P", "E")


def quantity(value: float, unit: str, largest: float | None = None) -> str:
    """Return an amount with the prefix of a thousand that suits it: ``1.306 GJ``.

    Parameters
    ----------
    value : float
        The amount.
    unit : str
        The unit's sign.
    largest : float, optional
        The largest of the amounts beside it, whose prefix all share. Default: the value alone.
    """
    scale, sign = prefix_of(value if largest is None else largest, unit)
    return f"{figure(value / scale)} {sign}"


def prefix_of(value: float, unit: str) -> tuple[float, str]:
    """Return the thousands that suit an amount, and the sign of its unit with their prefix."""
    size = abs(value)
    # Rounding may lift a number to the next prefix: 999,999 J are 1,000 kJ, which is 1 MJ.
    power = math.floor(math.log10(float(f"{size:.3e}")) / 3) if math.isfinite(size) and size >= 1 else 0
    power = min(power, len(_PREFIXES) - 1)
    return 1000.0**power, f"{_PREFIXES[power]}{unit}"


def tally(count: int, noun: str) -> str:
    """Return a count with its noun, which takes an ``s`` unless there is one: ``1 job``, ``1,234 jobs``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def series(texts: Sequence[str]) -> str:
    """Return texts in a row, at least one: ``a``, ``a and b``, ``a, b and c``."""
    return " and ".join(filter(None, (", ".join(texts[:-1]), texts[-1])))
