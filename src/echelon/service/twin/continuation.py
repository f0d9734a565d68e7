"""Going on: what would become of the jobs that a service has now, by its rules or by others."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.backends.contract import OtherJob, Submission
from echelon.backends.simulated import KnownJobs, Simulation
from echelon.backends.simulated.roster import instance_of
from echelon.model import Job
from echelon.service.core.controllers.engine_scenario import scenario_under
from echelon.service.core.job_table import AT_CLUSTER
from echelon.service.records import JobState
from echelon.service.twin.recorded_day import sizes_of
from echelon.service.twin.twin import Twin

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from echelon.backends.contract import Snapshot
    from echelon.engine.contract import Scenario
    from echelon.service.records import JobRecord, OpenRecords
    from echelon.service.rules import Rules
    from echelon.service.store import Store
    from echelon.service.twin.twin import TwinDay

SHORTEST = 1.0
"""A running job is taken to run for so many seconds more, at least."""


@dataclass(frozen=True, slots=True)
class Present:
    """What a service has at one time.

    Attributes
    ----------
    now : float
        Unix time in seconds.
    open_records : OpenRecords
        Its jobs.
    snapshots : mapping of str to Snapshot
        The last complete look at each cluster that was looked at.
    sizes : mapping of str to int
        Processors of each cluster.
    """

    now: float
    open_records: OpenRecords
    snapshots: Mapping[str, Snapshot]
    sizes: Mapping[str, int]


def present_of(store: Store, rules: Rules, now: float) -> Present:
    """Return what a service has now.

    Raises
    ------
    InputError
        If a cluster was never looked at.
    """
    seen = {name: store.snapshot_before(name, now) for name in rules.names}
    return Present(
        now,
        store.read_open_records(),
        {name: snapshot for name, snapshot in seen.items() if snapshot is not None},
        sizes_of(store, rules),
    )


@dataclass(frozen=True, slots=True)
class _Stay:
    """A job at a cluster, or at the service: how long it is planned to run, and how long it will."""

    tag: str
    site: int
    processors: int
    planned: float
    run_time: float
    is_running: bool
    is_own: bool = True


def go_on(present: Present, rules: Rules, *, used: float = 1.0, again: bool = False) -> TwinDay:
    """Return what becomes of the jobs of a service if it continues under these rules; no other job comes.

    Running jobs have the rest of their time left, waiting ones wait in the order of their clusters, and the
    others are decided on. Jobs of others are there, too, as the last looks listed them.

    Parameters
    ----------
    present : Present
        Where it begins.
    rules : Rules
        The rules that it continues under, over the same clusters.
    used : float, default 1
        Which part of their time limits jobs use, > 0; one that runs longer already runs for `SHORTEST` more.
    again : bool, default False
        Whether the service's jobs that wait at clusters are decided on, too, as if they had just come.

    Raises
    ------
    InputError
        If the rules cannot be served.
    """
    open_records = _take_back(present.open_records) if again else present.open_records
    there = [one for one in open_records.jobs if one.state in AT_CLUSTER and one.cluster in rules.names]
    elsewhere = [one for one in open_records.jobs if one.state not in AT_CLUSTER]
    lengths = _Lengths(present.now, rules, used)
    stays = [*_list_stays(present, there, lengths), *map(lengths.own, elsewhere)]
    scenario = _scenario(stays, present, rules)
    roster = KnownJobs(scenario, {one.tag: position for position, one in enumerate(stays)})
    simulation = Simulation(roster)
    _place(simulation, [one for one in stays if one.site >= 0], present.now)
    open_jobs = tuple(one for one in open_records.jobs if one in there or one in elsewhere)
    twin = Twin(
        rules, simulation, roster, (), open_records=replace(open_records, jobs=open_jobs), now=present.now
    )
    day, since = twin.run(), {one.id: one.started_at for one in there if one.state is JobState.RUNNING}
    # The simulated clusters start what runs when the twin begins.
    jobs = {name: replace(job, started_at=since.get(name, job.started_at)) for name, job in day.jobs.items()}
    return replace(day, jobs=jobs)


def _take_back(open_records: OpenRecords) -> OpenRecords:
    """Return records in which the jobs that wait at clusters wait at the service."""
    waiting = (JobState.ASSIGNED, JobState.SUBMITTING, JobState.WAITING)
    back = {one.id for one in open_records.jobs if one.state in waiting}
    jobs = tuple(
        replace(one, state=JobState.QUEUED, cluster="", attempt=0) if one.id in back else one
        for one in open_records.jobs
    )
    return replace(
        open_records, jobs=jobs, attempts=tuple(one for one in open_records.attempts if one.job not in back)
    )


@dataclass(frozen=True, slots=True)
class _Lengths:
    """How long jobs will stay: by their time limits, and by what they use of them."""

    now: float
    rules: Rules
    used: float

    def own(self, job: JobRecord, site: int = -1) -> _Stay:
        """Return the stay of a job of the service."""
        limit = job.spec.time_limit or self.rules.default_time_limit
        since = (job.started_at or self.now) if job.state is JobState.RUNNING else None
        planned, run_time = self._left(limit, since)
        return _Stay(job.tag, site, job.spec.processors, planned, run_time, since is not None)

    def other(self, one: OtherJob, tag: str, site: int) -> _Stay:
        """Return the stay of a job of others."""
        cluster = self.rules.clusters[site]
        limit = one.time_limit or cluster.default_time_limit or self.rules.default_time_limit
        since = (one.started_at or self.now) if one.state == "running" else None
        planned, run_time = self._left(limit, since)
        return _Stay(tag, site, one.processors, planned, run_time, since is not None, is_own=False)

    def _left(self, limit: float, since: float | None) -> tuple[float, float]:
        """Return the planned and the taken time that a job has left, which runs `since` then, or waits."""
        done = 0.0 if since is None else max(self.now - since, 0.0)
        run_time = max(self.used * limit - done, SHORTEST)
        return max(limit - done, run_time), run_time


def _list_stays(present: Present, there: Sequence[JobRecord], lengths: _Lengths) -> Iterator[_Stay]:
    """Yield the jobs at the clusters: those that run, then those that wait, each in its cluster's order."""
    for site, name in enumerate(lengths.rules.names):
        own = {one.tag: one for one in there if one.cluster == name}
        snapshot = present.snapshots.get(name)
        stays: list[_Stay] = []
        if snapshot is not None:
            listed = [own.pop(one.tag) for one in snapshot.own if one.tag in own]
            stays += [lengths.own(job, site) for job in listed]
            others = enumerate(snapshot.others)
            stays += [lengths.other(one, f"other-{site}-{number}", site) for number, one in others]
        # What the last look did not list yet.
        stays += [lengths.own(job, site) for job in own.values()]
        yield from sorted(stays, key=lambda stay: not stay.is_running)


def _scenario(stays: Sequence[_Stay], present: Present, rules: Rules) -> Scenario:
    """Return the clusters with these jobs, all of which are known now."""
    scenario = scenario_under(rules, present.sizes)
    jobs = [
        Job(position, position + 1, present.now, one.processors, one.planned, one.planned)
        for position, one in enumerate(stays)
    ]
    instance = instance_of(jobs, [one.run_time for one in stays], scenario.instance)
    return replace(scenario, instance=instance)


def _place(simulation: Simulation, stays: Sequence[_Stay], now: float) -> None:
    """Let the jobs be at their clusters: first those that run, which have room, then those that wait."""
    simulation.begin(now)
    for running in (True, False):
        for one in stays:
            if one.is_running is running:
                submission = Submission(one.tag, processors=one.processors, time_limit=one.planned)
                join = simulation.submit if one.is_own else simulation.submit_other
                join(one.site, submission)
        simulation.decide()
    simulation.settle()


def used_share(store: Store, since: float) -> float:
    """Return which part of their time limits the jobs used that completed since then: the median; else 1."""
    shares = [
        (job.ended_at - job.started_at) / job.spec.time_limit
        for job, _ in store.finished(since)
        if job.state is JobState.COMPLETED
        and job.spec.time_limit
        and job.started_at is not None
        and job.ended_at is not None
        and job.ended_at > job.started_at
    ]
    return min(float(np.median(shares)), 1.0) if shares else 1.0
