"""Fields of the tables of a platform file: how each is read, and what is expected where it is not that."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from echelon.platforms.files.units import in_base_unit
from echelon.platforms.files.units import number as as_number

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.platforms.files.units import Dimension


class Field(NamedTuple):
    """One key: how its value is read, with None for what it may not be, and what is expected."""

    key: str
    read: Callable[[object], Any]
    expected: str


def text(key: str) -> Field:
    """Return a field that is a text, empty or not."""
    return Field(key, lambda entry: entry if isinstance(entry, str) else None, "text in quotes")


def name(key: str) -> Field:
    """Return a field that is a text with something in it."""
    return Field(key, lambda entry: entry if is_name(entry) else None, "a name in quotes")


def whole(key: str, most: int, *, least: int = 1) -> Field:
    """Return a field that is a whole number from `least` to `most`."""
    return Field(
        key,
        lambda entry: entry if is_whole(entry, most, least=least) else None,
        f"a whole number from {least} to {most}",
    )


def number(
    key: str, *, above: float | None = None, least: float | None = None, most: float = math.inf
) -> Field:
    """Return a field that is a finite number within its bounds, of which `above` is not allowed."""

    def read(entry: object) -> float | None:
        value = _within(as_number(entry), above, least)
        return value if value is not None and value <= most else None

    bound = f" > {above:g}" if above is not None else f" >= {least:g}" if least is not None else ""
    return Field(key, read, f"a number{bound}" + ("" if math.isinf(most) else f" and <= {most:g}"))


def share(key: str) -> Field:
    """Return a field that is a number from 0 to 1."""
    return number(key, least=0, most=1)._replace(expected="a number from 0 to 1")


def quantity(
    key: str, dimension: Dimension, *, above: float | None = None, least: float = 0, endless: bool = False
) -> Field:
    """Return a field that is a quantity above a bound, or else at least another; infinite if `endless`."""

    def read(entry: object) -> float | None:
        return _within(in_base_unit(entry, dimension), above, least, endless=endless)

    bound = f"> {above:g}" if above is not None else f">= {least:g}"
    return Field(key, read, f'a number {bound} of {dimension.base} or a text such as "{dimension.example}"')


def scale_field(field: Field, factor: float, unit: str) -> Field:
    """Return a field whose number is in a unit, of `factor` base units."""

    def read(entry: object) -> float | None:
        value = field.read(entry)
        return None if value is None or not math.isfinite(value * factor) else value * factor

    return field._replace(read=read, expected=f"{field.expected} of {unit}")


def is_name(entry: object) -> bool:
    """Return whether it is a text with something in it."""
    return isinstance(entry, str) and bool(entry.strip())


def is_whole(entry: object, most: int, *, least: int = 1) -> bool:
    """Return whether it is a whole number from `least` to `most`."""
    return isinstance(entry, int) and not isinstance(entry, bool) and least <= entry <= most


def _within(
    value: float | None, above: float | None, least: float | None, *, endless: bool = False
) -> float | None:
    """Return the value if it is a number within its bounds."""
    if value is None or math.isnan(value) or (math.isinf(value) and not endless):
        return None
    low = value <= above if above is not None else least is not None and value < least
    return None if low else value
