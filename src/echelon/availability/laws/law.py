"""Law: the distribution of a time, as a value."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from echelon.errors import InputError

if TYPE_CHECKING:
    import numpy as np

    from echelon.model.jobs.columns import FloatColumn


@runtime_checkable
class Law(Protocol):
    """The distribution of a time >= 0, in seconds: between failures, or of a repair."""

    @property
    def name(self) -> str:
        """Name in specs: ``"weibull"``."""

    @property
    def mean(self) -> float:
        """Mean, in seconds."""

    def sample(self, rng: np.random.Generator, n: int) -> FloatColumn:
        """Return `n` independent times, in seconds, >= 0, shape (n,)."""

    def remaining(self, rng: np.random.Generator, n: int) -> FloatColumn:
        """Return what is left, at a random instant, of the interval that this instant is in, shape (n,).

        It is the forward recurrence time of a renewal process in its stationary state, drawn exactly: a
        random instant hits intervals in proportion to their lengths, and falls anywhere into the one that it
        hits. So it is U X with X of the density x f(x) / mean and U uniform from 0 to 1; its own density is
        (1 - F(x)) / mean.
        """

    def log_density(self, x: FloatColumn) -> FloatColumn:
        """Return the logarithm of the density at each `x`, per second; minus infinity where it is 0."""

    def cdf(self, x: FloatColumn) -> FloatColumn:
        """Return the probability of a time of at most `x` seconds, for each `x`."""


def check_positive(law: str, **values: float) -> None:
    """Refuse parameters that are not finite numbers > 0.

    Raises
    ------
    InputError
        If one is not.
    """
    for name, value in values.items():
        if not 0 < value < math.inf:
            raise InputError(f"must be a finite number > 0, got {value:g}", field=f"{law}, {name}")
