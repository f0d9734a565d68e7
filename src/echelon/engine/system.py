"""System: what the clock of a run drives: one machine, sites under a broker, a protocol, a multicluster."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.ledger.ledger import Ledger
    from echelon.engine.resources.capacity import Outage
    from echelon.engine.resources.closure_events import ClosureEvent
    from echelon.engine.resources.closures import Closure
    from echelon.model import Job, Schedule


LATEST = 2.0**53
"""Times beyond this, in seconds, cannot resolve one second."""

_MOST_NAMED = 5


class System:
    """What every system answers; a subclass overrides what it has.

    `echelon.engine.clock.phases` calls these methods at every instant, in the order in which they stand here,
    and no other part of the program does.

    Attributes
    ----------
    ledger : Ledger
        Jobs, histories and observers of the run.
    has_changed : bool
        Whether something other than an END or a JOIN requires a scheduling cycle at this instant.
    has_waiting_jobs : bool
        Whether a job waits that a scheduling cycle could start; true where that would take long to find out.
    is_at_rest : bool
        Whether no job runs and no rule waits for a time; false where that would take long to find out.
    latest : float
        The latest time that the system can resolve, in seconds; infinity if any.
    """

    ledger: Ledger
    has_changed = True
    has_waiting_jobs = True
    is_at_rest = False
    latest = math.inf

    def has(self, phase: str) -> bool:
        """Return whether anything ever happens here in `phase`; what `System` has need not be called."""
        return getattr(type(self), phase) is not getattr(System, phase)

    def next_event(self, release: float) -> float:
        """Return the time of the next event if the next job is released at `release`, in seconds.

        Infinity if there is none. An end that differs from another event only by rounding may take the time
        of that event.
        """
        raise NotImplementedError

    def begin(self, now: float) -> None:
        """Begin the instant `now`, in seconds."""
        raise NotImplementedError

    def take_ends(self) -> list[Job]:
        """Return the jobs that end now, in order of dispatch, without ending them."""
        raise NotImplementedError

    def watch(self, *, event: bool) -> None:
        """Stop a run that would never end; `event` says whether a job ends or is released now."""

    def end(self, job: Job) -> None:
        """END: end running `job` now."""
        raise NotImplementedError

    def runs(self, job: Job) -> bool:
        """Return whether `job` runs now."""
        return self.ledger.dispatches.serial[job.position] > 0

    def ends_early(self, job: Job) -> bool:
        """Return whether running `job`, which ends now, was planned to end later."""
        raise NotImplementedError

    def correct(self) -> bool:
        """CORRECT: plan later ends for jobs that run on at theirs; return whether there are any."""
        return False

    def change(self) -> bool:
        """CHANGE: apply the changes of local load that are due; return whether there are any."""
        return False

    def expect(self, outage: Outage) -> None:
        """CORRECT: an outage that was expected to end by now continues."""
        raise NotImplementedError

    def change_capacity(self, outage: Outage, *, down: bool) -> None:
        """CHANGE: let what an outage takes go down, or come back; its jobs wait again, from the beginning."""
        raise NotImplementedError

    def change_closure(self, event: ClosureEvent, closure: Closure) -> Sequence[Job]:
        """CHANGE: let nodes be closed to some jobs or open again, or tell schedulers that they will be.

        Return the running jobs that must give up what they hold there, the latest start first.
        """
        raise NotImplementedError

    def awaits(self, closure: Closure) -> bool:
        """Return whether a job waits that may use what this reservation keeps."""
        raise NotImplementedError

    @property
    def is_whole(self) -> bool:
        """Whether nothing of it is down."""
        raise NotImplementedError

    def hold(self, job: Job) -> bool:
        """CHANGE: let `job`, which has just lost a node and waits, wait for its delay out of every queue.

        Returns
        -------
        bool
            Whether it has left its site, so that the controllers above send it on when it joins again.
        """
        raise NotImplementedError

    def rejoin(self, job: Job, *, is_away: bool) -> None:
        """REQUEUE: let `job`, which was held, wait again, at its site unless it `is_away`."""
        raise NotImplementedError

    def forget(self, job: Job, *, is_away: bool) -> None:
        """CANCEL: let `job`, which was held, never join again; `is_away`: it has left its site."""

    def stop(self, job: Job) -> None:
        """CANCEL: take from running `job` all that it holds; it waits again."""
        raise NotImplementedError

    def limit(self, job: Job, planned: float) -> None:
        """DECIDE: plan `job` with so many seconds, if it waits where planned times matter."""

    def withdraw(self, job: Job) -> None:
        """CANCEL, EXPIRE: remove waiting `job`, which will not run again."""
        raise NotImplementedError

    def join(self, job: Job) -> None:
        """JOIN: take over `job`, released now."""
        raise NotImplementedError

    def leave(self) -> Sequence[int]:
        """LEAVE: remove the jobs that have waited too long; return their positions."""
        return ()

    def decide(self) -> None:
        """DECIDE: let every controller concerned decide until none has anything left to decide."""
        raise NotImplementedError

    def settle(self) -> None:
        """SETTLE: let what runs continue at its new rate."""

    def check_done(self) -> None:
        """Raise an error if jobs wait that can never start."""
        raise NotImplementedError

    def raise_endless(self) -> NoReturn:
        """Report jobs that run or wait beyond the latest time."""
        raise NotImplementedError

    def schedule(self) -> Schedule:
        """Return the schedule, all jobs having ended."""
        raise NotImplementedError


def count_of(jobs: Sequence[Job]) -> str:
    """Return the number of jobs: ``1 job``, ``2 jobs``."""
    return f"{len(jobs)} job{'' if len(jobs) == 1 else 's'}"


def list_of(jobs: Sequence[Job], unit: str) -> str:
    """Return the ids and sizes of the first jobs: ``1 (3 processors), 2 (1 processors) ...``."""
    shown = ", ".join(f"{job.job_id} ({job.processors} {unit})" for job in jobs[:_MOST_NAMED])
    return f"{shown}{' ...' if len(jobs) > _MOST_NAMED else ''}"
