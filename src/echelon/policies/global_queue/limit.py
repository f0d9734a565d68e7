"""Queue limits: when the queue of a cluster accepts no more jobs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol, runtime_checkable

from echelon.errors import InputError
from echelon.quantities import is_whole

if TYPE_CHECKING:
    from collections.abc import Callable


class QueueState(NamedTuple):
    """The state of one cluster that a limit sees.

    Attributes
    ----------
    waiting : int
        Jobs in its queue.
    starts_now : callable () -> bool
        Whether the job would start at once if it joined; worked out when called.
    arrival_rate, service_rate : float
        Jobs a second that have joined its queue and left it for nodes lately; nan before two of each.
    wait : callable () -> float
        The estimator's forecast of the job's wait there, in seconds; worked out when called.
    running : int, default 0
        Jobs with tasks in its nodes.
    """

    waiting: int
    starts_now: Callable[[], bool]
    arrival_rate: float
    service_rate: float
    wait: Callable[[], float]
    running: int = 0


@runtime_checkable
class QueueLimit(Protocol):
    """A queue limit: decides whether a job may join the queue. A frozen rule."""

    def accepts(self, state: QueueState) -> bool:
        """Return whether the job may join."""


@dataclass(frozen=True, slots=True)
class AtMost:
    """Accept while fewer jobs wait than the given number; with 0, only jobs that start at once.

    Parameters
    ----------
    jobs : int or None, default None
        Most jobs in the queue, >= 0; None: no limit.

    Raises
    ------
    InputError
        If it is not a whole number >= 0.

    Notes
    -----
    A limit of 0 leaves one central queue. **Cost**: O(1). **Source**: M-CISNE thesis, section 4.4.
    """

    jobs: int | None = None

    bare_word: ClassVar[str] = "jobs"

    def __post_init__(self) -> None:
        if self.jobs is not None and not (is_whole(self.jobs) and self.jobs >= 0):
            raise InputError(f"must be a whole number >= 0, got {self.jobs!r}", field="queue-limit")

    @property
    def spec(self) -> str:
        """Canonical spec after ``--queue-limit``."""
        return "unlimited" if self.jobs is None else str(self.jobs)

    def accepts(self, state: QueueState) -> bool:
        """Return whether the job may join."""
        if self.jobs is None:
            return True
        return not state.waiting and state.starts_now() if self.jobs == 0 else state.waiting < self.jobs


@dataclass(frozen=True, slots=True)
class Held:
    """Accept while the cluster holds fewer jobs than the given number, including running jobs.

    Parameters
    ----------
    jobs : int
        Most jobs that wait or run in the cluster, >= 1.

    Raises
    ------
    InputError
        If it is not a whole number >= 1.

    Notes
    -----
    The other reading of line 8 of algorithm 4.4, where a job is in the queue of a cluster until it has ended.
    **Cost**: O(1). **Source**: M-CISNE thesis, section 4.4; the reading is ours.
    """

    jobs: int

    bare_word: ClassVar[str] = "jobs"

    def __post_init__(self) -> None:
        if not is_whole(self.jobs) or self.jobs < 1:
            raise InputError(f"must be a whole number >= 1, got {self.jobs!r}", field="queue limit held")

    @property
    def spec(self) -> str:
        """Canonical spec after ``--queue-limit``."""
        return f"held:{self.jobs}"

    def accepts(self, state: QueueState) -> bool:
        """Return whether the job may join."""
        return state.waiting + state.running < self.jobs


@dataclass(frozen=True, slots=True)
class Stable:
    """Accept while the queue is stable: its occupation rho is below 1. The limit adapts itself.

    rho = lambda / mu, with lambda the rate at which jobs have lately joined the queue and mu the rate at
    which they have left it for nodes. Predicted: mu = n / Tw, where n jobs wait and Tw is the wait that is
    forecast for the job, so rho = lambda Tw / n; after a burst of freed nodes it still rejects jobs for which
    the queue will be too slow.

    Parameters
    ----------
    predicted : bool, default False
        Whether mu is forecast instead of measured.

    Notes
    -----
    An empty queue accepts, or no cluster would ever accept again once it has refused; so does one that has
    not yet seen two arrivals, or without a measured mu. **Cost**: O(1), or one forecast. **Source**: M-CISNE
    thesis, section 4.5, equations 4.6 to 4.9.
    """

    predicted: bool = False

    bare_word: ClassVar[str] = "predicted"

    @property
    def spec(self) -> str:
        """Canonical spec after ``--queue-limit``."""
        return "stable:predicted" if self.predicted else "stable"

    def accepts(self, state: QueueState) -> bool:
        """Return whether the job may join."""
        if not state.waiting or math.isnan(state.arrival_rate):
            return True
        if self.predicted:
            return state.arrival_rate * state.wait() < state.waiting
        return math.isnan(state.service_rate) or state.arrival_rate < state.service_rate
