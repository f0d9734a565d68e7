"""Clusters: which of them can be reached, how old the news of each is, and which takes jobs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from echelon.service.core.sentences import sentence
from echelon.service.records import ClusterRecord, Event

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Literal

    from echelon.backends.contract import Description, Snapshot
    from echelon.service.core.job_table import JobTable
    from echelon.service.core.reports import Reports
    from echelon.service.rules import ClusterRules, Rules

FAILURES = 3
"""Looks in a row that fail before a cluster counts as unreachable."""
INTERVALS = 3
"""Nothing is decided on news older than so many intervals between looks."""
REFUSALS = 10
"""Refusals for good in a row after which a cluster gets nothing for a while."""
PAUSE = 60.0
"""How long, in seconds."""
SHARE = 20.0
"""A look takes at most one in so many seconds: slow looks come less often."""
FAILED_SHARE = 2.0
"""The same for a look that failed: it waits for a time-out, and is little load."""


@dataclass(slots=True)
class Cluster:
    """One cluster.

    Attributes
    ----------
    rules, description, record
        What is configured, what its back end says, and what the store has.
    began_at : float
        When the last look that counted began, complete or not, Unix time in seconds.
    fresh_until : float
        Until when its news are good enough to decide by; minus infinity: there are none since the start.
    closed_until : float
        It gets no jobs before, since it has refused too many.
    refusals : int
        In a row.
    paused_at : float
        It has put off a submission then: it gets the next one after a look that began later.
    lost_at : float
        When it was last known to answer, or the service started.
    """

    rules: ClusterRules
    description: Description
    record: ClusterRecord
    lost_at: float
    began_at: float = -math.inf
    fresh_until: float = -math.inf
    closed_until: float = -math.inf
    refusals: int = 0
    paused_at: float = -math.inf

    def answers(self, now: float) -> bool:
        """Return whether jobs that were decided for it can be submitted now."""
        return self.record.reachable and now <= self.fresh_until and now >= self.closed_until

    def why_closed(self, now: float) -> str:
        """Return why no jobs may be decided for it now; empty: they may."""
        if self.record.mode != "open":
            return self.record.mode
        if not self.record.reachable:
            return "unreachable"
        if now > self.fresh_until:
            return "its news are too old"
        return "it has refused too many jobs" if now < self.closed_until else ""


class Clusters:
    """All clusters.

    Parameters
    ----------
    rules : Rules
        Which clusters there are.
    descriptions : mapping of str to Description
        By name.
    records : mapping of str to ClusterRecord
        Those that the store has.
    """

    def __init__(
        self,
        rules: Rules,
        descriptions: Mapping[str, Description],
        records: Mapping[str, ClusterRecord],
        table: JobTable,
    ) -> None:
        self._table = table
        self._by_name = {
            one.name: Cluster(
                one, descriptions[one.name], records.get(one.name, ClusterRecord(one.name)), table.now
            )
            for one in rules.clusters
        }

    def __getitem__(self, name: str) -> Cluster:
        return self._by_name[name]

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def has_claims(self, name: str) -> bool:
        """Return whether jobs at a cluster claim themselves."""
        return name in self and self[name].description.has_claims

    def next_time(self, now: float) -> float:
        """Return when a cluster opens or closes by itself, in seconds; infinity if none does."""
        times = [math.inf]
        for one in self._by_name.values():
            if not one.why_closed(now):
                times.append(math.nextafter(one.fresh_until, math.inf))
            elif now < one.closed_until:
                times.append(one.closed_until)
        return min(times)

    def report(self, reports: Reports) -> None:
        """Tell the controllers which clusters take jobs now."""
        for name, one in self._by_name.items():
            reports.opened(name, one.why_closed(self._table.now))

    def failed(self, name: str, snapshot: Snapshot) -> None:
        """Note a look that failed, or did not see everything: it says nothing of any job."""
        one = self[name]
        one.began_at = snapshot.began_at
        failures = one.record.failures + 1
        reachable = one.record.reachable and failures < FAILURES
        self._change(one, reachable=reachable, failures=failures, problem=snapshot.problem)

    def looked(self, name: str, snapshot: Snapshot) -> None:
        """Note a complete look."""
        one, now = self[name], self._table.now
        one.began_at = one.lost_at = snapshot.began_at
        # A slow look is followed by a longer pause.
        interval = max(one.rules.look_every, SHARE * max(now - snapshot.began_at, 0.0))
        one.fresh_until = snapshot.began_at + INTERVALS * interval
        processors = snapshot.processors or one.record.processors
        problem = snapshot.problem or (one.record.problem if now < one.closed_until else "")
        self._change(
            one,
            reachable=True,
            failures=0,
            problem=problem,
            looked_at=snapshot.began_at,
            processors=processors,
        )

    def moded(self, name: str, mode: Literal["open", "drained"]) -> None:
        """Note what an operator wants."""
        self._change(self[name], mode=mode)

    def accepted(self, name: str) -> None:
        """Note that a cluster has taken a job."""
        self[name].refusals = 0

    def refused(self, name: str, why: str) -> None:
        """Note that a cluster will never take a job; after too many in a row it gets none for a while."""
        one = self[name]
        one.refusals += 1
        if one.refusals >= REFUSALS:
            one.refusals, one.closed_until = 0, self._table.now + PAUSE
            self._change(one, problem=sentence(f"It refused {REFUSALS} jobs in a row, the last one: {why}"))

    def put_off(self, name: str) -> None:
        """Note that a cluster takes no jobs at this moment."""
        self[name].paused_at = self._table.now

    def _change(self, one: Cluster, **fields: object) -> None:
        old, one.record = one.record, replace(one.record, **fields)  # type: ignore[arg-type]
        if one.record == old:
            return
        self._table.keep_cluster(one.record)
        status = (old.reachable, old.mode, old.problem if old.reachable else "")
        new = one.record
        if status != (new.reachable, new.mode, new.problem if new.reachable else ""):
            self._table.tell(Event(self._table.now, "cluster", new.name, _state(new), _reason(new)))


def _state(record: ClusterRecord) -> str:
    return record.mode if record.reachable else "unreachable"


def _reason(record: ClusterRecord) -> str:
    if not record.reachable:
        return sentence(
            f"{record.failures} looks in a row have failed: {record.problem or 'no reason was given'}"
        )
    if record.problem:
        return sentence(record.problem)
    return "It takes no further jobs." if record.mode == "drained" else "It answers and takes jobs."
