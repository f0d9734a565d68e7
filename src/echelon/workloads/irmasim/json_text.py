"""JSON whose numbers keep their digits, so that a change of unit is exact."""

from __future__ import annotations

import json
import math

from echelon.errors import InputError
from echelon.workloads.formats.text.lines import text_of


class Literal(str):
    """A number with a fraction or an exponent, or one of JavaScript's that JSON has not, as it is written."""

    __slots__ = ()


def parse_json(data: bytes, name: str) -> tuple[object, list[str]]:
    """Return what a JSON text holds, and the keys that an object of it has twice.

    Numbers that are not whole are `Literal`; of a key given twice the last value counts.

    Raises
    ------
    InputError
        If the text is empty, binary or not JSON: line and column are named.
    """
    text = text_of(data, name, expected="a workload in JSON")
    twice: list[str] = []

    def join_pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
        table = dict(pairs)
        if len(table) < len(pairs):
            keys = [key for key, _ in pairs]
            twice.extend(key for key in table if keys.count(key) > 1)
        return table

    try:
        content = json.loads(text, parse_float=Literal, parse_constant=Literal, object_pairs_hook=join_pairs)
    except json.JSONDecodeError as error:
        raise InputError(
            f"is not JSON: {error.msg[:1].lower()}{error.msg[1:]} at column {error.colno}",
            file=name,
            line=error.lineno,
        ) from error
    except (ValueError, RecursionError) as error:
        # Python's messages on whole numbers of thousands of digits, and on brackets too deep.
        raise InputError(f"is not JSON that can be read: {error!s:.100}", file=name) from error
    return content, twice


def number(value: object, shift: int = 0) -> float:
    """Return `value` times 10**`shift`, rounded once; NaN if it is not a number."""
    if type(value) is int:
        try:
            return float(value * 10**shift)
        except OverflowError:
            return math.inf
    return _shift_point(value, shift) if type(value) is Literal else math.nan


def _shift_point(text: str, shift: int) -> float:
    mantissa, _, exponent = text.lower().partition("e")
    try:
        return _parse_number(f"{mantissa}e{int(exponent or 0) + shift}" if shift else text)
    except ValueError:
        return _parse_number(text)


def _parse_number(text: str) -> float:
    """Return the number that a text is, also one of JavaScript's; NaN if it is none."""
    try:
        # Python takes 1_000 for a thousand.
        return float(text) if "_" not in text else math.nan
    except ValueError:
        return math.nan
