"""DispatchSite: an inner site of time-shared machines whose dispatcher copies jobs and cancels copies."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.engine.immediate.dispatcher_queue import DispatcherQueue
from echelon.engine.ledger.observer import NO_SITE
from echelon.engine.tree.controlled_site import ControlledSite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.immediate.site import TimeSharedSite
    from echelon.engine.tree.inner_site import InnerSite
    from echelon.model import Job
    from echelon.policies.immediate.contract import Dispatcher


class DispatchSite(ControlledSite):
    """Time-shared machines, and the copies of each job that run on them.

    Of copies that are complete at one instant, that at the lowest site by (size, place in the platform's
    file) completes the job. Under ``estimates="kill"`` each copy is cut when it has run for the requested
    time since its own start, and the job is killed when its last copy is cut. Above the inner site each copy
    counts as a job.

    Parameters
    ----------
    dispatcher : Dispatcher
        Decides.
    site : InnerSite
        Where it stands; all branches are time-shared machines.
    decision_time : float
        Duration of each decision, in seconds, >= 0.

    Attributes
    ----------
    copies : list of list of int
        The sites where copies of each job run, in the order of their dispatch.
    running : dict of int to Job
        Jobs that run, by position, in the order of their first dispatch.
    """

    def __init__(self, dispatcher: Dispatcher, site: InnerSite, decision_time: float) -> None:
        self._site, self._ledger, self._leaves = site, site.ledger, site.states[0]
        self.sites: Sequence[TimeSharedSite] = site.leaves  # type: ignore[assignment]
        self.statistics, self.allowed = site.sums[0], list(site.allowed)
        sizes = [one.processors for one in self.sites]
        self._rank = {place: (size, place) for place, size in enumerate(sizes)}
        self._place_of = {leaf: place for place, (leaf,) in enumerate(site.below)}
        self.copies: list[list[int]] = [[] for _ in self._ledger.jobs]
        self.running: dict[int, Job] = {}
        self._complete: dict[int, list[int]] = {}
        self._is_concerned = False
        self._queue = DispatcherQueue(site.scenario, dispatcher, self, decision_time)
        self._leaves.choose_ends.append(self._ending)
        for one in self.sites:
            one.on_end = (*one.on_end, self._cancel_others)
            one.on_capacity, one.on_stop = self._forget_copies, self._stop

    @property
    def now(self) -> float:
        """Simulation time, in seconds."""
        return self._ledger.now

    def next_time(self) -> float:
        """See `ControlledSite.next_time`: while all machines are down, nothing is decided."""
        return math.inf if self._is_down else self._queue.next_time()

    @property
    def _is_down(self) -> bool:
        return not any(one.closing.is_open for one in self.sites)

    @property
    def held(self) -> Sequence[Job]:
        """See `ControlledSite.held`."""
        return tuple(self._queue.waiting.values())

    def join(self, job: Job, *, is_reported: bool = False) -> None:
        """See `ControlledSite.join`: `job` waits for the dispatcher."""
        self._is_concerned = True
        if not is_reported:
            for observer in self._ledger.observers:
                observer.submitted(self.now, job, NO_SITE)
        self._queue.submit(job)

    def withdraw(self, job: Job) -> None:
        """See `ControlledSite.withdraw`: `job` waits here, or its copies wait for machines to come back."""
        if self._queue.waiting.pop(job.position, None) is not None:
            return
        places, self.copies[job.position] = self.copies[job.position], []
        del self.running[job.position]
        for place in places:
            self._cancel_at(job, place)
        # Above the inner site it is counted once until it has left.
        for statistics, branch in self.sites[places[0]].above[1:]:
            statistics.join(job, branch)

    def _ending(self, ending: list[tuple[Job, int]]) -> list[tuple[Job, int]]:
        """Return the jobs that end now, those here once and without those of which other copies run on."""
        self._complete = {}
        for job, leaf in ending:
            if job.position in self.running:
                self._complete.setdefault(job.position, []).append(self._place_of[leaf])
        left, reported = [], set()
        for job, leaf in ending:
            if job.position not in self._complete:
                left.append((job, leaf))
            elif job.position not in reported:
                reported.add(job.position)
                left += [] if self._goes_on(job) else [(job, self._completing_leaf(job))]
        return left

    def _goes_on(self, job: Job) -> bool:
        """Return whether copies of `job` run on, and forget those that are cut now."""
        gone, copies = self._complete[job.position], self.copies[job.position]
        if not all(self.sites[place].is_cut(job) for place in gone) or len(gone) == len(copies):
            return False
        self._is_concerned = True
        for place in gone:
            copies.remove(place)
            # It would be cut there again: were copies made again and again, the job would never end.
            self.allowed[job.position] = [other for other in self.allowed[job.position] if other != place]
            self._touch(place)
            self.sites[place].too_late(job)
        return True

    def _completing_leaf(self, job: Job) -> int:
        """Return the leaf whose copy completes `job` now."""
        gone = self._complete[job.position]
        gone.sort(key=lambda place: (self.sites[place].is_cut(job), self._rank[place]))
        leaf: int = self._site.below[gone[0]][0]
        self._leaves.site_of[job.position] = leaf
        return leaf

    def _cancel_others(self, job: Job) -> None:
        """Cancel the other copies of `job`, which has ended."""
        self._is_concerned = True
        complete = self._complete[job.position]
        for place in complete[1:]:
            self.sites[place].too_late(job)
        for place in self.copies[job.position]:
            if place not in complete:
                self._cancel_at(job, place)
        self.copies[job.position] = []
        del self.running[job.position]

    def _forget_copies(self, jobs: Sequence[Job], leaf: int) -> None:
        """Forget the copies of these jobs at a leaf that is down; those without another wait again here."""
        self._is_concerned, place = True, self._place_of[leaf]
        for job in jobs:
            self.copies[job.position].remove(place)
            if self.copies[job.position]:
                continue
            del self.running[job.position]
            self.sites[place].requeue(job)
            # Above the inner site it counts as it did.
            for statistics, branch in self.sites[place].above[1:]:
                statistics.join(job, branch)
            self._queue.submit(job)

    def _stop(self, job: Job) -> None:
        """Let all copies of running `job` lose what they hold; it waits here again."""
        for place in (*self.copies[job.position],):
            self._touch(place)
            self.sites[place].lose(job)
            self._forget_copies([job], self._site.below[place][0])

    def fits(self, job: Job) -> Sequence[int]:
        """Return the machines that can hold `job` and take jobs now; if none does, all that can hold it."""
        allowed = self.allowed[job.position]
        if all(one.closing.is_open for one in self.sites):
            return allowed
        return [place for place in allowed if self.sites[place].closing.is_open] or allowed

    def dispatch(self) -> bool:
        """See `ControlledSite.dispatch`."""
        if self._is_down or (not self._is_concerned and self.next_time() > self.now):
            return False
        decisions = self._ledger.decisions
        event, self._is_concerned = self._is_concerned, False
        self._queue.decide(event=event, last=self._is_last)
        return self._ledger.decisions > decisions

    @property
    def _is_last(self) -> bool:
        """Whether no further job will be submitted here."""
        outer = self.sites[0].above_waits[1:]
        return self._ledger.releases.next_time == math.inf and not any(waits() for waits in outer)

    def send(self, job: Job, place: int) -> None:
        """Start a copy of `job` at `place` now."""
        if self.copies[job.position]:
            for statistics, branch in self.sites[place].above[1:]:
                statistics.join(job, branch)
        self._site.send(job, place, is_reported=True)
        self.copies[job.position].append(place)
        self.running.setdefault(job.position, job)

    def cancel(self, job: Job, place: int) -> None:
        """Cancel the copy of `job` at `place` now."""
        self.copies[job.position].remove(place)
        self._ledger.decisions += 1
        self._cancel_at(job, place)

    def note_cycle(self, waiting: int) -> None:
        """Note that the dispatcher has made its decisions for now; `waiting` jobs still wait."""
        ledger = self._ledger
        ledger.cycles += 1
        if ledger.observers:
            free = sum(one.free for one in self.sites)
            for observer in ledger.observers:
                observer.decided(ledger.now, waiting, free, NO_SITE)

    def choose(self, job: Job) -> int:
        """See `ControlledSite.choose`: where it would take least time now, as planned."""
        here = self.allowed[job.position]
        return min(here, key=lambda place: (self.sites[place].forecast(job).turnaround, place))

    def check_done(self) -> None:
        """See `ControlledSite.check_done`."""
        if self._queue.waiting:
            self._queue.raise_deadlock()

    def _cancel_at(self, job: Job, place: int) -> None:
        self._touch(place)
        self.sites[place].cancel(job)

    def _touch(self, place: int) -> None:
        self._leaves.touch(self._site.below[place][0])
