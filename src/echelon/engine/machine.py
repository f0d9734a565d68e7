"""Machine: one machine, or one site, during a run: its cluster, its scheduler, its pending ENDs."""

from __future__ import annotations

import math
from functools import cached_property, partial
from typing import TYPE_CHECKING, NoReturn

from echelon.engine.ledger.observer import Place, watch_decisions
from echelon.engine.progress.progress_model import FixedEnds
from echelon.engine.queue.cluster import Cluster
from echelon.engine.queue.decisions import MOST_FRUITLESS, NO_JOB, Decisions, LivelockGuard, refusal
from echelon.engine.queue.look_ahead import simulate_ahead, unsupported_reason
from echelon.engine.queue.view import View
from echelon.engine.resources.closure_events import ClosureEvent
from echelon.engine.resources.counted_processors import CountedProcessors
from echelon.engine.system import count_of, list_of
from echelon.engine.tree.leaf import Leaf
from echelon.engine.tree.views.member import FrozenLeaf
from echelon.errors import DeadlockError, InputError
from echelon.model import Job
from echelon.policies import Preempt, Reserve, Start, Wake, Withdraw, capabilities

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.ledger.ledger import Ledger
    from echelon.engine.progress.progress_model import ProgressModel
    from echelon.engine.resources.capacity import Outage
    from echelon.engine.resources.closures import Closure
    from echelon.model import Schedule
    from echelon.policies import Planned
    from echelon.policies.contract import Where


def _count(ledger: Ledger, processors: int, site: int | None) -> CountedProcessors:
    """Return so many processors, of the leaf `site`; they have numbers where single ones may go down."""
    if not ledger.scenario.machine_changes:
        return CountedProcessors(processors)
    from echelon.engine.nodes.numbered_processors import NumberedProcessors

    return NumberedProcessors(processors, ledger.held, site=-1 if site is None else site)


class Machine(Leaf):
    """One machine, or one site, of a run: its queue and its scheduler.

    Parameters
    ----------
    ledger : Ledger
        The ledger of the run.
    processors : int
        The processors of this machine.
    name : str, default ``""``
        Name of the site, for messages.
    cluster : Cluster, optional
        Its state; default: of counted processors, with numbers where single ones may go down.
    site : int, optional
        Its index in the platform; default: none, for a single machine.
    progress : ProgressModel, optional
        How fast jobs run here; default: each for its run time.
    """

    def __init__(
        self,
        ledger: Ledger,
        processors: int,
        name: str = "",
        *,
        cluster: Cluster | None = None,
        site: int | None = None,
        progress: ProgressModel | None = None,
    ) -> None:
        self.cluster = cluster or Cluster(ledger, _count(ledger, processors, site), site=name)
        self.ledger = ledger
        self.above = []
        self._name = name
        self._site, self._index = Place(site, name), site or 0
        self._scheduler = self.cluster.policy.scheduler
        self._starts_all_that_fit = capabilities(self._scheduler).starts_all_that_fit
        self._dispatches = ledger.dispatches
        self._predictions = ledger.predictions
        self._observers = ledger.observers
        self._view = View(self.cluster)
        decide = watch_decisions(self._scheduler.decide, self._observers, self._site)
        self._decisions = Decisions(
            self._scheduler.name, partial(decide, self._view), lambda: self.cluster.now
        )
        # Whether planned ends may come before ends: as predicted or requested, or by the rates of what runs.
        self._corrector = ledger.predictions if progress is None else None
        asked_too_little = progress is None and ledger.scenario.instance.estimates == "request"
        self._puts_off = self._corrector is not None or asked_too_little
        self.progress: ProgressModel = FixedEnds(ledger.dispatches) if progress is None else progress
        # Looked up once: both are asked at every event.
        self._next_time, self._due = self.progress.next_time, self.progress.jobs_due
        self._gives_up = False
        self._submits_again = ledger.course is not None and ledger.course.submits_again
        self._livelock = LivelockGuard(partial(self.cluster.refuse, NO_JOB))
        # Preemptions by its scheduler of jobs that had made no progress.
        self._in_vain = 0
        if ledger.closures:
            self.cluster.resource.close(ledger.closures, site)

    def next_event(self, release: float) -> float:
        """See `System.next_event`."""
        cluster, other = self.cluster, release
        # Most policies reserve nothing and never wake up: this runs at every event.
        if cluster.reservations and (due := cluster.next_reservation()) is not None and due < other:
            other = due
        if (
            cluster.wakes
            and cluster.waiting
            and not self._gives_up
            and (wake := cluster.next_wake()) is not None
            and wake < other
        ):
            other = wake
        if self._puts_off and cluster.running:
            return self._next_time(other, (cluster.running[0].planned_end,))
        return self._next_time(other)

    @property
    def has_waiting_jobs(self) -> bool:  # type: ignore[override]
        """See `System`."""
        return bool(self.cluster.waiting)

    @property
    def is_at_rest(self) -> bool:  # type: ignore[override]
        """See `System`."""
        cluster = self.cluster
        return not cluster.running and not (cluster.wakes and cluster.next_wake() is not None)

    def begin(self, now: float) -> None:
        """See `System.begin`."""
        self.cluster.now = now

    def take_ends(self) -> list[Job]:
        """See `System.take_ends`."""
        if not (due := self._due(self.cluster.now)):
            return []
        jobs = self.ledger.jobs
        return [jobs[position] for position in due]

    def end(self, job: Job) -> None:
        """See `System.end`."""
        cluster = self.cluster
        run_time = self.progress.end(job, cluster.now)
        if self._predictions is not None:
            self._predictions.note_end(job.position, cluster.now, self._lesson(job, run_time))
        place = self._place_of(job) if self._observers else self._site
        cluster.release(job)
        cluster.note_end(job, run_time)
        self._dispatches.note_end(job.position)
        self.ledger.ended += 1
        for observer in self._observers:
            observer.ended(cluster.now, job, place)

    def _lesson(self, job: Job, run_time: float) -> float | None:
        """Return what estimators learn of `job`; see `Predictions.note_end`."""
        return None

    def ends_early(self, job: Job) -> bool:
        """See `System.ends_early`."""
        return self.cluster.planned_end(job) > self.cluster.now

    def schedule(self) -> Schedule:
        """See `System.schedule`."""
        return self.ledger.finish_schedule(self.ledger.schedule())

    def _place_of(self, job: Job) -> Place:
        """Return the place of running `job`."""
        return self._site

    def has(self, phase: str) -> bool:
        """See `System.has`: planned ends are corrected only where they may come too early."""
        return self._puts_off if phase == "correct" else super().has(phase)

    def correct(self) -> bool:
        """See `System.correct`."""
        return self._puts_off and self._put_off()

    def _put_off(self) -> bool:
        """Plan a later end for the jobs that run on at their planned end; return whether there are any."""
        now, cluster = self.cluster.now, self.cluster
        late = [running.job for running in cluster.running if running.planned_end <= now]
        if late:
            # Their present rates, after all ENDs of this instant.
            self.progress.settle(now)
        for job in late:
            cluster.plan_end(job, self._believed_end(job))
        return bool(late)

    def _believed_end(self, job: Job) -> float:
        if self._corrector is None:
            return self._outlook(job)
        start = self._dispatches.start_if_unbroken(job.position)
        end = self._corrector.correct(job.position, start, self.cluster.now)
        # A job may run beyond its limit; and by rounding the last correction of an interrupted job can miss
        # its end slightly.
        return end if end > self.cluster.now else self._dispatches.end(job.position)

    def _outlook(self, job: Job) -> float:
        """Return when `job` ends at its present rate, after now; as if it had just begun if it has none."""
        now, end = self.cluster.now, self.progress.outlook(job.position)
        if end == math.inf:
            end = now + job.planned_time
        return end if end > now else math.nextafter(now, math.inf)

    @property
    def processors(self) -> int:
        """See `Leaf.processors`."""
        return self.cluster.processors

    @property
    def free(self) -> int:
        """See `Leaf.free`: what is closed to some jobs now is not free."""
        cluster = self.cluster
        if cluster.resource.closures is None:
            return cluster.free
        return cluster.free - cluster.resource.count_closed(self.ledger.now)

    @property
    def in_service(self) -> int:
        """See `Leaf.in_service`."""
        return self.cluster.resource.in_service(self.ledger.now)

    def serves(self, job: Job) -> bool:
        """See `Leaf.serves`."""
        self.cluster.now = self.ledger.now
        return self.would_serve(self.cluster, job)

    def would_serve(self, cluster: Cluster, job: Job) -> bool:
        """Return whether what is in service in `cluster`, or in a copy of it, could run `job` alone."""
        return job.processors <= cluster.resource.in_service(cluster.now, job)

    @property
    def waiting(self) -> Sequence[Job]:
        """See `Leaf.waiting`."""
        return self.cluster.waiting.jobs

    @property
    def running_jobs(self) -> int:
        """See `Leaf.running_jobs`."""
        return len(self.cluster.running)

    @property
    def running_now(self) -> Sequence[Job]:
        """See `Leaf.running_now`: by planned end, then position."""
        return [running.job for running in self.cluster.running]

    def freeze(self) -> FrozenLeaf:
        """See `Leaf.freeze`."""
        self.cluster.now = self.ledger.now
        twin = self.cluster.copy()
        return FrozenLeaf(
            self,
            partial(simulate_ahead, twin),
            partial(self.would_start, twin),
            partial(self.would_serve, twin),
        )

    def starts_at_once(self, job: Job) -> bool:
        """See `Leaf.starts_at_once`."""
        if self.cluster.resource.closures is not None:
            self.cluster.now = self.ledger.now
        return self.would_start(self.cluster, job)

    def would_start(self, cluster: Cluster, job: Job) -> bool:
        """Return whether `job` would start at once if it joined `cluster`: this one, or a copy of it."""
        at_once = self._starts_all_that_fit or not cluster.waiting
        return at_once and cluster.fits(job)

    def withdraw(self, job: Job) -> None:
        """See `Leaf.withdraw`."""
        if not self.cluster.waiting.has(job):
            # By planned times it may run, or have ended.
            if not self.cluster.runs(job):
                return
            self.stop(job)
        self.cluster.drop(job)

    def planned_schedule(self, job: Job | None) -> list[Planned]:
        """See `Leaf.planned_schedule`.

        Raises
        ------
        InputError
            If the policy cannot be simulated ahead: brokers are asked before the run, global queues are not.
        """
        if self._why_unpredictable is not None:
            raise InputError(
                f"planned schedules are asked for, but {self._why_unpredictable}; choose another policy, or "
                "a global queue and a queue limit that need no forecasts",
                field="policy",
            )
        self.cluster.now = self.ledger.now
        return simulate_ahead(self.cluster, job)

    @cached_property
    def _why_unpredictable(self) -> str | None:
        return unsupported_reason(self.ledger.scenario, self.cluster.policy)

    def ready_time(self) -> float:
        """See `Leaf.ready_time`. Cost: O(jobs)."""
        cluster = self.cluster
        cluster.now = self.ledger.now
        work = sum((end - cluster.now) * job.processors for end, _, job in cluster.running)
        work += sum(job.area for job in cluster.waiting.jobs)
        return cluster.now + work / cluster.processors

    def enter(self, job: Job) -> None:
        """See `Leaf.enter`: `job` joins the queue."""
        self.cluster.submit(job)

    def join(self, job: Job) -> None:
        """See `System.join`: `job` joins the queue."""
        self.enter(job)
        for observer in self._observers:
            observer.submitted(self.cluster.now, job, self._site)

    def decide(self) -> None:
        """See `System.decide`: run a scheduling cycle."""
        cluster, ledger = self.cluster, self.ledger
        ledger.cycles += 1
        if waiting := len(cluster.waiting):
            cluster.waiting.refresh(self._view)
            for decision in self._decisions.cycle(waiting + len(cluster.running)):
                ledger.decisions += 1
                self._apply(decision)
        cluster.ended_early = False
        for observer in self._observers:
            observer.decided(cluster.now, len(cluster.waiting), cluster.free, self._site)

    def watch(self, *, event: bool) -> None:
        """See `System.watch`: events are counted, and decisions between them."""
        guard, vain = self._livelock, self._in_vain
        if event:
            guard.event(vain)
            self._gives_up = False
            return
        cluster, course = self.cluster, self.ledger.course
        guard.wake(idle=not cluster.running)
        self._gives_up = False
        if course is not None and not cluster.running and not self.is_whole:
            # Nothing opens or comes back between two events, and no rule that wakes up can change that.
            lasts = course.next_time == math.inf and self.is_last
            self._gives_up = lasts or guard.has_tried(len(cluster.waiting))
        if guard.is_vain(vain, len(cluster.waiting) + len(cluster.running)):
            cluster.refuse(
                NO_JOB,
                f"preempts jobs before they progress, {MOST_FRUITLESS} times each without an end or "
                "submission between; let a job run longer than its switch",
            )
        if guard.is_lost and self.is_last:
            self.raise_deadlock()

    @property
    def is_last(self) -> bool:
        """Whether no further job will be submitted here."""
        return self.ledger.releases.next_time == math.inf and not self.waits_above()

    def check_done(self) -> None:
        """See `System.check_done`."""
        if self.cluster.waiting:
            self.raise_deadlock()

    def raise_deadlock(self) -> NoReturn:
        """Report that jobs can never start here."""
        waiting = self.cluster.waiting.jobs
        where = f" at site {self._name!r}" if self._name else ""
        raise DeadlockError(
            f"policy {self._scheduler.name!r}: {count_of(waiting)} can never start{where}, with "
            f"{self.cluster.free} of {self.cluster.processors} processors free and no event left: "
            f"{list_of(waiting, 'processors')}; {self._advice}"
        )

    @property
    def _advice(self) -> str:
        if self.cluster.resource.closures is None:
            return "start the head when the machine is empty"
        return "the calendar of maintenance and reservations never has room for as long as they are planned"

    def _apply(self, decision: object) -> None:
        # Typed as anything: a user's scheduler may yield anything.
        if isinstance(decision, Start):
            self._start(self._current_job(decision.job), decision.switch, decision.where)
        elif isinstance(decision, Preempt):
            self._preempt(self._current_job(decision.job))
        elif isinstance(decision, Reserve):
            self.cluster.reserve(decision.job, decision.time)
        elif isinstance(decision, Withdraw):
            self.cluster.withdraw(decision.job)
        elif isinstance(decision, Wake):
            self.cluster.wake(decision.time)
        else:
            rule = (
                f"gave {decision!r:.60}; expected Start(job), Preempt(job), Reserve(job, time), "
                "Withdraw(job) or Wake(time)"
            )
            raise refusal(self._scheduler.name, rule, now=self.cluster.now)

    def _current_job(self, job: Job) -> Job:
        """Return `job` as submitted last, which a rule that remembers jobs may know as it was before."""
        if not self._submits_again or not isinstance(job, Job):
            return job
        current = self.ledger.jobs[job.position]
        return current if current._replace(submit_time=job.submit_time) == job else job

    def start(self, delay: float) -> None:
        """See `Leaf.start`."""
        self._start(self.cluster.waiting.jobs[0], delay, None)

    def _start(self, job: Job, switch: float, where: Where | None) -> None:
        end = self.cluster.start(job, switch, where)
        self.progress.start(job, end, switch)
        self._tell_start(job)

    def _tell_start(self, job: Job) -> None:
        self._livelock.note_start()
        self._gives_up = False
        if self._predictions is not None:
            self._predictions.note_start(job.position)
        if job.position in self._dispatches.in_transit:
            self._dispatches.in_transit[job.position] = self._place_of(job)
        else:
            for observer in self._observers:
                observer.started(self.cluster.now, job, self._place_of(job))
        for started in self.on_start:
            started(job, self._index)

    def _preempt(self, job: Job) -> None:
        cluster = self.cluster
        if not cluster.runs(job):
            rule = "was preempted, but is not running; decide on jobs of view.running"
            raise refusal(self._scheduler.name, rule, now=cluster.now, job=job)
        if self.progress.is_over(job.position, cluster.now):
            # With a cycle after every event its END may still be pending: it is applied now.
            self.end(job)
            self.tell_end(job, self._dispatches.first_start(job), cluster.now)
            return
        place = self._place_of(job) if self._observers else self._site
        self._suspend(job)
        self._waits_again(job, place)

    def _suspend(self, job: Job) -> None:
        """Take the processors of running `job`, and let it wait again with what it has left."""
        left, progress = self.progress.suspend(job, self.cluster.now)
        self._in_vain += self.cluster.suspend(job, left=left, progress=progress)

    def _waits_again(self, job: Job, place: Place) -> None:
        """Note that `job`, which ran at `place` until now, waits again."""
        self.ledger.waits_again(job, place, self.cluster.now)

    def expect(self, outage: Outage) -> None:
        """See `System.expect`."""
        self.cluster.expect(outage)

    def change_capacity(self, outage: Outage, *, down: bool) -> None:
        """See `System.change_capacity`."""
        if down:
            for job in self.cluster.jobs_hit_by(outage):
                self.stop(job)
        self.cluster.change(outage, down=down)

    def change_closure(self, event: ClosureEvent, closure: Closure) -> Sequence[Job]:
        """See `System.change_closure`."""
        cluster, resource = self.cluster, self.cluster.resource
        if event == ClosureEvent.SLIDES:
            resource.closures = resource.closures and resource.closures.replace(closure)
        if event in (ClosureEvent.IS_ANNOUNCED, ClosureEvent.SLIDES):
            # What is reserved was reserved without knowledge of it.
            cluster.withdraw_all()
            return ()
        if event == ClosureEvent.BEGINS:
            return cluster.jobs_in_the_way(closure)
        # Its nodes are open to all: reservations may move forward.
        cluster.ended_early = True
        return cluster.jobs_beyond(closure)

    def awaits(self, closure: Closure) -> bool:
        """See `System.awaits`."""
        return any(job.position in closure.may_use for job in self.cluster.waiting.jobs)

    @property
    def is_whole(self) -> bool:
        """See `System.is_whole`."""
        cluster, resource = self.cluster, self.cluster.resource
        shut = resource.closures is not None and resource.closures.mask_closed_now(cluster.now) is not None
        return not (resource.out or shut)

    def stop(self, job: Job) -> None:
        """See `System.stop`."""
        place = self._place_of(job) if self._observers else self._site
        self._requeue(job)
        self._waits_again(job, place)
        if self.on_lost is not None:
            self.on_lost(job)

    def has_waiting(self, job: Job) -> bool:
        """See `Leaf.has_waiting`."""
        return self.cluster.waiting.has(job)

    def hold(self, job: Job) -> bool:
        """See `System.hold`."""
        self.cluster.drop(job)
        return False

    def limit(self, job: Job, planned: float) -> None:
        """See `System.limit`."""
        self.cluster.limit(job, planned)

    def rejoin(self, job: Job, *, is_away: bool) -> None:
        """See `System.rejoin`."""
        self.cluster.waiting.add(job)

    def _requeue(self, job: Job) -> None:
        """Take the processors of running `job`, and let it wait again, from the beginning."""
        self.cluster.requeue(job, self.progress.abandon(job, self.cluster.now))
