"""Parts: a claim as statements that are each true or not of our numbers, and those numbers in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.analysis import t_interval

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.model.columns import FloatColumn


class Part(NamedTuple):
    """A statement with our numbers in it, and whether it is so."""

    says: str
    holds: bool


class Measured(NamedTuple):
    """A mean over seeds and its 95 % interval."""

    mean: float
    low: float
    high: float

    def text(self, unit: str = "", digits: int = 2) -> str:
        """Return it for people: ``0.43 (0.41 to 0.45)``."""
        mean, low, high = (f"{value:,.{digits}f}" for value in self)
        return f"{mean}{unit} ({low} to {high}{unit})"


def measured(values: FloatColumn) -> Measured:
    """Return the mean over seeds and its interval by Student's t; nan without two finite values."""
    finite = values[np.isfinite(values)]
    if len(finite) < 2:
        return Measured(float(finite.mean()) if len(finite) else float("nan"), float("nan"), float("nan"))
    found = t_interval(finite)
    return Measured(float(found.mean), float(found.low), float(found.high))


def gain(ours: FloatColumn, theirs: FloatColumn) -> Measured:
    """Return by how many percent `ours` is lower than `theirs`, seed by seed."""
    return measured(100 * (1 - ours / theirs))


def lower(names: tuple[str, str], values: tuple[FloatColumn, FloatColumn]) -> Part:
    """Return whether the first is lower than the second: the interval of the gain is above 0."""
    found = gain(*values)
    word = "lower" if found.mean >= 0 else "higher"
    size = found if found.mean >= 0 else Measured(-found.mean, -found.high, -found.low)
    apart = "" if found.low > 0 or found.high < 0 else ", not told apart"
    return Part(f"{names[0]} is {size.text(' %', 1)} {word} than {names[1]}{apart}", found.low > 0)


def within(what: str, values: FloatColumn, bounds: tuple[float, float]) -> Part:
    """Return whether the mean of `values` is within `bounds`."""
    found = measured(values)
    return Part(f"{what} {found.text()}", bounds[0] <= found.mean <= bounds[1])


def together(parts: Iterable[Part]) -> tuple[bool, str]:
    """Return whether all parts hold, and all of them as a text: those that hold first."""
    found = list(parts)
    so, not_so = (_listed([part.says for part in found if part.holds is kind]) for kind in (True, False))
    texts = [f"{word}: {text}" for word, text in (("So", so), ("Not so", not_so)) if text]
    return all(part.holds for part in found), ". ".join(texts)


def _listed(texts: list[str]) -> str:
    return "; ".join(texts)
