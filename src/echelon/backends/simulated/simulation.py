"""Simulation: simulated clusters as a service meets them, with tags, claims, ends and listings."""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING, Literal

from echelon.backends.contract import Accepted, Evidence, Outcome, Refused, Snapshot
from echelon.backends.simulated.run import Run
from echelon.engine.live import (
    Ended,
    Recall,
    Reject,
    Reserved,
    SimulatedClusters,
    Started,
    Submit,
    Suspended,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from echelon.backends.contract import Answer, Submission
    from echelon.backends.simulated.roster import ArrivingJobs, KnownJobs
    from echelon.engine.live import Observation
    from echelon.model import Schedule

_KILLED = 15
"""The signal by which a canceled job ends."""


class Simulation:
    """Simulated clusters as a service meets them.

    Everything happens at instants: `begin` ends what ends, then jobs may be submitted, canceled and revoked,
    `decide` lets the clusters start jobs, and may be followed by further changes and decisions; `settle`
    ends the instant.

    Parameters
    ----------
    roster : KnownJobs or ArrivingJobs
        The clusters, and what is known of the jobs that they get.
    lists_ended : float, default 0
        Seconds for which ended jobs stay listed.

    Attributes
    ----------
    now : float
        The present instant, in seconds.
    """

    def __init__(self, roster: KnownJobs | ArrivingJobs, *, lists_ended: float = 0.0) -> None:
        self._roster, self._lists_ended = roster, lists_ended
        self._engine = SimulatedClusters(roster.scenario, grows=True)
        self.sizes = roster.scenario.instance.sites.sizes.tolist()
        sites = range(len(self.sizes))
        self._runs: dict[int, Run] = {}
        self._by_tag: list[dict[str, list[Run]]] = [{} for _ in sites]
        self._running: list[dict[int, Run]] = [{} for _ in sites]
        self._ended: list[deque[Run]] = [deque() for _ in sites]
        self._claims: list[dict[str, Literal["job", "service"]]] = [{} for _ in sites]
        self._changed: set[int] = set()
        self._ghosts: list[Run] = []
        self._numbers = 0
        self.now = -math.inf

    def next_time(self) -> float:
        """Return when something next happens at a cluster, in seconds; infinity if nothing does."""
        return self._engine.next_time()

    def begin(self, now: float) -> None:
        """Begin the instant `now`: jobs end."""
        self.now = now
        self._note(self._engine.begin(now))

    def decide(self) -> None:
        """Let the clusters concerned decide."""
        self._note(self._engine.decide())
        while self._ghosts:
            ghosts, self._ghosts = self._ghosts, []
            for run in ghosts:
                self._stop(run, Outcome.UNCLAIMED, 75)
            self._note(self._engine.decide())

    def settle(self) -> None:
        """End the instant."""
        self._engine.settle()

    def advance(self, until: float) -> None:
        """Let everything happen that is due by `until`, in seconds."""
        while (time := self.next_time()) <= until:
            self.begin(time)
            self.decide()
            self.settle()

    def take_changed(self) -> list[int]:
        """Return the clusters where something has changed since this was last asked, in their order."""
        changed, self._changed = self._changed, set()
        return sorted(changed)

    def submit(self, site: int, submission: Submission) -> Answer:
        """Let a job of the service join the queue of a cluster, unless it is too large for it."""
        if submission.processors > self.sizes[site]:
            why = f"asks for {submission.processors} processors of {self.sizes[site]}"
            return Refused(why, is_permanent=True)
        run = self._join(site, submission, submission.tag)
        self._by_tag[site].setdefault(run.tag, []).append(run)
        return Accepted(run.native_id)

    def submit_other(self, site: int, submission: Submission) -> None:
        """Let a job of others join the queue of a cluster; its tag is for the roster alone."""
        self._join(site, submission, "")

    def _join(self, site: int, submission: Submission, tag: str) -> Run:
        job, trial = self._roster.job(submission, self._engine, self.now)
        self._numbers += 1
        run = Run(
            tag, str(self._numbers), site, job.position, job.processors,
            submission.time_limit, self.now, trial,
        )  # fmt: skip
        self._runs[job.position] = run
        self._engine.carry_out([Submit(job, site)])
        self._changed.add(site)
        return run

    def cancel(self, site: int, tag: str, native_id: str = "") -> None:
        """Cancel a job that waits or runs: all of this tag, or the one that has this number, too."""
        for run in self._by_tag[site].get(tag, ()):
            if native_id not in ("", run.native_id) or run.state == "ended":
                continue
            if run.state == "running":
                self._stop(run, Outcome.CANCELED, None, _KILLED)
            else:
                self._engine.carry_out([Recall(self._engine.job(run.position), site)])
                self._end(run, Outcome.CANCELED)

    def revoke(self, site: int, tags: Sequence[str]) -> dict[str, bool]:
        """Take the claims of jobs; see `Backend.revoke`."""
        claims = self._claims[site]
        return {tag: claims.setdefault(tag, "service") == "service" for tag in tags}

    def snapshot(self, site: int) -> Snapshot:
        """Return all jobs of a cluster. Cost: O(jobs there)."""
        runs = [*self._list_runs(site)]
        positions = self._engine.reservations_at(site)
        starts = [(self._runs[position].tag, time) for position, time in positions]
        return Snapshot(
            began_at=self.now,
            is_complete=True,
            processors=self.sizes[site],
            own=tuple(run.as_own() for run in runs if run.tag),
            others=tuple(run.as_other() for run in runs if not run.tag and run.state != "ended"),
            reserved=tuple((tag, time) for tag, time in starts if tag),
        )

    def _list_runs(self, site: int) -> Iterator[Run]:
        """Yield the runs that a cluster lists: what runs, what waits, and what has ended lately."""
        yield from self._running[site].values()
        yield from (self._runs[job.position] for job in self._engine.waiting(site))
        ended = self._ended[site]
        while ended and (ended[0].ended_at or 0.0) + self._lists_ended < self.now:
            ended.popleft()
        yield from ended

    def just_ended(self, site: int) -> tuple[str, ...]:
        """Return the tags of the jobs of the service that have ended at this instant."""
        return tuple(run.tag for run in self._ended[site] if run.tag and run.ended_at == self.now)

    def evidence(self, site: int, tags: Iterable[str]) -> Evidence:
        """Return records of ends and claims of these tags."""
        runs, claims = self._by_tag[site], self._claims[site]
        tags = tuple(tags)
        ends = ((tag, run.record()) for tag in tags for run in runs.get(tag, ()))
        return Evidence(
            self.now,
            is_complete=True,
            records={tag: record for tag, record in ends if record is not None},
            claimed=frozenset(tag for tag in tags if claims.get(tag) == "job"),
        )

    def reject(self, position: int, why: str) -> None:
        """Note that a job was never submitted, and will not be."""
        self._engine.carry_out([Reject(self._engine.job(position), why)])

    def schedule(self) -> Schedule:
        """Return the schedule, all jobs having ended or been rejected."""
        return self._engine.schedule()

    def _note(self, observations: Iterable[Observation]) -> None:
        """Note what the engine reports."""
        for one in observations:
            self._changed.add(one.site if isinstance(one, Reserved) else self._runs[one.position].site)  # type: ignore[union-attr]
            match one:
                case Started(position):
                    self._start(self._runs[position])
                case Suspended(position):
                    run = self._runs[position]
                    run.wait()
                    del self._running[run.site][position]
                case Ended(position):
                    run = self._runs[position]
                    self._end(run, *run.trial[1:])

    def _start(self, run: Run) -> None:
        """Let a run start, or resume: it claims itself, or finds its claim taken."""
        claims, has_run = self._claims[run.site], run.started_at is not None
        run.start(self.now)
        self._running[run.site][run.position] = run
        if has_run or not run.tag:
            return
        if run.tag in claims:
            self._ghosts.append(run)
        else:
            claims[run.tag] = "job"

    def _stop(self, run: Run, outcome: Outcome, exit_code: int | None, signal: int | None = None) -> None:
        self._engine.stop(run.position)
        self._end(run, outcome, exit_code, signal)

    def _end(
        self, run: Run, outcome: Outcome, exit_code: int | None = None, signal: int | None = None
    ) -> None:
        self._running[run.site].pop(run.position, None)
        self._ended[run.site].append(run)
        self._changed.add(run.site)
        run.end(self.now, outcome, exit_code, signal)
