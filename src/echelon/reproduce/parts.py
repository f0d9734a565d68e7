"""Parts: a claim as statements that are each true or not of our numbers, and those numbers in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.analysis import t_interval

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.model.columns import FloatColumn
    from echelon.reproduce.claim import Verdict


class Part(NamedTuple):
    """A statement with our numbers in it, and whether they bear it out.

    `against` is the p-value of what speaks against it: 0 if it is plainly not so, 1 if nothing does. Only
    `settled` asks for it.
    """

    says: str
    holds: bool
    against: float = 0.0


class Measured(NamedTuple):
    """A mean over seeds and its 95 % interval."""

    mean: float
    low: float
    high: float

    def text(self, unit: str = "", digits: int = 2) -> str:
        """Return it for people: ``0.43 (0.41 to 0.45)``."""
        # Rounded before it is shown: 0 has a sign else.
        mean, low, high = (f"{round(value, digits) + 0.0:,.{digits}f}" for value in self)
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


def settled(parts: Iterable[Part]) -> tuple[Verdict, str]:
    """Return a verdict that counts how many statements were tested, and all of them as a text.

    A claim holds if all parts do: each of them is tested, so that no correction is needed. It does not hold
    if one part is refuted, at 5 % for all of them together (Bonferroni). Else too few repetitions were run
    to tell: *not testable*.

    Notes
    -----
    Source: Berger, Technometrics 24, 1982 (intersection-union tests).
    """
    found = list(parts)
    refuted = [not part.holds and part.against * len(found) <= _ERROR for part in found]
    so = [part.says for part in found if part.holds]
    not_so = [part.says for part, is_so in zip(found, refuted, strict=True) if is_so]
    left = [part.says for part, is_so in zip(found, refuted, strict=True) if not (part.holds or is_so)]
    named = (("So", so), ("Not so", not_so), ("Too few repetitions to tell", left))
    text = ". ".join(f"{word}: {_listed(texts)}" for word, texts in named if texts)
    return ("does not hold" if not_so else "not testable" if left else "holds"), text


_ERROR = 0.05
"""Chance at which a claim of which all is so is told not to hold."""


def against(ahead: FloatColumn) -> float:
    """Return the p-value of what speaks against a mean above 0: of t, to both sides; 1 if the mean is above.

    Parameters
    ----------
    ahead : array of shape (n_seeds,)
        By how much what is claimed to be ahead is so, seed by seed.
    """
    from echelon.analysis.scipy_stats import scipy_stats

    error = float(ahead.std(ddof=1)) / np.sqrt(len(ahead))
    mean = float(ahead.mean())
    if mean >= 0:
        return 1.0
    return 2.0 * float(scipy_stats().t.sf(-mean / error, len(ahead) - 1)) if error else 0.0


def _listed(texts: list[str]) -> str:
    return "; ".join(texts)
