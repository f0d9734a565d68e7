"""A machine that changes, second by second: failures, drains, maintenance, reservations, deadlines, cancels.

It was written from the rules as they are printed, and shares nothing with the engines: no heap of events, no
profile that is kept up, no shadow scan. Every second goes through the order of events, and every question
about the future tries each second on a table of free cores by node.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from changing_calendar import FOREVER
from numpy.lib.stride_tricks import sliding_window_view


@dataclass
class Stay:
    """One attempt of a job: from when to when it held which cores of which nodes, and why it ended."""

    start: int
    where: Counter
    until: int
    """Its planned end."""
    finish: int
    """When it ends if nothing happens to it."""
    ending: str
    """Why, then."""
    end: int | None = None
    reason: str | None = None
    work: int = 0
    overhead: int = 0


@dataclass
class State:
    """What has become of a job so far."""

    submit: int
    left: int
    stays: list[Stay] = field(default_factory=list)
    status: str | None = None
    requeues: int = 0
    again: bool = False
    joins: float = FOREVER


class Machine:
    """One machine of nodes; each job has `size` tasks of one core."""

    def __init__(self, calendar, tasks, policy, key=lambda task: 0):
        self.calendar, self.tasks, self.rules = calendar, tasks, calendar.rules
        self.cores, self.nodes = calendar.cores, range(len(calendar.cores))
        self.policy, self.key = policy, key
        self.state = [State(task.submit, task.run) for task in tasks]
        self.waiting, self.running, self.now = [], [], 0
        self.promise, self.down, self.up = {}, False, False

    def outcome(self):
        """Run to the end; return the state of every job."""
        while any(one.status is None for one in self.state):
            self.down = self.up = False
            self.end_jobs()
            self.end_bookings()
            self.go_down()
            self.join_again()
            self.cancel()
            self.join()
            self.decide()
            while self.expire():
                self.decide()
            if self.nothing_is_left():
                for task in self.waiting:
                    self.state[task.number].status = "unfinished"
            self.now += 1
        return self.state

    def nothing_is_left(self):
        """Return whether nobody runs, joins or starts any more, and nothing changes any more."""
        if self.running:
            return False
        times = [task.submit for task in self.tasks]
        times += [one.joins for one in self.state if one.joins < FOREVER and one.status is None]
        for one in (*self.calendar.shuts, *self.calendar.bookings):
            times += [time for time in (one.start, one.end, one.announced) if abs(time) < FOREVER]
        times += [t for task in self.waiting for t in (task.deadline, task.cancel) if t < FOREVER]
        # Promises after a repair that is estimated again and again are never kept.
        renewed = isinstance(self.rules.repair, int)
        if not renewed or not any(one.end == FOREVER for one in self.calendar.shuts):
            times += [start for start, _, _ in self.promise.values()]
        return self.now > max(times)

    # How long attempts take.

    def checkpoints(self, work):
        return 0 if self.rules.interval == FOREVER else max(0, -(-work // self.rules.interval) - 1)

    def overhead(self, task):
        one = self.state[task.number]
        return self.rules.restart * one.again + self.rules.cost * self.checkpoints(one.left)

    def plan(self, task):
        """Return the planned time of an attempt, as it is planned now."""
        return int(min(self.allowed(task), max(task.deadline - self.now, self.minimum(task))))

    def allowed(self, task):
        """Return how long an attempt may take: what it costs to be safe comes on top of the limit."""
        used = sum(stay.end - stay.start for stay in self.state[task.number].stays)
        return task.limit + self.overhead(task) - (used if self.rules.limit_per == "job" else 0)

    def minimum(self, task):
        allowed = self.allowed(task)
        return allowed if task.minimum is None else min(task.minimum, allowed)

    def saved(self, task, stay):
        """Walk through an attempt that was cut; return the work that is safe, and what that cost."""
        one, clock, safe = self.state[task.number], stay.start, 0
        spent = min(self.rules.restart, stay.end - stay.start) if one.again else 0
        clock += self.rules.restart if one.again else 0
        for _ in range(self.checkpoints(one.left)):
            clock += self.rules.interval + self.rules.cost
            if clock > stay.end:
                break
            safe, spent = safe + self.rules.interval, spent + self.rules.cost
        return safe, spent

    # One second.

    def stay(self, task):
        return self.state[task.number].stays[-1]

    def finish(self, task, reason, status):
        """End the attempt of a running job; with no status it waits again."""
        self.running.remove(task)
        stay, one = self.stay(task), self.state[task.number]
        stay.end, stay.reason, one.status = self.now, reason, status
        if reason in ("completed", "killed") and self.now == stay.finish and stay.ending == "work":
            stay.work, stay.overhead = one.left, self.now - stay.start - one.left
        self.up |= self.now < stay.until

    def leave(self, task, status):
        """Take a job that waits, or that would join again, out for good."""
        if task in self.waiting:
            self.waiting.remove(task)
        self.up |= self.promise.pop(task, None) is not None
        self.state[task.number].status = status

    def end_jobs(self):
        for task in list(self.running):
            stay = self.stay(task)
            if stay.finish == self.now:
                killed = "killed" if task.cut or stay.ending != "work" else "completed"
                why = "deadline" if stay.ending == "deadline" else killed
                self.finish(task, why, why)

    def end_bookings(self):
        self.up |= any(one.end == self.now for one in (*self.calendar.shuts, *self.calendar.bookings))
        for one in self.calendar.bookings:
            if one.end == self.now:
                for task in [task for task in self.running if one.named_by(task)]:
                    if not one.flex and not one.overrun:
                        self.finish(task, "evicted", "evicted")
                for task in [task for task in self.waiting if one.named_by(task)]:
                    self.leave(task, "held")

    def go_down(self):
        began = [one for one in self.calendar.shuts if one.start == self.now]
        self.down = self.calendar.news_at(self.now)
        for one in sorted(began, key=lambda one: one.kind != "fail"):
            for task in self.on_nodes(one.nodes):
                if one.kind == "fail":
                    self.fail(task)
                elif one.kind == "maintenance" and self.rules.conflict == "kill":
                    self.finish(task, "evicted", "evicted")
        for one in self.calendar.bookings:
            if one.start == self.now and not one.ignore_jobs and self.rules.conflict == "kill":
                for task in self.on_nodes(one.nodes):
                    if not one.admits(task):
                        self.finish(task, "evicted", "evicted")

    def on_nodes(self, nodes):
        return [task for task in self.running if nodes & self.stay(task).where.keys()]

    def fail(self, task):
        one = self.state[task.number]
        if not self.rules.requeue or one.requeues >= self.rules.most:
            self.finish(task, "failed", "failed_node")
            return
        self.finish(task, "requeued", None)
        stay = self.stay(task)
        stay.work, stay.overhead = self.saved(task, stay)
        one.left -= stay.work
        one.again, one.requeues, one.joins = True, one.requeues + 1, self.now + self.rules.delay

    def join_again(self):
        for task, one in zip(self.tasks, self.state, strict=True):
            if one.joins == self.now and one.status is None:
                if self.rules.order == "back":
                    one.submit = self.now
                one.joins = FOREVER
                self.enter(task)

    def enter(self, task):
        gone = any(one.named_by(task) and one.end <= self.now for one in self.calendar.bookings)
        if gone:
            self.leave(task, "held")
        else:
            self.waiting.append(task)

    def cancel(self):
        for task, one in zip(self.tasks, self.state, strict=True):
            due = task.cancel == self.now or (task.submit == self.now and task.cancel <= self.now)
            if not due or one.status is not None:
                continue
            if task in self.running:
                self.finish(task, "stopped", "canceled_running")
            else:
                self.leave(task, "canceled_waiting")

    def join(self):
        for task, one in zip(self.tasks, self.state, strict=True):
            if task.submit == self.now and one.status is None:
                self.enter(task)

    def expire(self):
        late = [task for task in self.waiting if task.deadline - self.minimum(task) <= self.now]
        for task in late:
            self.leave(task, "deadline")
        return bool(late)

    # What is free.

    def queue(self):
        """Return who waits, in order: who names a reservation that is on comes first."""

        def place(task):
            on = any(one.named_by(task) and one.on(self.now) for one in self.calendar.bookings)
            return (not on, self.key(task), self.state[task.number].submit, task.number)

        return sorted(self.waiting, key=place)

    def table(self, until, promised=(), more=()):
        """Return the free cores of each node in each second from now on, by plan."""
        free = np.repeat(np.array(self.cores)[:, None], until - self.now, axis=1)
        held = [(stay.where, self.now, stay.until) for stay in map(self.stay, self.running)]
        # A job that may take less time the longer it waits for its deadline needs less than it was promised.
        held += [(where, start, min(end, start + self.plan(task))) for task, (start, where, end) in promised]
        for where, start, end in (*held, *more):
            for node, count in where.items():
                free[node, max(0, start - self.now) : max(0, end - self.now)] -= count
        return free

    def room(self, task, until, **others):
        """Return how many tasks each node can take from each second on, for the planned time."""
        plan, span = self.plan(task), until - self.now
        free = self.table(until + plan, **others)
        for node in self.nodes:
            free[node, ~np.array(self.calendar.may_hold(task, node, self.now, until + plan))] = 0
        room = sliding_window_view(free, plan, axis=1).min(axis=2)[:, :span]
        for node in self.nodes:
            room[node, ~np.array(self.calendar.may_start(task, node, self.now, until))] = 0
        return np.maximum(room, 0)

    def place(self, task, room):
        """Return the cores that the job takes, lowest-numbered nodes first, or None."""
        where, left = Counter(), task.size
        for node in self.nodes:
            count = min(left, int(room[node]))
            if count:
                where[node], left = count, left - count
        return None if left else where

    def is_in_time(self, task):
        return task.deadline - self.now >= self.minimum(task)

    def place_now(self, task, **others):
        if not self.is_in_time(task):
            return None
        return self.place(task, self.room(task, self.now + 1, **others)[:, 0])

    def earliest(self, task, **others):
        """Return the earliest second at which the job can be for its whole planned time, and where."""
        ends = [self.stay(other).until for other in self.running]
        ends += [end for _, (_, _, end) in others.get("promised", ())]
        ends += [end for _, _, end in others.get("more", ())]
        until = max([self.calendar.last(self.now), *ends]) + 1
        room = self.room(task, until, **others)
        for second in range(self.now, until):
            if (where := self.place(task, room[:, second - self.now])) is not None:
                return second, where
        return FOREVER, None

    # Who starts.

    def start(self, task, where):
        one, plan = self.state[task.number], self.plan(task)
        finish, ending = self.now + one.left + self.overhead(task), "work"
        if self.now + plan < finish:
            finish, ending = self.now + plan, "limit" if plan == self.allowed(task) else "deadline"
        self.waiting.remove(task)
        self.promise.pop(task, None)
        one.stays.append(Stay(self.now, where, self.now + plan, finish, ending))
        self.running.append(task)

    def decide(self):
        getattr(self, self.policy)()

    def none(self):
        for task in self.queue():
            if (where := self.place_now(task)) is None:
                return
            self.start(task, where)

    def first_fit(self):
        for task in self.queue():
            if (where := self.place_now(task)) is not None:
                self.start(task, where)

    def easy(self):
        self.none()
        if not self.waiting:
            return
        head, *rest = self.queue()
        for task in rest:
            if (where := self.place_now(task)) is None:
                continue
            shadow, kept = self.earliest(head)
            if self.moves(head, shadow, task, where):
                # Beside the nodes that the head would take it may still leave the head where it is.
                beside = (kept, shadow, shadow + self.plan(head))
                where = self.place_now(task, more=(beside,))
                if where is None or self.moves(head, shadow, task, where):
                    continue
            self.start(task, where)

    def moves(self, head, shadow, task, where):
        """Return whether the head's earliest start moves if another job starts there now."""
        held = (where, self.now, self.now + self.plan(task))
        return self.earliest(head, more=(held,))[0] != shadow

    def conservative(self):
        if self.down:
            self.promise.clear()
        if self.up:
            for task in [task for task in self.queue() if task in self.promise]:
                self.give(task)
        for task in [task for task in self.queue() if task not in self.promise]:
            if self.is_in_time(task):
                self.give(task)
        for task in self.queue():
            if task in self.promise and self.promise[task][0] == self.now:
                self.start(task, self.promise[task][1])
        # Whoever leaves now may let this be done again: what it has done is not done twice.
        self.down = self.up = False

    def give(self, task):
        """Give a promise: the earliest slot beside those of all others, or the same as before."""
        before = self.promise.pop(task, None)
        second, where = self.earliest(task, promised=self.promise.items())
        if before is not None and before[0] <= second:
            self.promise[task] = before
        elif where is not None:
            self.promise[task] = (second, where, second + self.plan(task))
