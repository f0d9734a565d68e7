"""The decisions of a scheduler in one cycle; exceptions in it are reported as the scheduler's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.errors import PolicyError
from echelon.rules.own_rule import Guard

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.policies import Scheduler
    from echelon.policies.contract import SystemView

MOST_DECISIONS = 100
"""Most decisions per waiting job in one cycle: three make sense, so a hundred are an endless loop."""


def decisions_of(scheduler: Scheduler, view: SystemView, *, jobs: int) -> Iterator[object]:
    """Yield the decisions of `scheduler` for `view`, which has `jobs` jobs.

    Raises
    ------
    PolicyError
        If it fails, or yields too many decisions.
    """

    def error(rule: str) -> PolicyError:
        return PolicyError(scheduler.name, time=view.now, job_id=None, broken_rule=rule)

    most = MOST_DECISIONS * jobs
    with Guard(lambda said: error(f"fails with {said}; decide(view) yields decisions")):
        for count, decision in enumerate(scheduler.decide(view), start=1):
            if count > most:
                break
            yield decision
        else:
            return
    raise error(
        f"gives more than {MOST_DECISIONS} decisions per waiting job in one cycle; decide(view) must end"
    )
