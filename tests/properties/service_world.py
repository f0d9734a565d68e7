"""A world of clusters below a service: what they do, what they forget, and what really happened."""

from __future__ import annotations

from dataclasses import dataclass, field

from echelon.backends.contract import (
    Accepted,
    EndRecord,
    Evidence,
    Outcome,
    OwnJob,
    Refused,
    Snapshot,
    Unclear,
)

PATIENCE, SAVED = 8.0, 5.0
"""Seconds after which what was submitted has arrived, and after which a controller does not forget it."""
NO_START = 2
"""Exit code of jobs whose nodes fail to start them."""
LATE = 10.0
"""Seconds within which records of ends are written, and processes that nobody lists end."""


@dataclass(eq=False)
class Run:
    """A payload that is or was executed; `end`: an exit code, or how else it ended, None while it runs."""

    tag: str
    cluster: str
    began: float
    end: int | str | None = None


@dataclass(eq=False)
class Copy:
    """A job as a cluster has it."""

    tag: str
    native_id: str
    accepted_at: float
    state: str = "waiting"
    outcome: Outcome | None = None
    started_at: float | None = None
    ended_at: float | None = None
    run: Run | None = None
    is_listed: bool = True


@dataclass(eq=False)
class Site:
    """A cluster: its queue, its controller's memory, and the folders that its nodes share."""

    name: str
    world: World = field(repr=False)
    has_claims: bool
    copies: list[Copy] = field(default_factory=list, repr=False)
    claims: dict[str, str] = field(default_factory=dict)
    exits: dict[str, EndRecord] = field(default_factory=dict)
    late: list[tuple[float, str, EndRecord]] = field(default_factory=list)
    arriving: list[tuple[float, str, bool]] = field(default_factory=list)
    is_blank: bool = False
    is_up: bool = True
    next_id: int = 1

    # What the service asks.

    def submit(self, tag: str, how: str):
        if not self.is_up and how not in ("lost", "delayed", "ghost"):
            return Refused("Unable to contact the controller", is_permanent=False)
        if how == "refused":
            return Refused("Invalid account", is_permanent=True)
        if how in ("delayed", "ghost"):
            # A ghost arrives later than it should ever.
            is_ghost = how == "ghost" and self.has_claims
            late = 5 * PATIENCE if is_ghost else PATIENCE - 1
            self.arriving.append((self.world.now + late, tag, is_ghost))
        if how in ("lost", "delayed", "ghost"):
            return Unclear("Socket timed out")
        number = self.take(tag)
        return Accepted(number) if how == "accepted" else Unclear("killed")

    def take(self, tag: str) -> str:
        number = str(self.next_id)
        self.next_id += 1
        self.copies.append(Copy(tag, number, self.world.now))
        return number

    def look(self, kind: str = "complete") -> Snapshot:
        """Look: a blank answer seems to be complete; there are not two of them without a good one between."""
        is_complete = self.is_up and kind != "incomplete"
        was_blank, self.is_blank = self.is_blank, self.is_blank and not is_complete
        if is_complete and kind == "blank" and not was_blank:
            self.is_blank = True
            return Snapshot(self.world.now, True, processors=8)
        listed = [one for one in self.copies if one.is_listed]
        order = {"running": 0, "waiting": 1, "ended": 2}
        own = [
            OwnJob(
                one.tag,
                one.native_id,
                one.state,
                started_at=one.started_at,
                ended_at=one.ended_at,
                outcome=one.outcome,
            )
            for one in sorted(listed, key=lambda one: order[one.state])
        ]
        if not is_complete:
            own = own[::2]
        return Snapshot(
            self.world.now, is_complete, processors=8, own=tuple(own), problem="" if is_complete else "?"
        )

    def evidence(self, tags, is_complete: bool) -> Evidence:
        records = {tag: self.exits[tag] for tag in tags if tag in self.exits}
        claimed = {tag for tag in tags if self.claims.get(tag) == "job"}
        if not is_complete:
            records, claimed = dict([*records.items()][::2]), set()
        return Evidence(self.world.now, is_complete, records, frozenset(claimed if self.has_claims else ()))

    def cancel(self, tag: str, native_id: str) -> None:
        if self.is_up:
            for one in self.copies:
                if one.tag == tag and native_id in ("", one.native_id) and one.is_listed:
                    self.kill(one, Outcome.CANCELED, has_record=True)

    def revoke(self, tags, is_known: bool) -> dict[str, bool]:
        if not is_known or not self.has_claims:
            return {}
        return {tag: self.claims.setdefault(tag, "service") == "service" for tag in tags}

    # What happens there.

    def start(self, one: Copy) -> None:
        one.state, one.started_at = "running", self.world.now

    def begin(self, one: Copy) -> None:
        """Let a copy that has started claim itself, and execute its payload."""
        if self.has_claims and one.tag in self.claims:
            self.end(one, Outcome.UNCLAIMED)
            return
        self.claims[one.tag] = "job"
        one.run = Run(one.tag, self.name, self.world.now)
        self.world.runs.append(one.run)

    def end(self, one: Copy, outcome: Outcome) -> None:
        one.state, one.outcome, one.ended_at = "ended", outcome, self.world.now

    def finish(self, one: Copy, code: int, *, is_late: bool = False) -> None:
        """Let a payload end by itself."""
        one.run.end = code
        outcome = Outcome.FAILED if code else Outcome.COMPLETED
        self.end(one, outcome)
        self.record(one, EndRecord(outcome, exit_code=code), is_late=is_late)

    def record(self, one: Copy, record: EndRecord, *, is_late: bool = False) -> None:
        if is_late:
            self.late.append((self.world.now + LATE - 1, one.tag, record))
        else:
            self.exits[one.tag] = record

    def kill(self, one: Copy, outcome: Outcome, *, has_record: bool) -> None:
        """Let a copy be ended by its cluster."""
        if one.state == "ended":
            return
        is_executed = one.run is not None
        if is_executed:
            one.run.end = outcome.value
        if not self.has_claims:
            # Accounting has the ends of all, and that of a copy that ran before all others.
            if is_executed or one.tag not in self.exits:
                self.record(one, EndRecord(outcome, started_at=one.started_at))
        elif is_executed and has_record:
            self.record(one, EndRecord(Outcome.FAILED, signal=15))
        self.end(one, outcome)

    def fail_before_start(self, one: Copy, *, has_record: bool) -> None:
        """Let a node fail to start a job: its script ends before it has claimed itself."""
        self.end(one, Outcome.FAILED)
        if has_record:
            self.record(one, EndRecord(Outcome.FAILED, exit_code=NO_START, source="accounting"))

    def requeue(self, one: Copy) -> None:
        """Let a node be lost, and its job wait again under the same number."""
        if one.run is not None and one.run.end is None:
            one.run.end = "lost"
        one.state, one.started_at, one.run = "waiting", None, None

    def crash(self) -> None:
        """Let the controller forget what it has not saved, and give the numbers away again."""
        lost = [one for one in self.copies if self.world.now - one.accepted_at < SAVED and one.is_listed]
        for one in lost:
            if self.has_claims or one.state == "waiting":
                one.is_listed = False
                self.next_id = min(self.next_id, int(one.native_id))
                if one.state == "waiting":
                    self.copies.remove(one)

    def switch(self, *, is_up: bool) -> None:
        """Let the controller stop, or go on with what has come meanwhile."""
        self.is_up = is_up
        self.pass_time()

    def purge(self) -> None:
        self.copies = [one for one in self.copies if one.state != "ended"]

    def pass_time(self) -> None:
        now = self.world.now
        for one in [*self.arriving]:
            if one[0] <= now and self.is_up:
                self.arriving.remove(one)
                self.take(one[1])
        for one in [*self.copies]:
            if not one.is_listed and one.state == "running" and now - one.started_at >= LATE - 2:
                if one.run is None:
                    self.begin(one)
                if one.state == "running":
                    self.finish(one, 0)
        for due, tag, record in [*self.late]:
            if due <= now:
                self.late.remove((due, tag, record))
                self.exits[tag] = record


class World:
    """Clusters, their time, and all payloads that were ever executed."""

    def __init__(self, claims: list[bool]) -> None:
        self.now = 1000.0
        self.runs: list[Run] = []
        self.sites = {f"c{number}": Site(f"c{number}", self, has) for number, has in enumerate(claims)}

    def advance(self, seconds: float) -> None:
        self.now += seconds
        for site in self.sites.values():
            site.pass_time()
