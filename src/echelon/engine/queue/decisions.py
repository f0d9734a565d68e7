"""The decisions of a rule in one cycle, reported as its own where it fails, and guarded from livelocks."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from echelon.errors import PolicyError
from echelon.rules.own_rule import Guard

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable


MOST_DECISIONS = 100
"""Decisions per waiting job in one cycle: of a scheduler three make sense, of a global queue one."""

MOST_DISPATCHES = 10
"""Decisions per job and site in one cycle of a dispatcher: two make sense."""

MOST_FRUITLESS = 1000
"""Preemptions of jobs that have not progressed, or cancellations of copies, each job's between two events."""

MOST_WAKES = 1_000_000
"""Most cycles that a rule may request between two events: at one per second, more than eleven days."""

MOST_IDLE = 100_000
"""The same on idle machines when no further job will be submitted."""

MOST_IN_VAIN = 100_000
"""Consecutive changes of the owners of shared nodes without progress, while jobs are in the system."""

MOST_RESERVATIONS = 1000
"""Consecutive reservations that fall due without progress, when owners change no more."""

NO_JOB = object()
"""Stands for the job of a decision on none."""

_END = object()


class LivelockGuard:
    """Counts cycles of a rule since the last event, END or SUBMIT, and stops runs that would not end.

    Without preemption and copies every cycle follows from an event, and events are limited. A rule that takes
    decisions back or wakes up can cause cycles without end.

    Parameters
    ----------
    refuse : callable (str)
        Raises the error of the rule.
    """

    def __init__(self, refuse: Callable[[str], object]) -> None:
        self._refuse = refuse
        self._wakes = self._idle = self._vain = 0

    def event(self, vain: int) -> None:
        """Start counting again: something happens now; `vain` decisions of the run so far were taken back."""
        self._wakes = self._idle = 0
        self._vain = vain

    def note_start(self) -> None:
        """Note that a job has started."""
        self._idle = 0

    def wake(self, *, idle: bool) -> None:
        """Count a cycle without an event; `idle` says whether no job runs.

        Raises
        ------
        PolicyError
            If there were too many of them.
        """
        self._wakes += 1
        self._idle += idle
        if self._wakes > MOST_WAKES:
            self._refuse(
                f"requests more than {MOST_WAKES:,} cycles without an end or submission between; "
                "let it wake less often"
            )

    def is_vain(self, vain: int, jobs: int) -> bool:
        """Return whether too many decisions on so many jobs were taken back; `vain` in the run so far."""
        return vain - self._vain > MOST_FRUITLESS * jobs

    def has_tried(self, jobs: int) -> bool:
        """Return whether the rule has woken up more often than for each of so many jobs, and none started."""
        return self._idle > jobs

    @property
    def is_lost(self) -> bool:
        """Whether the rule has woken up for nothing all too often while no job ran."""
        return self._idle > MOST_IDLE


def refusal(name: str, rule: str, *, now: float, job: object = NO_JOB) -> PolicyError:
    """Return the error of the rule `name`, which has decided at `now`, in seconds, what `rule` says.

    `job` is what it has decided on; a user's rule may name anything.
    """
    job_id = None if job is NO_JOB else getattr(job, "job_id", repr(job)[:40])
    return PolicyError(name, time=now, job_id=job_id, broken_rule=rule)


class Decisions:
    """What a scheduler, a protocol, a dispatcher or a global queue decides, cycle after cycle.

    Parameters
    ----------
    name : str
        Of the rule, for messages.
    decide : callable () -> iterable
        Begins a cycle of the rule.
    now : callable () -> float
        Returns the simulation time, in seconds.
    call, gives : str
        What the rule's method is called, and what it yields.
    most : int, default `MOST_DECISIONS`
        Most decisions in one cycle, for each `per`.
    per : str, default "waiting job"
        What cycles are counted by.
    """

    __slots__ = ("_call", "_decide", "_gives", "_guard", "_most", "_name", "_now", "_per")

    def __init__(
        self,
        name: str,
        decide: Callable[[], Iterable[object]],
        now: Callable[[], float],
        *,
        call: str = "decide(view)",
        gives: str = "decisions",
        most: int = MOST_DECISIONS,
        per: str = "waiting job",
    ) -> None:
        self._name, self._decide, self._now = name, decide, now
        self._call, self._gives, self._most, self._per = call, gives, most, per
        self._guard = Guard(lambda failure: self._error(f"fails with {failure}; {call} yields {gives}"))

    def cycle(self, count: int) -> Generator[object]:
        """Yield the decisions of one cycle, in which `count` of what it is counted by are there.

        Raises
        ------
        PolicyError
            If the rule fails, or yields too many decisions.
        """
        with self._guard:
            decisions = iter(self._decide())
            try:
                yield from islice(decisions, self._most * count)
            except GeneratorExit:
                # The rule is asked for no more: an exception at its end is its error, too.
                if (close := getattr(decisions, "close", None)) is not None:
                    close()
                raise
            if next(decisions, _END) is _END:
                return
        raise self._error(
            f"gives more than {self._most} {self._gives} per {self._per} in one cycle; {self._call} must end"
        )

    def _error(self, rule: str) -> PolicyError:
        return refusal(self._name, rule, now=self._now())
