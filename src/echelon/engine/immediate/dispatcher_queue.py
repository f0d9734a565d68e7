"""DispatcherQueue: jobs that a dispatcher sends to machines, copies and cancels, cycle by cycle."""

from __future__ import annotations

import math
from contextlib import closing
from functools import partial
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import numpy as np

from echelon.engine.queue.decisions import (
    MOST_DISPATCHES,
    MOST_FRUITLESS,
    NO_JOB,
    Decisions,
    LivelockGuard,
    refusal,
)
from echelon.engine.queue.ranking import is_finite_number
from echelon.engine.system import count_of, list_of
from echelon.engine.tree.broker_choice import one_of
from echelon.engine.tree.views.broker_view import LoadView
from echelon.errors import DeadlockError
from echelon.model import Job
from echelon.policies import Information, Wake
from echelon.policies.immediate.contract import Cancel, Dispatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.contract import Scenario
    from echelon.engine.immediate.dispatch_site import DispatchSite
    from echelon.policies.immediate.contract import Dispatcher


class _Dispatcher(NamedTuple):
    """A dispatcher, as the view knows it: it may use all information."""

    name: str
    information: Information = Information.SCHEDULES


class JobsView(LoadView):
    """Implements `echelon.policies.immediate.contract.DispatchView`.

    Parameters
    ----------
    scenario : Scenario
        The run.
    name : str
        The name of the dispatcher.
    system : DispatchSite
        The machines.
    waiting : dict of int to Job
        Jobs not dispatched yet, by position, in the order of their submission; kept by its owner.
    """

    def __init__(self, scenario: Scenario, name: str, system: DispatchSite, waiting: dict[int, Job]) -> None:
        super().__init__(scenario, _Dispatcher(name), system.statistics)
        self._system, self._waiting = system, waiting

    @property
    def waiting(self) -> Sequence[Job]:
        """See `DispatchView.waiting`."""
        return tuple(self._waiting.values())

    @property
    def running(self) -> Sequence[Job]:
        """See `DispatchView.running`."""
        return tuple(self._system.running.values())

    def processes(self, site: int) -> int:
        """See `DispatchView.processes`."""
        return self._system.sites[site].machine.processes

    def fits(self, job: Job) -> Sequence[int]:
        """See `DispatchView.fits`."""
        return self._system.fits(job)

    def replicas(self, job: Job) -> Sequence[int]:
        """See `DispatchView.replicas`."""
        return tuple(self._system.copies[job.position])


class DispatcherQueue:
    """Jobs that wait for a dispatcher, and the times at which it decides.

    If decisions take time, a decision begins at an event while none is in progress, and after each decision
    that dispatched a job. The cycle runs when the decision is complete, with the information available
    then, and ends with its first dispatch. The decision for a job that arrives at an empty queue begins at
    once. So jobs leave at the rate of a broker with the same decision time.

    Parameters
    ----------
    scenario : Scenario
        The run.
    dispatcher : Dispatcher
        Decides.
    system : DispatchSite
        The machines.
    decision_time : float
        Duration of each decision, in seconds, >= 0.
    """

    def __init__(
        self, scenario: Scenario, dispatcher: Dispatcher, system: DispatchSite, decision_time: float
    ) -> None:
        self._dispatcher, self._system = dispatcher, system
        self._time = decision_time
        self.waiting: dict[int, Job] = {}
        self._view = JobsView(scenario, dispatcher.name, system, self.waiting)
        self._done = math.inf
        self._wakes: list[float] = []
        self._canceled = 0
        self._guard = LivelockGuard(self._refuse)
        self._decisions = Decisions(
            dispatcher.name,
            partial(dispatcher.decide, self._view),
            lambda: system.now,
            most=MOST_DISPATCHES,
            per="job and site",
        )

    def next_time(self) -> float:
        """Return the time of the next decision or requested cycle, in seconds; infinity if there is none."""
        if not self._wakes or not (self.waiting or self._system.running):
            return self._done
        return min(self._done, self._wakes[0])

    def submit(self, job: Job) -> None:
        """Add `job` to the queue."""
        if not self.waiting:
            self._done = self._system.now + self._time
        self.waiting[job.position] = job

    def decide(self, *, event: bool, last: bool) -> None:
        """Run the cycle that is due now; `event`: a job was submitted or ended, `last`: no other will be."""
        now = self._view.now = self._system.now
        woken = False
        while self._wakes and self._wakes[0] <= now:
            heappop(self._wakes)
            woken = True
        self._watch(event=event, last=last)
        if (event or woken) and self._done == math.inf and (self.waiting or self._system.running):
            self._done = now + self._time
        while self._done <= now:
            self._done = math.inf
            if self._pass():
                self._done = now + self._time
            self._system.note_cycle(len(self.waiting))

    def _pass(self) -> bool:
        """Let the dispatcher decide; return whether it may dispatch more after the next decision time."""
        there = len(self.waiting) + len(self._system.running)
        # Closed here, since an exception at its end is the dispatcher's error, too.
        with closing(self._decisions.cycle(there * len(self._system.sites))) as decisions:
            for decision in decisions:
                self._apply(decision)
                if self._time and isinstance(decision, Dispatch):
                    return True
        return False

    def _apply(self, decision: object) -> None:
        # Typed as anything: a user's dispatcher may yield anything.
        if isinstance(decision, Dispatch):
            self._dispatch(decision.job, decision.site)
        elif isinstance(decision, Cancel):
            self._cancel(decision.job, decision.site)
        elif isinstance(decision, Wake):
            self._wake(decision.time)
        else:
            self._refuse(
                f"gave {decision!r:.60}; expected Dispatch(job, site), Cancel(job, site) or Wake(time)"
            )

    def _dispatch(self, job: Job, site: int) -> None:
        if not (_is_among(self.waiting, job) or _is_among(self._system.running, job)):
            self._refuse("was dispatched, but neither waits nor runs; name a job as the view has it", job)
        fits = self._view.fits(job)
        if not isinstance(site, int | np.integer) or site not in fits:
            few = f"{one_of(fits)}, which can hold it"
            self._refuse(f"was dispatched to {site!r:.40}; expected {few}", job)
        if site in self._system.copies[job.position]:
            self._refuse(f"was dispatched to site {site}, but a copy of it runs there", job)
        # A copy is not progress: copies can be made and canceled forever.
        if self.waiting.pop(job.position, None) is not None:
            self._guard.event(self._canceled)
        self._system.send(job, int(site))

    def _cancel(self, job: Job, site: int) -> None:
        if not _is_among(self._system.running, job):
            self._refuse("was canceled, but does not run; name a job of view.running as it is there", job)
        copies = self._system.copies[job.position]
        if not isinstance(site, int | np.integer) or site not in copies:
            self._refuse(f"was canceled at {site!r:.40}, but its copies run at {copies}", job)
        if len(copies) == 1:
            self._refuse(f"was canceled at site {site}, where its last copy runs", job)
        self._canceled += 1
        if self._guard.is_vain(self._canceled, len(self._system.running)):
            self._refuse(
                f"is canceled before any copy ends, as others are, {MOST_FRUITLESS} times a job with no "
                "end or submission between; let a copy run to its end",
                job,
            )
        self._system.cancel(job, int(site))

    def _wake(self, time: float) -> None:
        now = self._system.now
        if not (is_finite_number(time) and now < time):
            self._refuse(f"asked to be woken at {time!r:.40} s, but it is {now:g} s; expected a later time")
        if float(time) not in self._wakes:
            heappush(self._wakes, float(time))

    def _watch(self, *, event: bool, last: bool) -> None:
        """Stop a run that would never end because only wakes follow."""
        if event:
            self._guard.event(self._canceled)
            return
        self._guard.wake(idle=not self._system.running)
        if self._guard.is_lost and last:
            self.raise_deadlock()

    def raise_deadlock(self) -> NoReturn:
        """Report that jobs can never start."""
        jobs = list(self.waiting.values())
        raise DeadlockError(
            f"dispatcher {self._dispatcher.name!r}: {count_of(jobs)} can never start, with no event left: "
            f"{list_of(jobs, 'processes')}; dispatch the first when nothing runs"
        )

    def _refuse(self, rule: str, job: object = NO_JOB) -> NoReturn:
        raise refusal(self._dispatcher.name, rule, now=self._system.now, job=job)


def _is_among(jobs: dict[int, Job], job: object) -> bool:
    """Return whether `job` is one of these, exactly as it was submitted."""
    return isinstance(job, Job) and jobs.get(job.position) == job
