"""Statement: one sentence of a claim with our numbers in it, and whether they settle it.

One rule for all studies. A statement about quantities in which chance has a part is settled by the 95 %
interval of what is claimed, over repetitions with common random numbers:

* it *holds* if the whole interval is on the side that is claimed;
* it *does not hold* if the whole interval is on the other side, at 5 % for all statements of the claim
  together (Bonferroni), so that long claims are not refuted by chance;
* else it is *not decided*: too few repetitions, or too small a difference, to tell.

That several comparisons hold needs no correction: each of them is tested (Berger, Technometrics 24, 1982).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np

from echelon.analysis import t_interval

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.model.jobs.columns import FloatColumn

Outcome: TypeAlias = Literal["holds", "does not hold", "not decided"]

ERROR = 0.05
"""Chance at which a claim of which every statement is true has one that is said not to hold."""


class Measured(NamedTuple):
    """A mean over repetitions and its 95 % interval by Student's t; the bounds are NaN without two values."""

    mean: float
    low: float
    high: float

    def text(self, unit: str = "", digits: int = 2) -> str:
        """Return it for people: ``0.43 (0.41 to 0.45)``."""
        # Rounded before it is shown: 0 has a sign else.
        mean, low, high = (f"{round(value, digits) + 0.0:,.{digits}f}" for value in self)
        return f"{mean}{unit} ({low} to {high}{unit})"

    @property
    def turned(self) -> Measured:
        """The same in the other direction: by how much less, of what says by how much more."""
        return Measured(-self.mean, -self.high, -self.low)

    def towards(self, comparatives: tuple[str, str]) -> tuple[Measured, str]:
        """Return it with the first comparative, or turned with the second where the mean is below 0.

        Of ``("below", "above")`` a mean of -3 is 3 above.
        """
        return (self, comparatives[0]) if self.mean >= 0 else (self.turned, comparatives[1])


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement, with our numbers.

    Parameters
    ----------
    text : str
        The statement with our numbers, as a clause: ``"555: turnaround with TAT is 4.1 % (3.0 to 5.2 %) lower
        than with round robin"``.
    supported : bool
        Whether the 95 % interval is wholly on the side that is claimed.
    against : float, default 1
        The p-value, to both sides, of what speaks against it: 0 if it is plainly not so, 1 if nothing does.
    """

    text: str
    supported: bool
    against: float = 1.0

    def outcome(self, among: int = 1) -> Outcome:
        """Return whether it is settled, as one of `among` statements of a claim."""
        if self.supported:
            return "holds"
        return "does not hold" if self.against * among <= ERROR else "not decided"


def fact(text: str, holds: bool) -> Statement:
    """Return a statement that no chance enters: it holds, or it does not."""
    return Statement(text, holds, against=0.0)


def leave_undecided(text: str) -> Statement:
    """Return a statement that nothing which was run can settle."""
    return Statement(text, supported=False)


def mean_interval(values: FloatColumn) -> Measured:
    """Return the mean over repetitions and its interval; NaN without two finite values."""
    finite = values[np.isfinite(values)]
    if len(finite) < 2:
        return Measured(float(finite.mean()) if len(finite) else float("nan"), float("nan"), float("nan"))
    interval = t_interval(finite)
    return Measured(float(interval.mean), float(interval.low), float(interval.high))


def above_zero(text: str, ahead: FloatColumn) -> Statement:
    """Return the statement that the mean of `ahead` is above 0.

    Parameters
    ----------
    text : str
        The statement, with our numbers.
    ahead : array of shape (n_repetitions,)
        By how much what is claimed to be ahead is so, repetition by repetition.

    Notes
    -----
    Two that are the same in every repetition settle it, too: none is ahead.
    """
    return all_above_zero(text, [ahead])


def all_above_zero(text: str, ahead: Iterable[FloatColumn]) -> Statement:
    """Return the statement that the mean of each of `ahead` is above 0.

    What speaks against it is the least p-value of one of them, times how many there are.
    """
    leads = list(ahead)
    doubt = min((against(one) for one in leads), default=1.0)
    return Statement(
        text, bool(leads) and all(mean_interval(one).low > 0 for one in leads), min(1.0, doubt * len(leads))
    )


def gain(ours: FloatColumn, theirs: FloatColumn) -> Measured:
    """Return by how many percent `ours` is lower than `theirs`, repetition by repetition."""
    return mean_interval(100 * (1 - ours / theirs))


def lower(names: tuple[str, str], values: tuple[FloatColumn, FloatColumn]) -> Statement:
    """Return the statement that the first is lower than the second, in percent of the second.

    Parameters
    ----------
    names : (str, str)
        Of both, as they stand in a sentence: ``("turnaround with TAT", "round robin")``.
    values : (array, array), each of shape (n_repetitions,)
        Of both, paired.
    """
    change = gain(*values)
    size, comparative = change.towards(("lower", "higher"))
    text = f"{names[0]} is {size.text(' %', 1)} {comparative} than {names[1]}"
    return above_zero(text, 100 * (1 - values[0] / values[1]))


def within(text: str, values: FloatColumn, bounds: tuple[float, float]) -> Statement:
    """Return the statement that the mean of `values` is between two bounds.

    It holds if the whole interval is between them, and does not if the whole interval is below or above.
    """
    interval = mean_interval(values)
    low, high = bounds
    inside = interval.low >= low and interval.high <= high
    return Statement(text, bool(inside), min(against(values - low), against(high - values)))


def alike(names: tuple[str, str], values: tuple[FloatColumn, FloatColumn], percent: float) -> Statement:
    """Return the statement that two means differ by at most so many percent of the second.

    A difference that is not significant does not make two alike: the whole interval must be within.
    """
    apart = 100 * (values[0] - values[1]) / values[1].mean()
    interval = mean_interval(apart)
    text = f"{names[0]} is {interval.text(' %', 1)} from {names[1]}, alike if within {percent:g} %"
    return within(text, apart, (-percent, percent))


def against(ahead: FloatColumn) -> float:
    """Return the p-value, to both sides, of what speaks against a mean above 0; 1 if the mean is above.

    It is 0 where all values are the same and none is above 0; 1 with fewer than two finite values.
    """
    from echelon.extras import SCIPY

    finite = ahead[np.isfinite(ahead)]
    if len(finite) < 2:
        return 1.0
    mean, error = float(finite.mean()), float(finite.std(ddof=1)) / np.sqrt(len(finite))
    if error == 0.0:
        return 1.0 if mean > 0 else 0.0
    return 1.0 if mean >= 0 else 2.0 * float(SCIPY.load().t.sf(-mean / error, len(finite) - 1))
