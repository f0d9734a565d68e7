"""Service: what commands, programs and pages ask of a running service."""

from __future__ import annotations

import time
import uuid
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from echelon.errors import InputError, StoreError, UnknownNameError
from echelon.quantities import tally
from echelon.service.clock import Clock
from echelon.service.clusters.cluster_status import ClusterStatus, status_of
from echelon.service.clusters.clusters import Clusters, make_folder
from echelon.service.clusters.outlook import ClusterOutlook, Outlook, bars_of, queue_of
from echelon.service.core import ServiceCore
from echelon.service.driver import Driver
from echelon.service.forecast_accuracy import errors_of, median_error
from echelon.service.messages import Arrived, Moded, Wished
from echelon.service.records import JobState
from echelon.service.refusals import BusyError, ConflictError
from echelon.service.store import Store
from echelon.service.teaching import teach

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Literal

    from echelon.backends import Snapshot
    from echelon.service.clusters.outlook import Queued
    from echelon.service.configuration.config import Config
    from echelon.service.forecast_accuracy import ForecastError
    from echelon.service.records import Candidate, JobRecord, JobSpec, OpenRecords, Wish


class Service:
    """Jobs, clusters and decisions of one running service.

    All calls may come from any thread.

    Parameters
    ----------
    config : Config
        What it is asked to be.

    Attributes
    ----------
    store : Store
        What it keeps; also for reading.
    driver : Driver
        What decides.

    Raises
    ------
    InputError
        If another service has this store, a cluster is not what the configuration says, or a rule cannot
        drive real clusters.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        make_folder(config.state)
        self._waiting, self._recount_at = 0, 0.0
        self._clock = Clock()
        self.store = Store.open(config.database)
        try:
            self.store.lock()
            open_records = self.store.read_open_records()
            _check_clusters(config, open_records)
            self.clusters_at_work = Clusters(config)
            core = ServiceCore(config.rules, open_records, self.clusters_at_work.descriptions, self._clock())
            teach(core, config, self.store)
        except BaseException:
            self.store.close()
            raise
        workers = self.clusters_at_work.workers(
            lambda observation: self.driver.post(observation), self._keep_look, self._clock
        )
        self.driver = Driver(core, self.store, workers, clock=self._clock)

    @property
    def ready(self) -> bool:
        """Whether it decides, and its store takes what it decides."""
        return self.driver.is_running and not self.driver.problem

    def start(self) -> None:
        """Start to look and to decide."""
        self.driver.start()
        self.clusters_at_work.start()

    def stop(self) -> None:
        """Stop; jobs run on, and are found again after the next start."""
        self.clusters_at_work.stop()
        self.driver.stop()
        self.store.close()

    def submit(
        self, owner: str, specs: Sequence[JobSpec], keys: Sequence[str | None]
    ) -> list[tuple[JobRecord, bool]]:
        """Keep jobs, all or none; they are safe when this returns.

        Parameters
        ----------
        owner : str
            Their user.
        specs : sequence of JobSpec
            What is asked for.
        keys : sequence of str or None
            Keys of submissions that are tried again.

        Returns
        -------
        list of (JobRecord, bool)
            The jobs, each with whether it is new; False: its key was known.

        Raises
        ------
        InputError
            If a job could never run, or a key was used for another job.
        BusyError
            If too many jobs wait.
        """
        self._check_room(len(specs))
        specs = [self._check_spec(spec) for spec in specs]
        ids = [uuid.uuid4().hex for _ in specs]
        kept = self.store.add_jobs(owner, specs, keys, self._clock(), ids)
        if new := tuple(job for job, is_new in kept if is_new):
            self.driver.post(Arrived(new))
        return kept

    def _check_room(self, count: int) -> None:
        if not self.ready:
            raise BusyError(self.driver.problem or "the service does not decide at present; see its log")
        # Counting takes as long as jobs wait, so it is done now and then, and before any is put off.
        if time.monotonic() >= self._recount_at or self._waiting + count > self.config.max_queued:
            self._waiting = sum(self.store.counts(states=_WAITING).values())
            self._recount_at = time.monotonic() + _RECOUNT
        if self._waiting + count > self.config.max_queued:
            raise BusyError(
                f"{self._waiting} jobs wait at the service, which takes {self.config.max_queued}; "
                "try again later"
            )
        self._waiting += count

    def _check_spec(self, spec: JobSpec) -> JobSpec:
        for name in spec.clusters:
            self._check_name(name, where="clusters")
        allowed = spec.clusters or self.config.rules.names
        most = max(self.clusters_at_work.descriptions[name].processors for name in allowed)
        if spec.processors > most:
            raise InputError(
                f"needs {spec.processors} processors; the largest cluster that it may use has {most}",
                field="processors",
            )
        return self.store.with_ids(spec)

    def wish(self, job: str, wanted: Wish) -> JobRecord:
        """Note what the owner of a job wants; return the job once that is kept.

        Raises
        ------
        UnknownNameError
            If there is no such job.
        ConflictError
            If the job has ended, or runs and is to be held.
        """
        record = self.store.job(job)
        if record.state.is_final and wanted == "cancel":
            return record
        if record.state.is_final or (wanted == "hold" and record.state == JobState.RUNNING):
            raise ConflictError(f"job {record.number} is {record.state}; it cannot be {_PAST[wanted]}")
        self.driver.post_and_wait(Wished(record.id, wanted))
        return self.store.job(record.id)

    def drain(self, cluster: str, mode: Literal["open", "drained"]) -> ClusterStatus:
        """Dispatch no new jobs to a cluster, or resume that."""
        self._check_name(cluster)
        self.driver.post_and_wait(Moded(cluster, mode))
        return next(one for one in self.clusters() if one.name == cluster)

    def _check_name(self, cluster: str, where: str | None = None) -> None:
        names = self.config.rules.names
        if cluster not in names:
            raise UnknownNameError("cluster", cluster, names, where=where)

    def clusters(self) -> list[ClusterStatus]:
        """Return the clusters, in the order of the configuration."""
        kept, now = {one.name: one for one in self.store.clusters()}, self._clock()
        latest, rules = self.clusters_at_work.latest, self.config.rules.cluster
        return [
            status_of(one, kept.get(one.name), latest(one.name), rules(one.name), now)
            for one in self.config.clusters
        ]

    def cluster_queue(self, name: str) -> list[Queued]:
        """Return the jobs of a cluster as it was last seen, of the service and of others."""
        self._check_name(name)
        snapshot = self.clusters_at_work.latest(name)
        return (
            [] if snapshot is None else queue_of(snapshot, self.driver.ask(lambda core, _: core.open_jobs()))
        )

    def forecast(self, spec: JobSpec, owner: str = "") -> tuple[tuple[Candidate, ...], str]:
        """Return where a job could go, and which cluster is best for it; nothing is submitted.

        The best is the cluster that the service would choose now. Where its rule cannot be asked beforehand,
        since it draws random numbers, it is where the job is forecast to end first; empty: none takes it.
        """
        checked = self._check_spec(spec)
        candidates, chosen = self.driver.ask(
            lambda core, now: (
                core.controllers.forecast(now, checked, owner),
                core.controllers.choice(now, checked, owner),
            )
        )
        if chosen:
            return candidates, chosen
        able = [one for one in candidates if not one.why_not and one.wait_time is not None]
        best = min(able, key=lambda one: (one.wait_time or 0.0) + (one.run_time or 0.0), default=None)
        return candidates, best.cluster if best else ""

    def outlook(self, hours: float) -> Outlook:
        """Return the jobs of each cluster in the last and in the next hours."""
        now = time.time()
        first, last = now - 3600 * hours, now + 3600 * hours
        ended: dict[str, list[JobRecord]] = {one.name: [] for one in self.config.clusters}
        for job, _ in self.store.finished(first):
            if job.cluster in ended and job.started_at is not None:
                ended[job.cluster].append(job)
        planned, jobs = self.driver.ask(lambda core, at: (core.controllers.outlook(at), core.open_jobs()))
        return Outlook(
            now,
            tuple(
                ClusterOutlook(
                    one.name,
                    one.processors,
                    bars_of(ended[one.name], planned.get(one.name, ()), jobs, first=first, last=last),
                )
                for one in self.clusters()
            ),
        )

    def _keep_look(self, cluster: str, snapshot: Snapshot) -> None:
        """Keep a look at a cluster for later; one that cannot be kept is not missed."""
        with suppress(StoreError):
            self.store.keep_snapshot(cluster, snapshot)

    def forecast_errors(self) -> list[ForecastError]:
        """Return the forecasts of the last week against what happened."""
        return errors_of(self.store.finished(time.time() - _WEEK))

    def stats(self) -> dict[str, Any]:
        """Return what the service has counted since its start, for monitoring."""
        workers = self.clusters_at_work.at_work
        return {
            "steps": self.driver.steps,
            "step_seconds": self.driver.seconds,
            "decisions": self.driver.decisions,
            "queue": self.driver.waiting,
            "attempts_unclear": {name: one.unclear for name, one in workers.items()},
            "looks": {name: one.looks for name, one in workers.items()},
            "look_failures": {name: one.failures for name, one in workers.items()},
            "look_seconds": {name: one.all_look_seconds for name, one in workers.items()},
            "waiting_actions": {name: one.waiting for name, one in workers.items()},
            "forecast_error_seconds": median_error(errors_of(self.store.finished(time.time() - _DAY))),
        }

    def wait_for_event(self, after: int, patience: float) -> bool:
        """Return whether there is an event after this number, within `patience` seconds."""
        return self.driver.wait_for_event(after, patience)


_WAITING = (JobState.HELD, JobState.QUEUED, JobState.ASSIGNED)
"""States of jobs that wait at the service itself."""
_RECOUNT = 1.0
"""Seconds between counts of them; in between, submissions are added up."""
_DAY, _WEEK = 86400.0, 7 * 86400.0
_PAST = {"hold": "held", "run": "released", "cancel": "canceled"}


def _check_clusters(config: Config, open_records: OpenRecords) -> None:
    """Refuse a configuration that leaves out a cluster that may still have jobs of the service."""
    names = {cluster.name for cluster in config.clusters}
    left = Counter(
        one.cluster for one in open_records.attempts if one.state.is_open and one.cluster not in names
    )
    for cluster, jobs in left.items():
        raise InputError(
            f"cluster {cluster!r} is not in the configuration, but may still have {tally(jobs, 'job')}; "
            "put it back, drain it, and remove it when they have ended",
            field="cluster",
        )
