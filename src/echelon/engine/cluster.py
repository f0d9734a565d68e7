"""Cluster: the state of one machine while a run goes on. Every change of it happens here, checked."""

from __future__ import annotations

from bisect import bisect_left, insort
from copy import copy, deepcopy
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NoReturn

from echelon.engine.profile import AvailabilityProfile
from echelon.engine.ranking import draws, is_finite_number
from echelon.engine.shadow import CountShadow
from echelon.engine.usage import Usage
from echelon.engine.waiting import Waiting
from echelon.engine.whole_machine import WholeMachine
from echelon.errors import PolicyError
from echelon.metrics.columns.per_job import TAU
from echelon.model import Job
from echelon.policies import Running

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.contract import Scenario
    from echelon.engine.ledger import Ledger
    from echelon.policies.contract import NodeView, Profile, Shadow, Where


NOT_WAITING = "is not waiting; a decision names a job of view.queue as it is there"


class Cluster:
    """Free processors, waiting and running jobs, and the promises made to those that wait.

    Parameters
    ----------
    scenario : Scenario
        The jobs and the policy.
    processors : int
        Of this machine.
    ledger : Ledger
        Of the run: the jobs' ranks and dispatches.
    """

    def __init__(self, scenario: Scenario, processors: int, ledger: Ledger) -> None:
        self.scenario = scenario
        self.policy_name = scenario.policy.name
        self.processors = self.free = processors
        self.now = 0.0
        self.waiting = Waiting(scenario, ledger.ranks)
        self.running: list[Running] = []
        self.promises: dict[int, float] = {}
        self.dispatches = ledger.dispatches
        self.wakes: list[float] = []
        self.first_promises: dict[int, float] = {}
        self.ended_early = False
        self.usage = Usage()
        self._planned_ends: dict[int, float] = {}
        self._profile: AvailabilityProfile | None = None
        self._ended, self._slowdowns = 0, 0.0
        self._draws: list[float] | None = None

    def submit(self, job: Job) -> None:
        """Let `job` join the queue."""
        self.waiting.add(job)
        self.dispatches.planned_left[job.position] = job.planned_time

    def fits(self, job: Job, where: Where | None = None) -> bool:
        """Return whether there is room for waiting `job` now."""
        return job.processors <= self.free

    def may_start(self, job: Job) -> bool:
        """Return whether waiting `job` can start now without touching a promise."""
        return self.fits(job) and self.earliest_start(job) <= self.now

    def start(self, job: Job, switch: float = 0.0, where: Where | None = None) -> float:
        """Give `job` its processors; return when it really ends if nobody preempts it.

        Raises
        ------
        PolicyError
            If it does not wait, does not fit, would push a promise aside, `switch` is no time >= 0, or
            `where` names nodes, which are not told apart here.
        """
        if where is not None:
            self._refuse(job, "was started in nodes by name, but this machine's nodes are not told apart")
        if not self.waiting.holds(job):
            self._refuse(job, f"was started, but {NOT_WAITING}")
        if not (is_finite_number(switch) and switch >= 0):
            self._refuse(job, f"was started with a switch of {switch!r:.40}; expected seconds >= 0")
        if job.processors > self.free:
            self._refuse(job, f"was started on {job.processors} processors, but {self.free} are free")
        if self._profile is not None:
            self._enter_profile(job, switch + self._left(job))
        self.waiting.remove(job)
        self.first_promises.pop(job.position, None)
        self.free -= job.processors
        self.usage.change(self.now, job, job.processors)
        end = self.now + switch + self._left(job)
        self._planned_ends[job.position] = end
        insort(self.running, Running(end, job.position, job))
        return self.dispatches.dispatch(job, self.now, switch)

    def preempt(self, job: Job) -> None:
        """Take the processors of running `job` back before its end and let it wait again."""
        early = self.ended_early
        self.release(job)
        # It freed its processors early, but it has not ended.
        self.ended_early = early
        self.dispatches.preempt(job, self.now)
        self.waiting.add(job)

    def runs(self, job: object) -> bool:
        """Return whether `job` runs, exactly as it was submitted."""
        if not isinstance(job, Job) or job.position not in self._planned_ends:
            return False
        entry = (self._planned_ends[job.position], job.position)
        return self.running[bisect_left(self.running, entry)].job == job

    def wake(self, time: float) -> None:
        """Ask for a pass at `time`, in seconds.

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
        """Take the processors of `job` back: it has ended."""
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
        """Plan running `job` to end at `end`, later than planned so far, and withdraw every promise.

        The promises were made around the old end; the policy makes new ones, in its own order.
        """
        old = self._planned_ends[job.position]
        del self.running[bisect_left(self.running, (old, job.position))]
        self._planned_ends[job.position] = end
        self.dispatches.plan_end(job.position, end)
        insort(self.running, Running(end, job.position, job))
        self.promises.clear()
        self._profile = None

    def promise(self, job: Job, time: float) -> None:
        """Promise waiting `job` a start at `time`, in place of an earlier promise.

        Raises
        ------
        PolicyError
            If it does not wait, `time` is past or not finite, or too few processors are free then.
        """
        self._check_promise(job, time)
        if self.promises.get(job.position) == time:
            return
        profile = self._kept_profile()
        self._withdraw(job)
        if (lowest := profile.lowest(time, self._left(job))) < job.processors:
            self._refuse(
                job, f"was promised {job.processors} processors at {time:g} s, but {lowest} are free then"
            )
        profile.take(time, self._left(job), job.processors)
        self.promises[job.position] = time
        self.first_promises.setdefault(job.position, time)

    def _check_promise(self, job: Job, time: float) -> None:
        if not self.waiting.holds(job):
            self._refuse(job, f"was promised a start, but {NOT_WAITING}")
        if not (is_finite_number(time) and self.now <= time):
            self._refuse(job, f"was promised a start at {time!r:.40} s, but it is {self.now:g} s")

    def withdraw(self, job: Job) -> None:
        """Take back the promise to waiting `job`.

        Raises
        ------
        PolicyError
            If it does not wait or has no promise.
        """
        if not self.waiting.holds(job):
            self._refuse(job, f"had its promise withdrawn, but {NOT_WAITING}")
        if job.position not in self.promises:
            self._refuse(job, "had its promise withdrawn, but it has none")
        self._withdraw(job)

    def earliest_start(self, job: Job) -> float:
        """Return the earliest start of `job` that delays no promise to another, in seconds."""
        profile = self._kept_profile()
        promised = self.promises.get(job.position)
        if promised is None:
            return profile.earliest(job.processors, self._left(job))
        profile.give_back(promised, promised + self._left(job), job.processors)
        start = profile.earliest(job.processors, self._left(job))
        profile.take(promised, self._left(job), job.processors)
        return start

    def next_promise(self) -> float | None:
        """Return when the next promise after now falls due, in seconds, or None."""
        if not self.promises:
            # Most policies promise nothing; asked at every event, so the early return is worth 5 %.
            return None
        return min((time for time in self.promises.values() if time > self.now), default=None)

    def next_wake(self) -> float | None:
        """Return the next time after now for which a pass was asked, in seconds, or None."""
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
        """Return when `size` processors are free by plan, and how many more then; see `SystemView.shadow`."""
        free = self.free
        shadow = self.now
        for end, _, job in self.running:
            if free >= size and end > shadow:
                break
            free += job.processors
            shadow = end
        return shadow, free - size

    def head_start(self, head: Job) -> Shadow:
        """Return when blocked `head` could start by plan; see `SystemView.head_start`."""
        return CountShadow(self, head)

    def by_node(self, head: Job, *, small: bool = False) -> Sequence[NodeView]:
        """Return the machine as its only node; see `SystemView.by_node`."""
        return [WholeMachine(self, head)] if small or head.processors <= self.processors else []

    def requested_end(self, job: Job) -> float:
        """Return the last start of running `job` plus its planned time, in seconds, be that over or not."""
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
        """Return a cluster in the same state that can be changed apart from this one.

        The books of the run, `dispatches`, are shared; processor time of users is not carried over.
        """
        twin = copy(self)
        twin.waiting, twin.running, twin.wakes = self.waiting.copy(), list(self.running), list(self.wakes)
        twin.promises, twin.first_promises = dict(self.promises), dict(self.first_promises)
        twin.usage = Usage()
        twin.__dict__.update(_planned_ends=dict(self._planned_ends), _profile=deepcopy(self._profile))
        return twin

    def _kept_profile(self) -> AvailabilityProfile:
        """Return the profile with all promises, kept up from its first use on."""
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
                job, f"was started on {job.processors} processors, but promises to others leave {lowest}"
            )
        profile.take(self.now, duration, job.processors)

    def _withdraw(self, job: Job) -> None:
        promised = self.promises.pop(job.position, None)
        if promised is not None:
            # A promise that fell due between two passes of one instant begins now at the earliest.
            self._kept_profile().give_back(
                max(promised, self.now), promised + self._left(job), job.processors
            )

    def _refuse(self, job: Job, broken_rule: str) -> NoReturn:
        job_id = job.job_id if isinstance(job, Job) else repr(job)[:40]
        raise PolicyError(self.policy_name, time=self.now, job_id=job_id, broken_rule=broken_rule)
