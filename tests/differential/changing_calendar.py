"""Which node a job may hold or start on in which second, as far as schedulers know: asked second by second.

Written from the rules as they are printed; it shares nothing with the engines. A node is one processor, or
several cores. Nothing is kept up: every question goes through the whole lists again.
"""

from __future__ import annotations

from dataclasses import dataclass, field

FOREVER = float("inf")


@dataclass(frozen=True)
class Task:
    """A job as its log has it; `names` is the name of a reservation."""

    number: int
    submit: int
    run: int
    size: int
    limit: int
    user: str = ""
    account: str = ""
    names: str = ""
    cancel: float = FOREVER
    deadline: float = FOREVER
    minimum: int | None = None
    cut: bool = False
    """Whether its run time is its limit because it was cut there."""


@dataclass(frozen=True)
class Shut:
    """Nodes that cannot be used in [start, end): `kind` is fail, drain or maintenance."""

    kind: str
    start: int
    end: float
    nodes: frozenset[int]
    announced: float = -FOREVER


@dataclass(frozen=True)
class Booking:
    """An advance reservation."""

    name: str
    start: int
    end: int
    nodes: frozenset[int]
    users: frozenset[str] = frozenset()
    accounts: frozenset[str] = frozenset()
    flex: bool = False
    overrun: bool = False
    ignore_jobs: bool = False
    announced: float = -FOREVER

    def named_by(self, task):
        return task.names == self.name

    def admits(self, task):
        return self.named_by(task) or task.user in self.users or task.account in self.accounts

    def on(self, now):
        return self.start <= now < self.end


@dataclass(frozen=True)
class Rules:
    """What becomes of jobs that are hit, and what schedulers know of repairs."""

    requeue: bool = True
    order: str = "keep"
    delay: int = 0
    most: float = FOREVER
    repair: str | int = "unknown"
    conflict: str = "kill"
    interval: float = FOREVER
    cost: int = 0
    restart: int = 0
    limit_per: str = "attempt"

    @property
    def saves(self):
        return self.interval < FOREVER or self.restart > 0


@dataclass(frozen=True)
class Calendar:
    """All that changes of a machine whose node i has ``cores[i]`` cores."""

    cores: tuple[int, ...]
    shuts: tuple[Shut, ...] = ()
    bookings: tuple[Booking, ...] = ()
    rules: Rules = field(default_factory=Rules)

    def news_at(self, now):
        """Return whether schedulers learn something now: an announcement, a failure, or that it lasts."""
        told = any(min(one.announced, one.start) == now for one in self.bookings)
        return told or any(
            one.start == now or (one.start < now < one.end and self.is_late(one, now))
            if one.kind == "fail"
            else min(one.announced, one.start) == now
            for one in self.shuts
        )

    def is_late(self, one, now):
        return isinstance(self.rules.repair, int) and (now - one.start) % self.rules.repair == 0

    def known(self, now):
        """Return what schedulers know of: nobody knows of a failure before it begins or after its end."""
        shuts = [
            one
            for one in self.shuts
            if (one.start <= now < one.end if one.kind == "fail" else min(one.announced, one.start) <= now)
        ]
        return shuts, [one for one in self.bookings if min(one.announced, one.start) <= now]

    def back(self, one, now):
        """Return when a failure that lasts is believed to end."""
        if self.rules.repair == "known":
            return one.end
        if self.rules.repair == "unknown":
            return FOREVER
        rounds = (now - one.start) // self.rules.repair + 1
        return one.start + rounds * self.rules.repair

    def last(self, now):
        """Return the last second at which anything that is known changes."""
        shuts, bookings = self.known(now)
        ends = [self.back(one, now) if one.kind == "fail" else one.end for one in shuts]
        ends += [one.start for one in shuts if one.kind != "fail"]
        ends += [one.end for one in bookings]
        return max([now, *(int(end) for end in ends if end < FOREVER)])

    def may_hold(self, task, node, now, until):
        """Return for each second from now on whether the job may hold this node, as far as is known."""
        may = [True] * (until - now)
        shuts, bookings = self.known(now)

        def forbid(begin, end):
            for second in range(max(begin, now), int(min(end, until))):
                may[second - now] = False

        for one in shuts:
            if node in one.nodes and one.kind == "fail":
                forbid(now, self.back(one, now))
            elif node in one.nodes and one.kind == "maintenance":
                forbid(one.start, one.end)
        for one in bookings:
            if node in one.nodes and not one.admits(task):
                forbid(one.start, one.end)
        for one in self.bookings:
            if one.named_by(task):
                if node not in one.nodes or one not in bookings:
                    forbid(now, until)
                if not one.flex:
                    forbid(now, one.start)
                    forbid(one.end, until)
        return may

    def may_start(self, task, node, now, until):
        """Return for each second from now on whether the job may start on this node.

        No drain is on there, and the reservation that it names is not over: it would be held then.
        """
        drains = [one for one in self.known(now)[0] if one.kind == "drain" and node in one.nodes]
        over = min((one.end for one in self.bookings if one.named_by(task)), default=FOREVER)
        return [
            second < over and not any(one.start <= second < one.end for one in drains)
            for second in range(now, until)
        ]
