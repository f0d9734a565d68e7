"""The decisions of a rule in one cycle; exceptions in it are reported as the rule's."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from echelon.engine.queue.livelock_guard import MOST_DECISIONS
from echelon.errors import PolicyError
from echelon.rules.own_rule import Guard

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

NO_JOB = object()
"""Stands for the job of a decision on none."""

_END = object()


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
