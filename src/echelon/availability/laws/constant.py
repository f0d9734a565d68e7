"""Constant: always the same time."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from echelon.errors import InputError

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn


@dataclass(frozen=True, slots=True)
class Constant:
    """Constant: always the same time, ``constant:3d``.

    Parameters
    ----------
    time : float
        In seconds, >= 0.

    Raises
    ------
    InputError
        If the time is not a finite number >= 0.

    Notes
    -----
    **Cost**: O(n).
    """

    time: float = field(metadata={"unit": "s"})

    name: ClassVar[str] = "constant"
    bare_word: ClassVar[str] = "time"
    source: ClassVar[str] = "no paper: a textbook distribution"

    def __post_init__(self) -> None:
        if not 0 <= self.time < math.inf:
            raise InputError(f"must be a finite number >= 0, got {self.time:g}", field=f"{self.name}, time")

    @property
    def mean(self) -> float:
        """The time itself, in seconds."""
        return self.time

    def sample(self, rng: np.random.Generator, n: int) -> FloatColumn:
        """Return the time, `n` times; nothing is drawn."""
        return np.full(n, self.time, dtype=np.float64)

    def remaining(self, rng: np.random.Generator, n: int) -> FloatColumn:
        """Return `n` times left at a random instant: uniform from 0 to the time."""
        return rng.random(n) * self.time

    def log_density(self, x: FloatColumn) -> FloatColumn:
        """Return 0, the logarithm of all probability, at the time, and minus infinity elsewhere."""
        return np.where(x == self.time, 0.0, -np.inf)

    def cdf(self, x: FloatColumn) -> FloatColumn:
        """Return 0 below the time, and 1 from it on."""
        return (x >= self.time).astype(np.float64)
