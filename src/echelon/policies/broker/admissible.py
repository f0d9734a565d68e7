"""Adaptive admissibility: the sites that a job may go to, which keeps small jobs off the large sites."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from echelon.errors import InputError
from echelon.quantities import is_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model.jobs.columns import IntColumn


class SizedSites(Protocol):
    """Sites to choose from: those of a `Platform`, or the branches of an inner site."""

    @property
    def sizes(self) -> IntColumn:
        """Processors of each, in order, shape (n_sites,)."""

    @property
    def largest_jobs(self) -> IntColumn:
        """Largest job that each can hold, in processors, shape (n_sites,)."""

    @property
    def by_size(self) -> IntColumn:
        """Their indices by (largest job, index), ascending, shape (n_sites,)."""


@dataclass(frozen=True, slots=True)
class Admissible:
    """The range of sites that may run a job of a size, for any broker.

    With sites ordered by size, equal ones as in the platform's file, s_1 <= ... <= s_m, a job of size p may
    go to f, ..., l:

    * f is the first site that can hold the job, s_f >= p,
    * l is the first site >= f with s_f + ... + s_l >= a * (s_f + ... + s_m).

    Parameters
    ----------
    factor : float, default 1.0
        The factor a of admissibility, 0 < a <= 1; 1 allows every site that can hold the job.
    equal_sizes : bool, default False
        Extend l to the last site of its size. By the definition above, the last of several sites of one size
        may be admissible for no job.

    Raises
    ------
    InputError
        If `factor` is not in (0, 1].

    Notes
    -----
    Source: Tchernykh et al., PPAM 2005; Quezada Pina, CICESE 2012, section 3.2.2.3.
    """

    factor: float = 1.0
    equal_sizes: bool = False

    def __post_init__(self) -> None:
        # Any type: numpy's numbers are not floats to type checkers or to JSON.
        factor: Any = self.factor
        if isinstance(factor, np.number):
            factor = factor.item()
            object.__setattr__(self, "factor", factor)
        if not is_number(factor) or not 0 < factor <= 1:
            raise InputError(f"must be a number with 0 < a <= 1, got {self.factor!r}", field="admissible")

    def __str__(self) -> str:
        return f"{self.factor:g}{':equal-sizes' if self.equal_sizes else ''}"

    def last_sites(self, platform: SizedSites) -> IntColumn:
        """Return l for each site f, both as places by size from 0, shape (n_sites,).

        Ties: none; exact in the factor's decimals: 0.55 of 100 processors are 55, which float64 exceeds.
        Cost: O(m log m).
        """
        from fractions import Fraction

        order, factor = platform.by_size, Fraction(str(self.factor))
        sizes, largest = platform.sizes[order], platform.largest_jobs[order]
        before = np.concatenate(([0], np.cumsum(sizes)))
        wanted = [math.ceil(factor * total) for total in (before[-1] - before[:-1]).tolist()]
        last = np.array(
            [f + np.searchsorted(before[f + 1 :] - before[f], wanted[f]) for f in range(len(sizes))],
            dtype=np.int64,
        )
        if self.equal_sizes:
            last = np.searchsorted(largest, largest[last], side="right") - 1
        return last

    def ranges(self, platform: SizedSites, size: IntColumn) -> tuple[IntColumn, IntColumn]:
        """Return f and l for jobs of these sizes, each at most the largest site's.

        Both are indices into `Platform.by_size`, from 0: sites sorted by size, then by place in the file.
        """
        first = np.searchsorted(np.sort(platform.largest_jobs), size)
        return first, self.last_sites(platform)[first]

    def sites(self, platform: SizedSites, size: IntColumn) -> list[Sequence[int]]:
        """Return the sites that jobs of these sizes may go to, the lowest first, as places in the file."""
        order: list[int] = platform.by_size.tolist()
        in_order = order == sorted(order)
        ends = [(first, last) for first, last in np.stack(self.ranges(platform, size), axis=1).tolist()]
        sites_of_range: dict[tuple[int, int], Sequence[int]] = {
            (first, last): range(first, last + 1) if in_order else tuple(order[first : last + 1])
            for first, last in set(ends)
        }
        return [sites_of_range[end] for end in ends]


def admissible(setting: float | str | Admissible) -> Admissible:
    """Return `setting`, a factor, a spec such as ``"0.5:equal-sizes"`` or an admissibility, as the latter.

    Raises
    ------
    InputError
        If it is none of these.
    """
    if isinstance(setting, Admissible):
        return setting
    if not isinstance(setting, str):
        return Admissible(setting)
    number, colon, rest = setting.partition(":")
    try:
        factor = float(number)
    except ValueError:
        factor = float("nan")
    if not 0 < factor <= 1 or rest != ("equal-sizes" if colon else ""):
        raise InputError(
            f"must be a number with 0 < a <= 1, alone or followed by :equal-sizes, got {setting!r}",
            field="admissible",
        )
    return Admissible(factor, rest == "equal-sizes")
