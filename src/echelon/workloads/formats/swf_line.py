"""A job line of the Standard Workload Format, read the plain way.

This is the definition: what a field may hold, what is refused and by which message. The compiled reader in
`echelon.workloads.formats.swf_kernel` must agree with it value for value, and hands it every token and every
line that is not plain digits, so that nothing is decided twice.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.model.jobs.fields import FIELDS, LARGEST

if TYPE_CHECKING:
    from echelon.model.jobs.fields import Field

_NUMBER = re.compile(rb"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?")
_BLANKS = re.compile(rb"[ \t]+")


def split_line(line: bytes) -> list[bytes]:
    """Return the fields of `line`: what stands between spaces and tabs, less one final carriage return."""
    return [token for token in _BLANKS.split(line.removesuffix(b"\r")) if token]


def read_line(line: bytes, *, file: str, number: int) -> list[int | float]:
    """Return the 18 values of a job line, in the format's order; columns beyond 18 are not looked at.

    Raises
    ------
    InputError
        If there are fewer than 18 fields, or one is not the number it must be.
    """
    tokens = split_line(line)
    if len(tokens) < len(FIELDS):
        raise InputError(
            f"expected {len(FIELDS)} fields, got {len(tokens)}; write -1 for what is unknown",
            file=file,
            line=number,
        )
    try:
        return [read_number(token, spec) for token, spec in zip(tokens, FIELDS, strict=False)]
    except InputError as error:
        raise InputError(error.problem, file=file, line=number, field=error.field) from None


def read_number(token: bytes, spec: Field) -> int | float:
    """Return the value of one field.

    A float is the float64 nearest to the decimal number; a whole number is exact and may be written ``3.0``.

    Raises
    ------
    InputError
        If `token` is not a decimal number, not whole where `spec` wants whole, or too large: counts, codes
        and times reach 2**53, memory whatever float64 can hold.
    """
    kind = "a whole number" if spec.kind == "int" else "a finite number"
    if _NUMBER.fullmatch(token) is None:
        raise _error(token, spec, f"must be {kind}")
    value = float(token)
    if not math.isfinite(value) or abs(value) > (math.inf if spec.unit == "KB" else LARGEST):
        raise _error(token, spec, f"must be {kind} of at most {LARGEST}")
    if spec.kind == "float":
        return value
    exact = _parse_whole(token)
    if exact is None or abs(exact) > LARGEST:
        raise _error(token, spec, f"must be {kind} of at most {LARGEST}")
    return exact


def _parse_whole(token: bytes) -> int | None:
    """Return the whole number a decimal numeral of moderate size stands for, or None if it has a fraction."""
    digits = token.lower().partition(b"e")[0]
    if not digits.strip(b"+-0."):
        return 0
    from decimal import Decimal, InvalidOperation

    try:
        exact = Decimal(token.decode())
    except InvalidOperation:  # an exponent beyond all bounds, and the size is moderate: a fraction
        return None
    return int(exact) if exact == exact.to_integral_value() else None


def _error(token: bytes, spec: Field, expected: str) -> InputError:
    place = FIELDS.index(spec) + 1
    got = token[:40].decode("utf-8", "backslashreplace") + ("..." if len(token) > 40 else "")
    return InputError(f"field {place} {expected}, got {got!r}; write -1 for what is unknown", field=spec.name)
