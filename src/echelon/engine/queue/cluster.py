"""Cluster: the state of a local scheduler: its queue, its reservations, what runs, until when as planned."""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from copy import copy
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NoReturn

from echelon.engine.queue.decisions import NO_JOB, refusal
from echelon.engine.queue.ranking import draws, is_finite_number
from echelon.engine.queue.usage import Usage
from echelon.engine.queue.waiting_queue import WaitingQueue
from echelon.engine.resources.capacity import Outage
from echelon.metrics.columns.job_values import TAU
from echelon.model import Job
from echelon.policies import Running

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.engine.contract import Scenario
    from echelon.engine.ledger.ledger import Ledger
    from echelon.engine.resources.closures import Closure
    from echelon.engine.resources.resource import Calendar, Holding, Part, Place, PlannedResource, Window
    from echelon.policies.contract import Where


NOT_WAITING = "is not waiting; decide on jobs of view.queue"


class Cluster:
    """Waiting and running jobs, and the reservations of waiting jobs, on a resource of any kind.

    Every change of what its jobs hold is made and checked here.

    Parameters
    ----------
    ledger : Ledger
        Of the run: the jobs' ranks and dispatches.
    resource : PlannedResource
        What its jobs hold.
    scenario : Scenario, optional
        The run as the queue here knows it; default: the ledger's.
    site : str, default ``""``
        The path of the site, which may have a policy of its own.

    Attributes
    ----------
    resource : PlannedResource
        What its jobs hold.
    left : dict of int to Job
        What each job that was preempted and waits again has left, by position.
    time_left : callable (Job) -> float, optional
        Returns the planned time that a running job has left, where that is more than its time less its
        progress.
    """

    time_left: Callable[[Job], float] | None = None

    def __init__(
        self, ledger: Ledger, resource: PlannedResource, scenario: Scenario | None = None, *, site: str = ""
    ) -> None:
        self.scenario = scenario = scenario or ledger.scenario
        self.resource = resource
        self.policy = scenario.policy.at(site)
        self.now = 0.0
        self.waiting = WaitingQueue(scenario, self.policy.order, ledger.ranks(self.policy.order))
        self.running: list[Running] = []
        self.left: dict[int, Job] = {}
        self.reservations: dict[int, float] = {}
        self.dispatches = ledger.dispatches
        self.wakes: list[float] = []
        self.first_reservations: dict[int, float] = {}
        self._first_reserved = ledger.first_reserved
        self.ended_early = False
        self.usage = Usage()
        self._jobs = ledger.jobs
        self._planned_ends: dict[int, float] = {}
        # Where each reservation is, and the profile with all of them; kept from the first one on.
        self._places: dict[int, Place] = {}
        self._kept: Calendar | None = None
        self._ended, self._slowdowns = 0, 0.0
        self._draws: list[float] | None = None

    def grow(self, scenario: Scenario) -> None:
        """Take in the jobs at the end of the instance of `scenario` that were not known before."""
        self.scenario, self._draws = scenario, None
        self.waiting.grow(scenario)

    @property
    def processors(self) -> int:
        """Its processors."""
        return self.resource.processors

    @property
    def free(self) -> int:
        """Its processors that no job holds."""
        return self.resource.free

    def submit(self, job: Job) -> None:
        """Add `job` to the queue; it may have lost nodes elsewhere, and need a restart."""
        self.waiting.add(job)
        planned = self.dispatches.planned_left[job.position] = self.dispatches.next_planned(job)
        if planned != job.planned_time:
            self.left[job.position] = job._replace(planned_time=planned)

    def as_left(self, job: Job) -> Job:
        """Return `job` as the resource sees it: if it was preempted, with what it has left."""
        return self.left.get(job.position, job)

    def fits(self, job: Job, where: Where | None = None) -> bool:
        """Return whether there is room for waiting `job` now; a job whose reservation is due has its own."""
        if self.reservations or self.left:
            where, job = self._due_place(job) if where is None else where, self.as_left(job)
        return self.resource.fits(job, where, self.now)

    def room(self, job: Job) -> Holding | None:
        """Return what `job` would hold if it started now, apart from reservations of other jobs, or None."""
        return self.resource.room(self.as_left(job), self.now, self._due_place(job))

    def _due_place(self, job: Job) -> Place | None:
        """Return the place of the reservation of `job` if that is due, else None."""
        due = self.reservations.get(job.position)
        return self._places[job.position] if due is not None and due <= self.now else None

    def drop(self, job: Job) -> None:
        """Remove waiting `job` from the queue: it runs elsewhere, or nowhere."""
        # What was reserved for it may serve other jobs earlier.
        self.ended_early |= job.position in self.reservations
        self._withdraw(job)
        self.first_reservations.pop(job.position, None)
        self.waiting.remove(job)
        self.resource.forget(job)

    def may_start(self, job: Job) -> bool:
        """Return whether waiting `job` can start now without delaying a reservation of another job."""
        if job.position in self.reservations:
            return self.fits(job) and self.earliest_start(job) <= self.now
        return self._holding_beside(job) is not None

    def _holding_beside(self, job: Job) -> Holding | None:
        """Return what `job` would hold if it started now without delaying a reservation, or None."""
        left = self.as_left(job)
        window = self.window(self.now + left.planned_time)
        return self.room(job) if window is None else self.resource.room_beside(left, self.now, window)

    def start(self, job: Job, switch: float = 0.0, where: Where | None = None) -> float:
        """Give `job` what it holds; return its actual end unless it is preempted.

        Raises
        ------
        PolicyError
            If it does not wait, does not fit, would delay a reservation, `switch` is not a time >= 0, or
            `where` does not name nodes with room for it.
        """
        if not self.waiting.holds(job):
            self.refuse(job, f"was started, but {NOT_WAITING}")
        if switch != 0.0 and not (is_finite_number(switch) and switch >= 0):
            self.refuse(job, f"was started with a switch of {switch!r:.40}; expected seconds >= 0")
        resource, now = self.resource, self.now
        left = self.left.pop(job.position, job) if self.left else job
        if self._kept is None and where is None:
            holding = resource.room(left, now)
        else:
            holding = self._holding_at_start(job, left, where)
        if holding is None:
            self.refuse(job, resource.no_room(left))
        planned = resource.planned_time_on(left, holding) if resource.stretches else left.planned_time
        self._hold(job, left, holding, now + switch + planned)
        self.waiting.remove(job)
        if self.first_reservations:
            first = self.first_reservations.pop(job.position, None)
            if first is not None and self._first_reserved is not None:
                self._first_reserved.setdefault(job.position, first)
        return self.dispatches.dispatch(job, now, switch)

    def _holding_at_start(self, job: Job, left: Job, where: Where | None) -> Holding:
        """Return what `job` holds from now on: in the nodes that its policy names, or where it is reserved.

        Else beside all reservations.
        """
        resource = self.resource
        if where is None:
            where = self._due_place(job)
        elif fault := resource.misplacement_of(left, where):
            self.refuse(job, fault)
        self._withdraw(left)
        holding = self._holding_beside(left) if where is None else resource.room(left, self.now, where)
        if holding is None:
            self.refuse(job, resource.no_room(left, self.window(self.now + left.planned_time)))
        return holding

    def seize(self, job: Job, holding: Holding, end: float) -> None:
        """Let `job`, which is not of this queue, hold this from now on, as planned until `end`."""
        self._hold(job, job, holding, end)

    def _hold(self, job: Job, left: Job, holding: Holding, end: float) -> None:
        resource, now = self.resource, self.now
        if self._kept is not None:
            place = resource.place_of(holding)
            if fault := self._calendar().conflict(left, place, now, end):
                self.refuse(job, fault)
            self._kept.take_where(left, place, now, end)
        free = resource.free
        resource.take(left, holding, now)
        self.usage.change(now, job, free - resource.free)
        self._planned_ends[job.position] = end
        insort(self.running, Running(end, job.position, job))

    def suspend(self, job: Job, *, left: Job | None = None, progress: float | None = None) -> bool:
        """Take from running `job` what it holds, and let it wait again.

        Parameters
        ----------
        job : Job
            A running job.
        left : Job, optional
            With the planned time and the tasks that it has left; default: its planned time less its progress.
        progress : float, optional
            How long it has progressed since its dispatch, in seconds; default: since it paid its switch.

        Returns
        -------
        bool
            Whether it had made no progress since its dispatch.
        """
        early, dispatches = self.ended_early, self.dispatches
        self.release(job)
        # The job has released its processors early, but has not ended.
        self.ended_early = early
        planned = None if left is None else left.planned_time
        in_vain = dispatches.preempt(job, self.now, progress=progress, planned_left=planned)
        self.left[job.position] = left or job._replace(planned_time=dispatches.planned_left[job.position])
        self.waiting.add(job)
        return in_vain

    def release(self, job: Job, part: Part | None = None) -> None:
        """Release what `job`, which has ended, still holds; or a part, whose tasks have ended."""
        resource, now, end = self.resource, self.now, self._planned_ends[job.position]
        if part is None:
            del self._planned_ends[job.position]
            del self.running[bisect_left(self.running, (end, job.position))]
        free = resource.free
        place = resource.give(job, now, part)
        self.usage.change(now, job, free - resource.free)
        if end > now and place:
            self.ended_early = True
            if self._kept is not None:
                self._kept.give_where(job, place, now, end)

    def runs(self, job: object) -> bool:
        """Return whether `job` runs, exactly as it was submitted."""
        if not isinstance(job, Job) or job.position not in self._planned_ends:
            return False
        entry = (self._planned_ends[job.position], job.position)
        return self.running[bisect_left(self.running, entry)].job == job

    def wake(self, time: float) -> None:
        """Request a scheduling cycle at `time`, in seconds.

        Raises
        ------
        PolicyError
            If it is not a finite time after now.
        """
        if not (is_finite_number(time) and self.now < time):
            rule = f"asked to be woken at {time!r:.40} s, but it is {self.now:g} s; expected a later time"
            self.refuse(NO_JOB, rule)
        if not self.wakes or self.wakes[0] != time:
            heappush(self.wakes, float(time))

    def note_end(self, job: Job, run_time: float) -> None:
        """Count the bounded slowdown of `job`, which has ended after running for `run_time` seconds."""
        self._ended += 1
        self._slowdowns += max(1.0, (self.now - job.submit_time) / max(run_time, TAU))

    @property
    def mean_slowdown(self) -> float:
        """Mean bounded slowdown of the jobs that have ended so far; 1 if none has."""
        return self._slowdowns / self._ended if self._ended else 1.0

    def plan_end(self, job: Job, end: float) -> None:
        """Plan running `job` to end at `end`, later than planned so far, and withdraw every reservation.

        The reservations were made around the old end; the policy makes new ones, in its own order.
        """
        old = self._planned_ends[job.position]
        del self.running[bisect_left(self.running, (old, job.position))]
        self._planned_ends[job.position] = end
        self.dispatches.plan_end(job.position, end)
        insort(self.running, Running(end, job.position, job))
        self.withdraw_all()

    def run_until(self, running: Sequence[Running]) -> None:
        """Plan these ends of the running jobs, by planned end, then position; withdraw every reservation.

        Only in a copy: `dispatches` are not changed.
        """
        self.running[:] = running
        self._planned_ends.update({one.position: one.planned_end for one in running})
        self.withdraw_all()

    def reserve(self, job: Job, time: float) -> None:
        """Reserve a start at `time` for waiting `job`, in place of an earlier reservation.

        Raises
        ------
        PolicyError
            If it does not wait, `time` is past or not finite, or there is no room for it then.
        """
        if not self.waiting.holds(job):
            self.refuse(job, f"got a reservation, but {NOT_WAITING}")
        if time == math.inf and self.resource.out:
            # Some of the machine is down for an unknown time, and the job needs it: it gets no reservation.
            self._withdraw(job)
            return
        if not (is_finite_number(time) and self.now <= time):
            self.refuse(job, f"got a reservation at {time!r:.40} s, but it is {self.now:g} s")
        if self.reservations.get(job.position) == time:
            return
        left, calendar = self.as_left(job), self._calendar()
        self._withdraw(job)
        place = calendar.place(left, time)
        if place is None:
            self.refuse(job, calendar.no_room(left, time))
        calendar.take_where(left, place, time, time + left.planned_time)
        self._places[job.position] = place
        self.reservations[job.position] = time
        self.first_reservations.setdefault(job.position, time)

    def withdraw(self, job: Job) -> None:
        """Withdraw the reservation of waiting `job`.

        Raises
        ------
        PolicyError
            If it does not wait or has no reservation.
        """
        if not self.waiting.holds(job):
            self.refuse(job, f"had its reservation withdrawn, but {NOT_WAITING}")
        if job.position not in self.reservations:
            self.refuse(job, "had its reservation withdrawn, but has none")
        self._withdraw(job)

    def reserved_place(self, job: Job, time: float) -> Place | None:
        """Return the place that is reserved for waiting `job` at `time`, in seconds; None if none is."""
        return self._places[job.position] if self.reservations.get(job.position) == time else None

    def withdraw_all(self) -> None:
        """Withdraw every reservation: what they were made around has changed."""
        self.reservations.clear()
        self._places.clear()
        self._kept = None

    def withdraw_late(self) -> None:
        """Withdraw the reservations that fell due before now, where they could not be kept.

        Where power has a cap and no job runs, those that fall due now are withdrawn, too: no end can help
        them, and their nodes may need more power than others.
        """
        if self.resource.keeps_reservations:
            return
        due = self.resource.is_capped and not self.running
        for position, time in [*self.reservations.items()]:
            if time < self.now or (due and time == self.now):
                self._withdraw(self._jobs[position])

    def _withdraw(self, job: Job) -> None:
        reserved = self.reservations.pop(job.position, None)
        if reserved is not None:
            left, place = self.as_left(job), self._places.pop(job.position)
            # A reservation that fell due between two cycles of one instant begins now at the earliest.
            self._calendar().give_where(left, place, max(reserved, self.now), reserved + left.planned_time)

    def earliest_start(self, job: Job) -> float:
        """Return the earliest start of `job` that delays no reservation of another job, in seconds."""
        left, calendar = self.as_left(job), self._calendar()
        reserved = self.reservations.get(job.position)
        if reserved is None:
            return calendar.earliest_for(left)
        place, span = self._places[job.position], (reserved, reserved + left.planned_time)
        calendar.give_where(left, place, *span)
        start = calendar.earliest_for(left)
        calendar.take_where(left, place, *span)
        # Its own room is free, though a placement that spreads evenly may need more than it takes.
        return min(start, max(reserved, self.now))

    def next_reservation(self) -> float | None:
        """Return when the next reservation after now falls due, in seconds, or None."""
        if not self.reservations:
            # Most policies reserve nothing; this runs at every event, so the early return saves 5 %.
            return None
        return min((time for time in self.reservations.values() if time > self.now), default=None)

    def next_wake(self) -> float | None:
        """Return the next requested time of a scheduling cycle after now, in seconds, or None."""
        while self.wakes and self.wakes[0] <= self.now:
            heappop(self.wakes)
        return self.wakes[0] if self.wakes else None

    def remaining(self, job: Job) -> float:
        """Return the planned time `job` has left; see `SystemView.remaining`."""
        running = job.position in self._planned_ends
        if running and self.time_left is not None:
            return self.time_left(job)
        return self.dispatches.remaining(job, self.now, running=running)

    def waiting_time(self, job: Job) -> float:
        """Return how long `job` has been in the queue; see `SystemView.waited`."""
        running = job.position in self._planned_ends
        last = self.dispatches.last_start(job) if running else None
        return self.dispatches.waiting_time(job, self.now if last is None else last)

    @property
    def holders(self) -> Sequence[Running]:
        """What holds something now, by planned end, then position: running jobs and outages."""
        out = self.resource.out
        return sorted((*self.running, *out.values())) if out else self.running

    @property
    def requested(self) -> list[tuple[float, Job]]:
        """The last start of each holder plus its planned time, in seconds, even if passed; by time."""
        last = self.dispatches.last_start
        ends = [
            (start + job.planned_time, job) for _, _, job in self.running if (start := last(job)) is not None
        ]
        ends += [(end, job) for end, _, job in self.resource.out.values()]
        return sorted(ends, key=lambda end: (end[0], end[1].position))

    def change(self, outage: Outage, *, down: bool) -> None:
        """Let what an outage takes go down, which no job holds any more, or come back.

        When it goes down every reservation is withdrawn. When it comes back, perhaps before that was
        expected, they stay, and may move forward.
        """
        self.resource.change(outage, self.now, down=down)
        if down:
            self.withdraw_all()
            return
        self.ended_early = True
        if self._kept is not None:
            self.keep_again()

    def jobs_hit_by(self, outage: Outage) -> list[Job]:
        """Return the running jobs that an outage hits, the latest start first."""
        serial = self.dispatches.serial

        def latest_first() -> list[Job]:
            return sorted((running.job for running in self.running), key=lambda job: -serial[job.position])

        return self.resource.holders(outage, latest_first)

    def jobs_in_the_way(self, closure: Closure) -> list[Job]:
        """Return the running jobs that a closure kills when it begins, the latest start first."""
        if not closure.evicts:
            return []
        return [job for job in self._in(closure) if job.position not in closure.may_use]

    def jobs_beyond(self, closure: Closure) -> list[Job]:
        """Return the running jobs that the end of their reservation kills, the latest start first."""
        if closure.overrun or closure.flex:
            return []
        return [job for job in self._in(closure) if job.position in closure.named_by]

    def _in(self, closure: Closure) -> list[Job]:
        return self.jobs_hit_by(Outage(closure.start, closure.end, closure.nodes))

    def expect(self, outage: Outage) -> None:
        """Note that an outage continues, which was expected to end by now, and withdraw every reservation."""
        self.resource.expect(outage, self.now)
        self.withdraw_all()

    def requeue(self, job: Job, progress: float | None = None) -> None:
        """Take from running `job` what it holds, and let it wait again.

        It begins again, or where it was saved; see `Dispatches.requeue` for its `progress`.
        """
        self.release(job)
        planned = self.dispatches.requeue(job, self.now, progress)
        if planned != job.planned_time:
            self.left[job.position] = job._replace(planned_time=planned)
        self.waiting.add(job)

    def limit(self, job: Job, planned: float) -> None:
        """Plan waiting `job` with so many seconds from now on; a reservation of it gets as much shorter.

        One that would have to be longer is withdrawn.
        """
        left, reserved = self.as_left(job), self.reservations.get(job.position)
        if left.planned_time == planned:
            return
        if planned > left.planned_time:
            self._withdraw(job)
        elif reserved is not None:
            place, end = self._places[job.position], reserved + left.planned_time
            self._calendar().give_where(left, place, max(reserved + planned, self.now), end)
        self.left[job.position] = left._replace(planned_time=planned)

    def planned_end(self, job: Job) -> float:
        """Return when running `job` is planned to end, in seconds."""
        return self._planned_ends[job.position]

    def draw(self, job: Job) -> float:
        """Return the random number of `job`; see `SystemView.draw`."""
        if self._draws is None:
            self._draws = draws(self.scenario.instance, self.scenario.seed).tolist()
        return self._draws[job.position]

    def copy(self) -> Cluster:
        """Return an independent copy of the cluster and its resource in their present state.

        The `dispatches` of the run are shared; the processor time of users is not copied.
        """
        twin = copy(self)
        twin.resource = self.resource.copy()
        twin.waiting, twin.running, twin.wakes = self.waiting.copy(), list(self.running), list(self.wakes)
        twin.reservations, twin.first_reservations = dict(self.reservations), dict(self.first_reservations)
        twin.usage, twin.left = Usage(), dict(self.left)
        twin.__dict__.update(_planned_ends=dict(self._planned_ends), _places=dict(self._places), _kept=None)
        # What starts in a plan has not started.
        twin.__dict__.update(_first_reserved=None)
        if self._kept is not None:
            twin.keep_again()
        return twin

    def keep_again(self) -> None:
        """Make the profile with all reservations again, from what is held now."""
        self._kept = None
        calendar = self._calendar()
        for position, time in self.reservations.items():
            left = self.as_left(self._jobs[position])
            calendar.take_where(left, self._places[position], max(time, self.now), time + left.planned_time)

    def window(self, until: float) -> Window | None:
        """Return what reservations leave from now until `until`; None if all that is free."""
        return None if self._kept is None else self._calendar().window(self.now, until)

    def _calendar(self) -> Calendar:
        """Return the profile with all reservations, maintained from its first use on."""
        if self._kept is None:
            self._kept = self.resource.profile(self, kept=True)
        self._kept.advance(self.now)
        return self._kept

    def refuse(self, job: object, broken_rule: str) -> NoReturn:
        """Refuse a decision on `job`, or on `NO_JOB`."""
        raise refusal(self.policy.name, broken_rule, now=self.now, job=job)
