"""Sleeping: the nodes that are switched off, since when, and how long they take to wake up."""

from __future__ import annotations

import math
from copy import copy
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from echelon.model import Hardware


class Sleeping:
    """Idle nodes are switched off after some time; the first job that starts on one wakes it up.

    A node is off from the instant at which it has been idle for the time given by its `echelon.model.Sleep`.
    Every node is on and idle when the first job is submitted.

    Parameters
    ----------
    hardware : Hardware
        The nodes.
    sleep_after : float, optional
        Idle time before nodes are switched off, in seconds; default: each node's own.
    begin : float
        When the first job is submitted, in seconds.
    """

    def __init__(self, hardware: Hardware, sleep_after: float | None, begin: float) -> None:
        nodes = hardware.nodes
        waits = [math.inf if node.sleep is None else node.sleep.after for node in nodes]
        if sleep_after is not None:
            waits = [math.inf if node.sleep is None else sleep_after for node in nodes]
        self._after = np.array(waits)
        self._wake_time = np.array([0.0 if node.sleep is None else node.sleep.wake_time for node in nodes])
        self.is_used = bool(np.isfinite(self._after).any())
        self._idle_since = np.full(len(nodes), begin)
        self._awake_at = np.full(len(nodes), -math.inf)
        self._never = np.zeros(len(nodes), dtype=np.bool_)
        self._log: list[tuple[int, float, float]] = []

    def copy(self) -> Sleeping:
        """Return an independent copy."""
        twin = copy(self)
        times = {"_idle_since": self._idle_since.copy(), "_awake_at": self._awake_at.copy()}
        twin.__dict__.update(times, _log=list(self._log))
        return twin

    def asleep(self, now: float) -> NDArray[np.bool_]:
        """Return which nodes are switched off, shape (n_nodes,)."""
        return self._idle_since + self._after <= now if self.is_used else self._never

    def mask_waking(self, now: float) -> NDArray[np.bool_]:
        """Return which nodes have been woken up and are not ready yet, shape (n_nodes,)."""
        return self._awake_at > now if self.is_used else self._never

    def next_off(self, now: float) -> float:
        """Return when the next node is switched off after `now`; infinity if none is."""
        off = self._idle_since + self._after
        return float(off[off > now].min(initial=math.inf))

    def idle_from(self, node: int, now: float) -> None:
        """Note that `node` has lost its last job."""
        self._idle_since[node] = now

    def hold(self, nodes: Iterable[int]) -> None:
        """Note that a job holds cores of these nodes, which are on."""
        for node in nodes:
            self._idle_since[node] = math.inf

    def wake(self, nodes: Iterable[int], now: float) -> float:
        """Wake up the nodes that are off among those a job takes; return when all are ready."""
        ready = now
        if not self.is_used:
            return ready
        asleep = self.asleep(now)
        for node in nodes:
            if asleep[node]:
                self._log.append((node, float(self._idle_since[node] + self._after[node]), now))
                self._awake_at[node] = now + self._wake_time[node]
            self._idle_since[node] = math.inf
            ready = max(ready, float(self._awake_at[node]))
        return ready

    def log(self, now: float) -> list[tuple[int, tuple[float, float]]]:
        """Return when nodes were off in the run that ends now: node, begin, and begin of waking up."""
        if not self.is_used:
            return []
        off = np.flatnonzero(self.asleep(now)).tolist()
        still = [(node, float(self._idle_since[node] + self._after[node]), math.inf) for node in off]
        return [(node, (begin, wake)) for node, begin, wake in (*self._log, *still)]
