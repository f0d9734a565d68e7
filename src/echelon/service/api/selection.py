"""Selection: the call of SINAPAD's portals, answered from what the service knows of its clusters."""

from __future__ import annotations

import time
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from echelon.errors import UnknownNameError
from echelon.service.records import JobState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.portal import MetaScheduler, Ranked
    from echelon.service.records import JobRecord
    from echelon.service.service import Service

_PAGE = 1000


class Load(NamedTuple):
    """A load average that a site publishes, in processes, and when: Unix time in seconds."""

    load: float
    at: float


class Selection:
    """Ranks clusters for applications by the rules of portals.

    The loads of clusters are those that were published for them, and where a look is younger, the processors
    that it saw busy. The mean times of applications are those of the service's own jobs of that name.

    Parameters
    ----------
    service : Service
        Whose clusters they are.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._lock = Lock()
        self._portals: dict[str, _Portal] = {}
        self._published: dict[str, Load] = {}

    def publish(self, loads: Sequence[tuple[str, Load]]) -> None:
        """Note loads that sites publish; one that is older than the last one of its site is ignored.

        Raises
        ------
        UnknownNameError
            If there is no cluster of that name.
        """
        names = [one.name for one in self._service.clusters()]
        for site, _ in loads:
            if site not in names:
                raise UnknownNameError("cluster", site[:60], names, where="site")
        with self._lock:
            for site, load in loads:
                previous = self._published.get(site)
                if previous is None or previous.at <= load.at:
                    self._published[site] = load

    def select(
        self,
        policy: str,
        application: str,
        version: str,
        criteria: Mapping[str, object],
        *,
        processes: int,
    ) -> list[Ranked]:
        """Return the clusters that may run an application now, the best first.

        Raises
        ------
        NoSiteError
            If none is open, in reach, large enough, and meets the criteria.
        InputError, UnknownNameError
            If a criterion is none.
        """
        clusters = self._service.clusters()
        with self._lock:
            if policy not in self._portals:
                self._portals[policy] = _Portal(policy, self._service)
            portal = self._portals[policy]
            portal.take(clusters, self._published)
            portal.learn()
            return portal.rules.select(application, version, criteria or None, processes=processes)


class _Portal:
    """The rules of a portal, and which jobs they know."""

    def __init__(self, policy: str, service: Service) -> None:
        from echelon.portal import MetaScheduler

        self.rules: MetaScheduler = MetaScheduler(policy)
        self._service = service
        self._sites: set[str] = set()
        self._running: set[str] = set()

    def take(self, clusters: Sequence[Any], published: Mapping[str, Load]) -> None:
        """Register the clusters that may have new jobs, with their loads, and withdraw the others."""
        now = time.time()
        for one in clusters:
            is_open = one.mode == "open" and one.reachable and not one.stale and one.processors
            if not is_open:
                if one.name in self._sites:
                    self.rules.withdraw(one.name)
                    self._sites.discard(one.name)
                continue
            self.rules.register(one.name, one.processors, backend=one.backend, policy=one.policy)
            self._sites.add(one.name)
            seen = Load(float(one.busy), one.looked_at or now)
            load = max(published.get(one.name, seen), seen, key=lambda load: load.at)
            self.rules.publish(one.name, load.load, at=load.at)

    def learn(self) -> None:
        """Note jobs of applications that have started or ended since the last time."""
        store = self._service.store
        running = {
            job.id: job for job in self._all((JobState.RUNNING,)) if job.spec.application and job.cluster
        }
        for id_, job in running.items():
            if id_ not in self._running and job.cluster in self._sites:
                name, count = job.spec.application, job.spec.processors
                self.rules.started(job.cluster, name, processes=count, run_id=id_)
                self._running.add(id_)
        for id_ in sorted(self._running - running.keys()):
            ended = store.job(id_)
            self.rules.ended(id_, _cpu_time(ended))
            self._running.discard(id_)

    def _all(self, states: tuple[JobState, ...]) -> list[JobRecord]:
        records: list[JobRecord] = []
        while True:
            after = records[-1].number if records else 0
            page = self._service.store.jobs(states=states, after_number=after, limit=_PAGE)
            records += page
            if len(page) < _PAGE:
                return records


def _cpu_time(job: JobRecord) -> float | None:
    """Return the processor time of each process of a job; None if it failed, which then does not count."""
    if job.state != JobState.COMPLETED or job.started_at is None or job.ended_at is None:
        return None
    return max(0.0, job.ended_at - job.started_at)
