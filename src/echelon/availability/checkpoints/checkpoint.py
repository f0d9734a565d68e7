"""Checkpoint: how often jobs save their work, what that costs, and how long attempts take by it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from echelon.errors import InputError

ROUNDED = 1e-6
"""Seconds by which times may miss a whole number of intervals and still be one: sums and differences of times
since 1970 are off by a tenth of it. Of very short intervals, a thousandth of the interval."""


class Saved(NamedTuple):
    """What an attempt that was cut short leaves, in seconds: work that is safe, and time that it cost."""

    work: float
    overhead: float


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A job saves its work after every `interval` seconds of it, but not at its very end.

    An attempt is (after a failure) the restart, then work and checkpoints in turn, then the last work. All
    times are seconds of the job's progress: where jobs run for their run times, of wall time.

    Parameters
    ----------
    interval : float
        Seconds of work between checkpoints, > 0; infinity: there are none.
    cost : float, default 0
        Seconds that a checkpoint takes, >= 0. What fails during one is not saved by it; what fails at the
        instant at which it ends is.
    restart : float, default 0
        Seconds before work resumes in an attempt after a failure, >= 0, whether or not anything was saved.

    Raises
    ------
    InputError
        If a number is out of these ranges.
    """

    interval: float = math.inf
    cost: float = 0.0
    restart: float = 0.0

    def __post_init__(self) -> None:
        if not self.interval > 0:
            raise InputError(f"must be > 0, got {self.interval}", field="checkpoint")
        for name, value in (("checkpoint-cost", self.cost), ("restart-cost", self.restart)):
            if not 0 <= value < math.inf:
                raise InputError(f"must be a number >= 0, got {value}", field=name)

    def checkpoints(self, work: float) -> int:
        """Return how many checkpoints an attempt with so much work left has: none at its very end."""
        if math.isinf(self.interval):
            return 0
        return max(0, math.ceil((work - _slack(self.interval)) / self.interval) - 1)

    def length(self, work: float, *, again: bool) -> float:
        """Return how long an attempt takes that does all the work left, in seconds.

        Parameters
        ----------
        work : float
            Work that is left, in seconds.
        again : bool
            Whether it follows a failure, so that a restart comes first.
        """
        return (self.restart if again else 0.0) + work + self.cost * self.checkpoints(work)

    def save_progress(self, progress: float, work: float, *, again: bool) -> Saved:
        """Return what is safe of an attempt that was cut short after `progress` seconds.

        Parameters
        ----------
        progress : float
            Seconds since it began, < its length.
        work, again : float, bool
            As in `length`.

        Returns
        -------
        Saved
            Work up to the last checkpoint that had ended, and the seconds that it and those before took, with
            the restart as far as it came. What is left of `progress` is lost.
        """
        restart = self.restart if again else 0.0
        if progress <= restart or math.isinf(self.interval):
            return Saved(0.0, min(progress, restart))
        cycle = self.interval + self.cost
        ended = math.floor((progress - restart + _slack(cycle)) / cycle)
        done = min(ended, self.checkpoints(work))
        return Saved(done * self.interval, restart + done * self.cost)


def _slack(length: float) -> float:
    """Return what a time may lack of whole multiples of a length."""
    return min(ROUNDED, length / 1000)
