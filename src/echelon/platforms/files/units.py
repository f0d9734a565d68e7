"""Units in platform files: how much of the base unit a number or a text such as ``"2.4 GHz"`` is."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from echelon.quantities import is_number

if TYPE_CHECKING:
    from collections.abc import Mapping

_DECIMAL = {"": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_EIGHTH = Decimal("0.125")
"""Of a byte: one bit."""

_WITH_UNIT = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?)\s*([A-Za-z/]+)\s*")


class Dimension(NamedTuple):
    """What is measured: its base unit, an example, and how much of the base unit each unit is."""

    base: str
    example: str
    units: Mapping[str, Decimal]


def _add_prefixes(
    unit: str, prefixes: str, *, of: Decimal = Decimal(1), binary: bool = False
) -> dict[str, Decimal]:
    """Return `unit` with each decimal prefix, a letter, and, if wanted, each binary one."""
    factors = {prefix + unit: Decimal(10) ** _DECIMAL[prefix] * of for prefix in ("", *prefixes)}
    return factors | ({prefix + unit: 2**power * of for prefix, power in _BINARY.items()} if binary else {})


FREQUENCY = Dimension("Hz", "2.4 GHz", _add_prefixes("Hz", "kMGT"))
MEMORY = Dimension("B", "64 GB", _add_prefixes("B", "kMGTPE", binary=True))
BANDWIDTH = Dimension(
    "B/s",
    "125 MB/s",
    _add_prefixes("B/s", "kMGTPE", binary=True)
    | _add_prefixes("bit/s", "kMGTPE", of=_EIGHTH, binary=True)
    | _add_prefixes("bps", "kMGTPE", of=_EIGHTH),
)
POWER = Dimension("W", "95 W", {**_add_prefixes("W", "kM"), "mW": Decimal("0.001")})
TIME = Dimension(
    "s",
    "30 s",
    {
        unit: Decimal(seconds)
        for unit, seconds in (("ms", "0.001"), ("s", 1), ("min", 60), ("h", 3600), ("d", 86400))
    },
)


def in_base_unit(entry: object, dimension: Dimension) -> float | None:
    """Return how much of the dimension's base unit is given; None if that is no quantity of it.

    Parameters
    ----------
    entry : object
        A number, which is in the base unit; or a text, a number with a unit: ``"64 GB"``. Prefixes k, M, G,
        T, P, E are powers of 1000; Ki, Mi, Gi ... powers of 1024; 8 bit are a byte.
    dimension : Dimension
        What is measured.

    Examples
    --------
    >>> in_base_unit("1 Gbit/s", BANDWIDTH), in_base_unit("2 KiB", MEMORY), in_base_unit("2 KiB", TIME)
    (125000000.0, 2048.0, None)
    """
    if isinstance(entry, str):
        match = _WITH_UNIT.fullmatch(entry)
        # In decimals "4.4 GHz" is the number nearest to 4400000000, which a product of floats need not be.
        unit = dimension.units.get(match[2]) if match else None
        value = float(Decimal(match[1]) * unit) if match and unit else math.inf
        return None if math.isinf(value) else value
    return number(entry)


def number(entry: object) -> float | None:
    """Return a number as a float; None if it is none, or a whole one beyond every float."""
    if not is_number(entry):
        return None
    try:
        return float(entry)
    except OverflowError:
        return None
