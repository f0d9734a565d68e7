"""JSON whose numbers keep their digits, so that a change of unit is exact."""

from __future__ import annotations

import json
import math

from echelon.errors import InputError
from echelon.workloads.lines import text_of


class Literal(str):
    """A number with a fraction or an exponent, or one of JavaScript's that JSON has not, as it is written."""

    __slots__ = ()


def parsed(data: bytes, name: str) -> object:
    """Return what a JSON text holds; numbers that are not whole are `Literal`.

    Raises
    ------
    InputError
        If the text is empty, binary or not JSON: line and column are named.
    """
    text = text_of(data, name, expected="a workload in JSON")
    try:
        return json.loads(text, parse_float=Literal, parse_constant=Literal)
    except json.JSONDecodeError as error:
        raise InputError(
            f"is not JSON: {error.msg[:1].lower()}{error.msg[1:]} at column {error.colno}",
            file=name,
            line=error.lineno,
        ) from error
    except (ValueError, RecursionError) as error:
        # Python's words on whole numbers of thousands of digits, and on brackets too deep.
        raise InputError(f"is not JSON that can be read: {error!s:.100}", file=name) from error


def number(value: object, shift: int = 0) -> float:
    """Return `value` times 10**`shift`, rounded once; NaN if it is no number."""
    if type(value) is int:
        try:
            return float(value * 10**shift)
        except OverflowError:
            return math.inf
    return _shifted(value, shift) if type(value) is Literal else math.nan


def _shifted(text: str, shift: int) -> float:
    mantissa, _, exponent = text.lower().partition("e")
    try:
        return _plain(f"{mantissa}e{int(exponent or 0) + shift}" if shift else text)
    except ValueError:
        return _plain(text)


def _plain(text: str) -> float:
    """Return the number that a text is, also one of JavaScript's; NaN if it is none."""
    try:
        # Python takes 1_000 for a thousand.
        return float(text) if "_" not in text else math.nan
    except ValueError:
        return math.nan
