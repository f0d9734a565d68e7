"""The decisions of a rule in one cycle; exceptions in it are reported as the rule's."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from echelon.errors import PolicyError
from echelon.rules.own_rule import Guard

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from echelon.policies import Scheduler
    from echelon.policies.contract import SystemView

MOST_DECISIONS = 100
"""Most decisions per waiting job in one cycle: three make sense, so a hundred are an endless loop."""

_END = object()


def guarded(
    name: str, decide: Callable[[], Iterable[object]], *, now: float, expected: str
) -> Generator[object]:
    """Yield what the rule `name` decides at `now`, in seconds; `expected` is what it may yield.

    Raises
    ------
    PolicyError
        If the rule fails.
    """

    def error(failure: str) -> PolicyError:
        said = f"fails with {failure}; decide(view) yields {expected}"
        return PolicyError(name, time=now, job_id=None, broken_rule=said)

    with Guard(error):
        yield from decide()


class Decisions:
    """The decisions that a scheduler gives for one view, cycle after cycle.

    Parameters
    ----------
    scheduler : Scheduler
        Built-in or a user's.
    view : SystemView
        What it sees.
    """

    __slots__ = ("_guard", "_scheduler", "_view")

    def __init__(self, scheduler: Scheduler, view: SystemView) -> None:
        self._scheduler, self._view = scheduler, view
        self._guard = Guard(lambda said: self._error(f"fails with {said}; decide(view) yields decisions"))

    def cycle(self, jobs: int) -> Iterator[object]:
        """Yield the decisions of one scheduling cycle, while `jobs` jobs wait or run.

        Raises
        ------
        PolicyError
            If the scheduler fails, or yields too many decisions.
        """
        with self._guard:
            given = iter(self._scheduler.decide(self._view))
            yield from islice(given, MOST_DECISIONS * jobs)
            if next(given, _END) is _END:
                return
        raise self._error(
            f"gives more than {MOST_DECISIONS} decisions per waiting job in one cycle; decide(view) must end"
        )

    def _error(self, rule: str) -> PolicyError:
        return PolicyError(self._scheduler.name, time=self._view.now, job_id=None, broken_rule=rule)
