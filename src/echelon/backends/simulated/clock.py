"""Clocks of simulated clusters: driven from outside by instants, or real time."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from echelon.backends.simulated.simulation import Simulation


class Driven:
    """The instants are another's: the caller that drives the simulation begins, decides and settles."""

    @contextmanager
    def instant(self, simulation: Simulation) -> Iterator[float]:
        """Return a context in which clusters may be asked; it gives the time, which is the present one."""
        yield simulation.now


class RealTime:
    """Everything that is asked is an instant of its own, at the time of a clock.

    Parameters
    ----------
    clock : callable
        Unix time in seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._lock = clock, threading.Lock()

    @contextmanager
    def instant(self, simulation: Simulation) -> Iterator[float]:
        """See `Driven.instant`: what is due happens before, and the clusters decide after."""
        with self._lock:
            # A clock that is set back stands still.
            now = max(self._clock(), simulation.now)
            simulation.advance(now)
            simulation.begin(now)
            try:
                yield now
            finally:
                simulation.decide()
                simulation.settle()
