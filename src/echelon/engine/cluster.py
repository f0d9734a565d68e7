"""Cluster: the state of one machine during a run. Every change is made and checked here."""

from __future__ import annotations

from bisect import bisect_left, insort
from copy import copy, deepcopy
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NoReturn

from echelon.engine.lineup import CountedLineup
from echelon.engine.profile import AvailabilityProfile
from echelon.engine.ranking import draws, is_finite_number
from echelon.engine.shadow import CountShadow
from echelon.engine.usage import Usage
from echelon.engine.waiting_queue import WaitingQueue
from echelon.engine.whole_machine import WholeMachine
from echelon.errors import PolicyError
from echelon.metrics.columns.per_job import TAU
from echelon.model import Job
from echelon.policies import Running

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.contract import Scenario
    from echelon.engine.ledger import Ledger
    from echelon.policies.contract import Lineup, NodeView, Profile, Shadow, Where


NOT_WAITING = "is not waiting; decide on jobs of view.queue"


class Cluster:
    """Free processors, waiting and running jobs, and the reservations of waiting jobs.

    Parameters
    ----------
    scenario : Scenario
        The jobs and the policy.
    processors : int
        The processors of this machine.
    ledger : Ledger
        Of the run: the jobs' ranks and dispatches.
    """

    def __init__(self, scenario: Scenario, processors: int, ledger: Ledger) -> None:
        self.scenario = scenario
        self.policy_name = scenario.policy.name
        self.processors = self.free = processors
        self.now = 0.0
        self.waiting = WaitingQueue(scenario, ledger.ranks)
        self.running: list[Running] = []
        self.reservations: dict[int, float] = {}
        self.dispatches = ledger.dispatches
        self.wakes: list[float] = []
        self.first_reservations: dict[int, float] = {}
        self.ended_early = False
        self.usage = Usage()
        self._planned_ends: dict[int, float] = {}
        self._profile: AvailabilityProfile | None = None
        self._ended, self._slowdowns = 0, 0.0
        self._draws: list[float] | None = None

    def submit(self, job: Job) -> None:
        """Add `job` to the queue."""
        self.waiting.add(job)
        self.dispatches.planned_left[job.position] = job.planned_time

    def fits(self, job: Job, where: Where | None = None) -> bool:
        """Return whether there is room for waiting `job` now."""
        return job.processors <= self.free

    def drop(self, job: Job) -> None:
        """Remove waiting `job` from the queue: it runs elsewhere, or nowhere."""
        # What was reserved for it may serve other jobs earlier.
        self.ended_early |= job.position in self.reservations
        self._withdraw(job)
        self.first_reservations.pop(job.position, None)
        self.waiting.remove(job)

    def may_start(self, job: Job) -> bool:
        """Return whether waiting `job` can start now without delaying a reservation."""
        return self.fits(job) and self.earliest_start(job) <= self.now

    def start(self, job: Job, switch: float = 0.0, where: Where | None = None) -> float:
        """Give `job` its processors; return its actual end unless it is preempted.

        Raises
        ------
        PolicyError
            If it does not wait, does not fit, would delay a reservation, `switch` is not a time >= 0, or
            `where` names nodes, but this machine has no node-level model.
        """
        if where is not None:
            self._refuse(job, "was started in nodes by name, but this machine has no node-level model")
        if not self.waiting.holds(job):
            self._refuse(job, f"was started, but {NOT_WAITING}")
        self._check_switch(job, switch)
        if job.processors > self.free:
            self._refuse(job, f"was started on {job.processors} processors, but {self.free} are free")
        if self._profile is not None:
            self._enter_profile(job, switch + self._left(job))
        self.waiting.remove(job)
        self.first_reservations.pop(job.position, None)
        self.free -= job.processors
        self.usage.change(self.now, job, job.processors)
        end = self.now + switch + self._left(job)
        self._planned_ends[job.position] = end
        insort(self.running, Running(end, job.position, job))
        return self.dispatches.dispatch(job, self.now, switch)

    def _check_switch(self, job: Job, switch: float) -> None:
        if not (is_finite_number(switch) and switch >= 0):
            self._refuse(job, f"was started with a switch of {switch!r:.40}; expected seconds >= 0")

    def preempt(self, job: Job) -> None:
        """Preempt running `job`: take its processors and let it wait again."""
        early = self.ended_early
        self.release(job)
        # The job has released its processors early, but has not ended.
        self.ended_early = early
        self.dispatches.preempt(job, self.now)
        self.waiting.add(job)

    def lineup(self) -> Lineup:
        """Return a lineup without jobs; see `SystemView.lineup`."""
        return CountedLineup(self.processors)

    def side_by_side(self, jobs: Sequence[Job]) -> bool:
        """Return whether the empty machine has room for `jobs`; see `SystemView.side_by_side`."""
        return sum(job.processors for job in jobs) <= self.processors

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
            raise PolicyError(self.policy_name, time=self.now, job_id=None, broken_rule=rule)
        if not self.wakes or self.wakes[0] != time:
            heappush(self.wakes, float(time))

    def release(self, job: Job) -> None:
        """Release the processors of `job`, which has ended."""
        end = self._planned_ends.pop(job.position)
        del self.running[bisect_left(self.running, (end, job.position))]
        self.free += job.processors
        self.usage.change(self.now, job, -job.processors)
        if end > self.now:
            self.ended_early = True
            if self._profile is not None:
                self._profile.give_back(self.now, end, job.processors)

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
        self.reservations.clear()
        self._profile = None

    def reserve(self, job: Job, time: float) -> None:
        """Reserve a start at `time` for waiting `job`, in place of an earlier reservation.

        Raises
        ------
        PolicyError
            If it does not wait, `time` is past or not finite, or too few processors are free then.
        """
        self._check_reservation(job, time)
        if self.reservations.get(job.position) == time:
            return
        profile = self._kept_profile()
        self._withdraw(job)
        if (lowest := profile.lowest(time, self._left(job))) < job.processors:
            self._refuse(
                job,
                f"got a reservation of {job.processors} processors at {time:g} s, but {lowest} are free then",
            )
        profile.take(time, self._left(job), job.processors)
        self.reservations[job.position] = time
        self.first_reservations.setdefault(job.position, time)

    def _check_reservation(self, job: Job, time: float) -> None:
        if not self.waiting.holds(job):
            self._refuse(job, f"got a reservation, but {NOT_WAITING}")
        if not (is_finite_number(time) and self.now <= time):
            self._refuse(job, f"got a reservation at {time!r:.40} s, but it is {self.now:g} s")

    def withdraw(self, job: Job) -> None:
        """Withdraw the reservation of waiting `job`.

        Raises
        ------
        PolicyError
            If it does not wait or has no reservation.
        """
        if not self.waiting.holds(job):
            self._refuse(job, f"had its reservation withdrawn, but {NOT_WAITING}")
        if job.position not in self.reservations:
            self._refuse(job, "had its reservation withdrawn, but has none")
        self._withdraw(job)

    def earliest_start(self, job: Job) -> float:
        """Return the earliest start of `job` that delays no reservation of another job, in seconds."""
        profile = self._kept_profile()
        reserved = self.reservations.get(job.position)
        if reserved is None:
            return profile.earliest(job.processors, self._left(job))
        profile.give_back(reserved, reserved + self._left(job), job.processors)
        start = profile.earliest(job.processors, self._left(job))
        profile.take(reserved, self._left(job), job.processors)
        return start

    def withdraw_late(self) -> None:
        """Withdraw the reservations that could not be kept: here all can."""

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
        return self.dispatches.remaining(job, self.now, running=job.position in self._planned_ends)

    def waited(self, job: Job) -> float:
        """Return how long `job` has been in the queue; see `SystemView.waited`."""
        running = job.position in self._planned_ends
        last = self.dispatches.last_start(job) if running else None
        return self.dispatches.waited(job, self.now if last is None else last)

    def availability(self) -> Profile:
        """Return a fresh profile of the running jobs alone."""
        return self._fresh_profile()

    def _fresh_profile(self) -> AvailabilityProfile:
        ends = ((end, job.processors) for end, _, job in self.running)
        return AvailabilityProfile.around(self.now, self.processors, ends)

    def shadow(self, size: int) -> tuple[float, int]:
        """Return when `size` processors are planned to be free, and how many more; see `SystemView`."""
        free = self.free
        shadow = self.now
        for end, _, job in self.running:
            if free >= size and end > shadow:
                break
            free += job.processors
            shadow = end
        return shadow, free - size

    def head_start(self, head: Job) -> Shadow:
        """Return when blocked `head` could start as planned; see `SystemView.head_start`."""
        return CountShadow(self, head)

    def by_node(self, head: Job, *, small: bool = False) -> Sequence[NodeView]:
        """Return the machine as its only node; see `SystemView.by_node`."""
        return [WholeMachine(self, head)] if small or head.processors <= self.processors else []

    def requested_end(self, job: Job) -> float:
        """Return the last start of running `job` plus its planned time, in seconds, even if passed."""
        start = self.dispatches.last_start(job)
        assert start is not None
        return start + job.planned_time

    def planned_end(self, job: Job) -> float:
        """Return when running `job` is planned to end, in seconds."""
        return self._planned_ends[job.position]

    def draw(self, job: Job) -> float:
        """Return the random number of `job`; see `SystemView.draw`."""
        if self._draws is None:
            self._draws = draws(self.scenario.instance, self.scenario.seed).tolist()
        return self._draws[job.position]

    def copy(self) -> Cluster:
        """Return an independent copy of the cluster in its present state.

        The `dispatches` of the run are shared; the processor time of users is not copied.
        """
        twin = copy(self)
        twin.waiting, twin.running, twin.wakes = self.waiting.copy(), list(self.running), list(self.wakes)
        twin.reservations, twin.first_reservations = dict(self.reservations), dict(self.first_reservations)
        twin.usage = Usage()
        twin.__dict__.update(_planned_ends=dict(self._planned_ends), _profile=deepcopy(self._profile))
        return twin

    def _kept_profile(self) -> AvailabilityProfile:
        """Return the profile with all reservations, maintained from its first use on."""
        if self._profile is None:
            self._profile = self._fresh_profile()
        self._profile.advance(self.now)
        return self._profile

    def _left(self, job: Job) -> float:
        return self.dispatches.planned_left[job.position]

    def _enter_profile(self, job: Job, duration: float) -> None:
        profile = self._kept_profile()
        self._withdraw(job)
        if (lowest := profile.lowest(self.now, duration)) < job.processors:
            self._refuse(
                job,
                f"was started on {job.processors} processors, but reservations of other jobs leave {lowest}",
            )
        profile.take(self.now, duration, job.processors)

    def _withdraw(self, job: Job) -> None:
        reserved = self.reservations.pop(job.position, None)
        if reserved is not None:
            # A reservation that fell due between two cycles of one instant begins now at the earliest.
            self._kept_profile().give_back(
                max(reserved, self.now), reserved + self._left(job), job.processors
            )

    def _refuse(self, job: Job, broken_rule: str) -> NoReturn:
        job_id = job.job_id if isinstance(job, Job) else repr(job)[:40]
        raise PolicyError(self.policy_name, time=self.now, job_id=job_id, broken_rule=broken_rule)
