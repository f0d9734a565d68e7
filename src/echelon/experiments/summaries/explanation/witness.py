"""Witness: an observer that notes all that can be seen of one job's waits."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from echelon.engine.ledger.observer import QuietObserver
from echelon.engine.queue.recorded_view import RecordedView
from echelon.experiments.summaries.explanation.explanation import (
    Began,
    Holder,
    Obstacle,
    OtherJob,
    Overtaker,
    PlannedStart,
    Stop,
    Wait,
)
from echelon.policies import Preempt, Start, capabilities

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from echelon.engine.contract import Scenario
    from echelon.engine.ledger.observer import Decide, Place
    from echelon.engine.queue.view import View
    from echelon.model import Job


class HasEnded(Exception):  # noqa: N818  (no error: all has been seen)
    """Raised by a witness to stop a run in which its job has ended."""


class Witness(QuietObserver):
    """Sees one job through a run, until it ends.

    Parameters
    ----------
    scenario : Scenario
        What is run.
    position : int
        The job's place in the instance.
    stops : bool
        Whether the run is stopped when the job has ended.

    Attributes
    ----------
    waits : list of Wait
        What was seen.
    end : float or None
        When the job ended, in seconds.
    ends : dict of int to float
        When each other job ended so far, in seconds.
    """

    def __init__(self, scenario: Scenario, position: int, *, stops: bool) -> None:
        self.waits: list[Wait] = []
        self.end: float | None = None
        self.ends: dict[int, float] = {}
        self._scenario, self._position, self._stops = scenario, position, stops
        self._label = scenario.instance.label
        self._now, self._ended_now = -math.inf, list[tuple[OtherJob, int | None]]()
        self._stopped_by_scheduler = False
        self._seen: Began | None = None
        self._begun = set[int]()

    def submitted(self, time: float, job: Job, place: Place) -> None:
        """See `Observer.submitted`."""
        if job.position != self._position:
            return
        if self.waits and self.waits[-1].began is None:
            # It has joined a queue again, or another one, before it started.
            self._alter(site=place.name or self.waits[-1].site)
        else:
            self._waits_from(time, place)

    def started(self, time: float, job: Job, place: Place) -> None:
        """See `Observer.started`."""
        self._begun.add(job.position)
        if job.position == self._position:
            if not self.waits or self.waits[-1].began is not None:
                self._waits_from(time, place)
            unseen = Began(time, 0, (), (), (), None, None, time + job.planned_time, is_seen=False)
            self._close(time)
            self._alter(began=self._seen or unseen, site=place.name)
            self._seen = None

    def ended(self, time: float, job: Job, place: Place) -> None:
        """See `Observer.ended`."""
        if job.position == self._position:
            self.end = time
            if self._stops:
                raise HasEnded
        self.ends[job.position] = time
        if time != self._now:
            self._now, self._ended_now = time, []
        self._ended_now.append((self._other(job), place.site))

    def preempted(self, time: float, job: Job, place: Place) -> None:
        """See `Observer`: the job waits again."""
        if job.position == self._position:
            self._alter(stop=Stop(time, by_scheduler=self._stopped_by_scheduler))
            self._stopped_by_scheduler = False
            self._waits_from(time, place)

    def watched(self, decide: Decide, place: Place, view: View) -> Iterator[object]:
        """See `Observer`: yield what `decide` yields, and look at the queue before and after."""
        job = self._waiting(view.queue)
        recorded = RecordedView(view)
        if job is None:
            for decision in decide(view):
                if isinstance(decision, Preempt) and decision.job.position == self._position:
                    self._stopped_by_scheduler = True
                yield decision
            if (job := self._waiting(view.queue)) is not None:
                self._alter(arrival=view.now, site=place.name)
        else:
            if self.waits[-1].arrival is None or self.waits[-1].site != place.name:
                self._alter(arrival=view.now, site=place.name)
            yield from self._cycle(job, decide(recorded), recorded, view, place)
        if job is not None and self._waiting(view.queue) is not None:
            self._note(self._obstacle(job, recorded, view, place))

    def _cycle(
        self, job: Job, decisions: Iterable[object], recorded: RecordedView, view: View, place: Place
    ) -> Iterator[object]:
        suspended: list[OtherJob] = []
        for decision in decisions:
            if isinstance(decision, Preempt):
                suspended.append(self._other(decision.job))
                self._stopped_by_scheduler = decision.job.position == self._position
            if not isinstance(decision, Start) or self._waiting(view.queue) is None:
                yield decision
            elif decision.job.position == job.position:
                yield from self._own_start(decision, recorded, view, place, suspended)
            else:
                yield from self._other_start(job, decision, recorded, view, place)
        if (began := self.waits[-1].began) is not None and began.time == view.now:
            # A job ahead that has started in the same cycle was not overtaken.
            still = {other.position for other in view.queue}
            left = tuple(other for other in began.overtaken if other.position in still)
            paused = tuple(other for other in left if other.position in self._begun)
            self._alter(began=began._replace(overtaken=left, paused=paused))

    def _own_start(
        self, decision: Start, recorded: RecordedView, view: View, place: Place, suspended: Sequence[OtherJob]
    ) -> Iterator[object]:
        job, now = decision.job, view.now
        queue = view.queue
        ahead = queue[: _place_in(queue, job)]
        reserved = view.reservations.get(job.position)
        plans = self._plans(job, recorded, view, ahead)
        end = now + decision.switch + view.remaining(job)
        ended = [other for other, site in self._ended_now if site == place.site and self._now == now]
        head = next((plan for plan in plans if plan.is_ahead), None)
        overtaken = tuple(map(self._other, ahead))
        self._seen = Began(now, view.free, tuple(ended), tuple(suspended), overtaken, head, reserved, end)
        yield decision

    def _other_start(
        self, job: Job, decision: Start, recorded: RecordedView, view: View, place: Place
    ) -> Iterator[object]:
        other, queue = decision.job, view.queue
        was_behind = _place_in(queue, other) > _place_in(queue, job)
        if was_behind or other.submit_time > job.submit_time:
            planned_end = view.now + decision.switch + view.remaining(other)
            reason = None
            if was_behind and view.fits(job):
                reason = self._obstacle(job, recorded, view, place)
            overtaker = Overtaker(
                self._other(other), view.now, was_behind, planned_end, view.fits(job), reason
            )
            self._alter(overtakers=(*self.waits[-1].overtakers, overtaker))
        yield decision

    def _plans(
        self, job: Job, recorded: RecordedView, view: View, ahead: Sequence[Job]
    ) -> list[PlannedStart]:
        """Return the planned starts of other jobs that count for `job`, in the order in which they count."""
        first = {other.position for other in ahead}
        waiting = {other.position: other for other in view.queue if other.position != job.position}
        times = {place: time for place, time in view.reservations.items() if place in waiting}
        if is_reserved := bool(times):
            rank = {place: number for number, place in enumerate(waiting)}
            times = dict(sorted(times.items(), key=lambda item: (item[1], rank[item[0]])))
        else:
            # Only what was planned before the job itself: the rest gives way to it.
            for place, (_, time) in recorded.plans.items():
                if place == job.position:
                    break
                if place in waiting:
                    times[place] = time
        return [
            PlannedStart(self._other(waiting[place]), time, None, is_reserved, place in first)
            for place, time in times.items()
        ]

    def _obstacle(self, job: Job, recorded: RecordedView, view: View, place: Place) -> Obstacle:
        """Return why `job` waits in the present state of a cycle."""
        now, room, queue = view.now, view.room_report(job), view.queue
        ahead = queue[: _place_in(queue, job)]
        own = view.reservations.get(job.position)
        if own is None and job.position in recorded.plans:
            own = recorded.plans[job.position][1]
        needs, left = job.processors, view.remaining(job)
        obstacle = Obstacle(
            kind="processors",
            site=place.name,
            since=now,
            until=now,
            needs=needs,
            room=room,
            most_free=room.free,
            running=tuple(
                Holder(self._other(r.job), r.planned_end, view.remaining(r.job)) for r in view.running
            ),
            ahead=tuple(map(self._other, ahead)),
            own_start=own,
            planned_end=now + left,
            remaining=left,
        )
        if view.fits(job):
            return self._held_back(obstacle, job, recorded, view, place.name)
        if room.free >= needs:
            return replace(obstacle, kind="closed" if room.free - room.closed < needs else "place")
        return obstacle

    def _held_back(
        self, obstacle: Obstacle, job: Job, recorded: RecordedView, view: View, site: str
    ) -> Obstacle:
        """Return why `job` waits although there is room for it."""
        ahead = view.queue[: len(obstacle.ahead)]
        scheduler = self._scenario.policy.at(site).scheduler
        blocked = next((other for other in ahead if not view.fits(other)), None)
        if not capabilities(scheduler).overtakes and blocked is not None:
            return replace(obstacle, kind="order", behind=self._other(blocked))
        plans = self._plans(job, recorded, view, ahead)
        waiting = {other.position: other for other in view.queue}
        pairs = [(waiting[plan.job.position], plan.start) for plan in plans]
        if pairs and (conflict := view.first_conflict(job, pairs)) is not None:
            place = next(k for k, one in enumerate(plans) if one.job.position == conflict.job.position)
            plan = plans[place]._replace(moved_to=conflict.moved_to)
            return replace(obstacle, kind="start", conflict=plan, planned=tuple(plans[:place]))
        for head, nodes in recorded.heads.values():
            if head.position != job.position and head.position in waiting:
                times = [node.time for node in nodes if node.start(job) is not None]
                if times and max(times) < obstacle.planned_end:
                    return replace(obstacle, kind="node", behind=self._other(head), latest=max(times))
        return replace(obstacle, kind="scheduler")

    def _note(self, obstacle: Obstacle) -> None:
        """Add an obstacle, or let the last one last until now if it is the same."""
        self._close(obstacle.since)
        obstacles = self.waits[-1].obstacles
        if obstacles and _are_same(obstacles[-1], obstacle):
            last, most = obstacles[-1], max(obstacles[-1].most_free, obstacle.most_free)
            own = obstacle.own_start if last.own_start is None else last.own_start
            self._alter(obstacles=(*obstacles[:-1], replace(last, most_free=most, own_start=own)))
        else:
            self._alter(obstacles=(*obstacles, obstacle))

    def _close(self, now: float) -> None:
        """Let the last obstacle last until now."""
        if obstacles := self.waits[-1].obstacles:
            self._alter(obstacles=(*obstacles[:-1], replace(obstacles[-1], until=now)))

    def _waits_from(self, time: float, place: Place) -> None:
        self.waits.append(Wait(time, place.name, None, (), (), None, None))

    def _alter(self, **changes: Any) -> None:  # noqa: ANN401  (fields of a wait)
        self.waits[-1] = replace(self.waits[-1], **changes)

    def _waiting(self, queue: Sequence[Job]) -> Job | None:
        return next((job for job in queue if job.position == self._position), None)

    def _other(self, job: Job) -> OtherJob:
        return OtherJob(self._label(job.position), job.position, job.processors, job.submit_time)


def _place_in(queue: Sequence[Job], job: Job) -> int:
    return next(place for place, other in enumerate(queue) if other.position == job.position)


def _are_same(last: Obstacle, obstacle: Obstacle) -> bool:
    """Return whether two obstacles are one that lasts."""
    # Not every cycle plans the job: a start that is not known is no other one.
    moved = None not in (last.own_start, obstacle.own_start) and last.own_start != obstacle.own_start
    if moved or (last.kind, last.site, last.behind) != (obstacle.kind, obstacle.site, obstacle.behind):
        return False
    if last.conflict is None or obstacle.conflict is None:
        return last.conflict is obstacle.conflict
    return last.conflict[:2] == obstacle.conflict[:2]
