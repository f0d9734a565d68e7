"""ControlledSite: an inner site of a tree with its controller, during a run."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.model import Job, Schedule


class ControlledSite:
    """What every inner site answers; a subclass overrides what its controller has.

    Attributes
    ----------
    rejected : sequence of int
        Positions of the jobs that waited here too long.
    """

    rejected: Sequence[int] = ()

    def has(self, step: str) -> bool:
        """Return whether anything ever happens here in `step`; methods of `ControlledSite` need no call."""
        return getattr(type(self), step) is not getattr(ControlledSite, step)

    @property
    def why_rejected(self) -> str:
        """The reason why jobs were rejected here."""
        raise NotImplementedError

    @property
    def held(self) -> Sequence[Job]:
        """The jobs that wait here for a decision or a dispatch."""
        return ()

    @property
    def waiting(self) -> int:
        """Number of jobs that wait here for a decision or a dispatch."""
        return len(self.held)

    def next_time(self) -> float:
        """Return when it next has something to do by itself, in seconds; infinity if never."""
        return math.inf

    def join(self, job: Job, *, is_reported: bool = False) -> None:
        """Take over `job` now; `is_reported` says whether observers know of it."""
        raise NotImplementedError

    def withdraw(self, job: Job) -> None:
        """Remove `job`, which waits here or below: a copy has started elsewhere, or it is rejected."""
        raise NotImplementedError

    def reroute(self, job: Job, place: int) -> bool:
        """Find another way for `job`, refused by the branch at `place`; return whether there is one."""
        raise NotImplementedError

    def accepts(self, job: Job, place: int) -> bool:
        """Return whether the branch at `place` may have `job` now, by the limit of its queue.

        Nothing changes by it; where that is not known without a change, it may.
        """
        return True

    def choose_again(self) -> None:
        """Forget which branches waiting jobs were to go to: other branches take jobs now."""

    def change(self) -> None:
        """Note what has happened on the way to the sites below."""

    def leave(self) -> Sequence[int]:
        """Reject the jobs that have waited here too long; return their positions, to be withdrawn."""
        return ()

    def decide(self) -> bool:
        """Apply the decisions that are complete now; return whether there are any."""
        return False

    def dispatch(self) -> bool:
        """Dispatch jobs that wait here; return whether any were."""
        return False

    def goes_on(self) -> bool:
        """Return whether there is more to decide after the sites below have decided."""
        return False

    def choose(self, job: Job) -> int:
        """Return the branch to which `job` would go now."""
        raise NotImplementedError

    def forget(self, job: Job) -> None:
        """Forget what was noted of `job`, which was asked about and never came."""

    def check_done(self) -> None:
        """Raise an error if jobs wait here that can never leave."""

    def schedule(self, plain: Schedule) -> Schedule:
        """Return the schedule with what happened here."""
        return plain


def rejected_jobs(controllers: Iterable[ControlledSite]) -> dict[str, list[int]]:
    """Return the positions of the jobs that waited too long at these inner sites, by reason."""
    reasons: dict[str, list[int]] = {}
    for controller in controllers:
        if controller.rejected:
            reasons.setdefault(controller.why_rejected, []).extend(controller.rejected)
    return reasons
