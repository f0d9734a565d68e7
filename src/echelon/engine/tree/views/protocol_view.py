"""ProtocolState: what sites under a protocol know of each other; every start is checked here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from echelon.engine.queue.decisions import NO_JOB, refusal
from echelon.engine.queue.ranking import is_finite_number
from echelon.errors import InputError
from echelon.model import Job
from echelon.policies import StartAt
from echelon.rules.own_rule import Guard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.resources.resource import PlannedResource
    from echelon.engine.tree.inner_site import InnerSite
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies import Decentralized, Running
    from echelon.policies.contract import Shadow


def published_times(submit: FloatColumn, refresh: float) -> FloatColumn:
    """Return when other sites first know of each job: at the first multiple of `refresh` from `submit` on.

    In seconds, shape (n_jobs,). At once if `refresh` is 0, or below the resolution of the clock.
    """
    if refresh == 0:
        return submit
    with np.errstate(over="ignore"):
        periods = np.ceil(submit / refresh)
    # Beyond 2**52 periods their number is rounded itself.
    return np.where(periods < 2.0**52, np.maximum(periods * refresh, submit), submit)


def _check_homes(protocol: Decentralized, site: InnerSite) -> IntColumn:
    """Return the home of each job, after a check that the protocol assigns each a site."""
    instance, sites = site.scenario.instance, site.scenario.instance.sites
    largest = np.array([sites.sites[leaf].largest_job for (leaf,) in site.below])
    # A job that is too large for all sites here never gets here.
    size, submitted = np.minimum(instance.size, largest.max()), np.array(site.homes)
    field = f"{protocol.name}, homes"
    with Guard(lambda failure: InputError(f"fails with {failure}", field=field)):
        homes = np.asarray(protocol.homes(largest, size, submitted))
    whole = homes.shape == (len(instance),) and np.issubdtype(homes.dtype, np.integer)
    if not whole or ((homes < 0) | (homes >= len(largest))).any():
        raise InputError(
            f"must give each of {len(instance)} jobs a site from 0 to {len(largest) - 1}, "
            f"got {np.array2string(homes, threshold=5)}",
            field=field,
        )
    return homes.astype(np.int64)


def _check_costs(protocol: Decentralized) -> None:
    """Refuse invalid communication times: a user's own protocol may return anything."""
    for name in ("latency", "refresh"):
        seconds = getattr(protocol, name)
        if not is_finite_number(seconds) or seconds < 0:
            raise InputError(f"must be seconds >= 0, got {seconds!r:.40}", field=f"{protocol.name}, {name}")


class ProtocolState:
    """The jobs that wait under a protocol, and the sites: see `echelon.policies.ProtocolView`.

    Parameters
    ----------
    protocol : Decentralized
        The protocol.
    site : InnerSite
        The inner site, all of whose branches are leaves.
    """

    def __init__(self, protocol: Decentralized, site: InnerSite) -> None:
        _check_costs(protocol)
        self.protocol = protocol
        self.sizes: tuple[int, ...] = site.sums[0].sizes
        self.homes = _check_homes(protocol, site)
        self.arrived: tuple[Job, ...] = ()
        self._ledger, self._allowed = site.ledger, site.allowed
        leaves: list[Any] = site.leaves
        self._leaves = leaves
        # Asked most often: what is free is read where it is counted.
        self._resources: list[PlannedResource] = [leaf.cluster.resource for leaf in leaves]
        self._home: list[int] = self.homes.tolist()
        self._published: dict[int, float] = {}
        # Jobs join in queue order, so that a dictionary is a queue.
        self._waiting: dict[int, Job] = {}
        self._queue: tuple[Job, ...] | None = ()

    @property
    def now(self) -> float:
        """See `ProtocolView.now`."""
        return self._ledger.now

    def begin(self) -> None:
        """Begin to decide at this instant."""
        for leaf in self._leaves:
            leaf.begin(self._ledger.now)

    @property
    def queue(self) -> Sequence[Job]:
        """All waiting jobs, by submit time, then position."""
        if self._queue is None:
            self._queue = tuple(self._waiting.values())
        return self._queue

    def known(self, site: int) -> Sequence[Job]:
        """See `ProtocolView.known`. Cost: O(queue), O(1) if all is known at once."""
        if not self.protocol.refresh:
            return self.queue
        return tuple(job for job in self.queue if self._knows(site, job))

    def free(self, site: int) -> int:
        """See `ProtocolView.free`: what is closed to some jobs now is not free."""
        resource = self._resources[site]
        return resource.free if resource.closures is None else resource.free - resource.count_closed(self.now)

    def can_hold(self, job: Job, site: int) -> bool:
        """See `ProtocolView.can_hold`."""
        return site in self._allowed[job.position]

    def fits(self, job: Job, site: int) -> bool:
        """See `ProtocolView.fits`."""
        return job.processors <= self._resources[site].free and self._leaves[site].starts_at_once(job)

    def running(self, site: int) -> Sequence[Running]:
        """See `ProtocolView.running`."""
        return tuple(self._leaves[site].cluster.running)

    def shadow(self, site: int, size: int) -> tuple[float, int]:
        """See `ProtocolView.shadow`. Cost: O(running there)."""
        cluster = self._leaves[site].cluster
        shadow: tuple[float, int] = cluster.resource.shadow(size, cluster)
        return shadow

    def head_start(self, head: Job, site: int) -> Shadow:
        """See `ProtocolView.head_start`. Cost: that of `SystemView.head_start` there."""
        cluster = self._leaves[site].cluster
        shadow: Shadow = cluster.resource.head_start(head, cluster)
        return shadow

    def home(self, job: Job) -> int:
        """Return the site at which `job` counts as submitted."""
        return self._home[job.position]

    def delay(self, job: Job, site: int) -> float:
        """See `ProtocolView.delay`."""
        return 0.0 if self._home[job.position] == site else self.protocol.latency

    def publication_time(self, job: Job) -> float:
        """Return when sites other than its home first know of `job`, in seconds."""
        return self._published[job.position]

    def submit(self, job: Job) -> None:
        """Add `job` to the queue."""
        submitted = np.array([self._ledger.now])
        self._published[job.position] = float(published_times(submitted, self.protocol.refresh)[0])
        self._waiting[job.position] = job
        if job.submit_time < self._ledger.now:
            # One that lost a node keeps its place.
            in_order = sorted(self._waiting.values(), key=lambda one: (one.submit_time, one.position))
            self._waiting = {one.position: one for one in in_order}
        self._queue = None
        self.arrived += (job,)

    def withdraw(self, job: Job) -> None:
        """Remove waiting `job`."""
        del self._waiting[job.position]
        self.arrived = tuple(one for one in self.arrived if one.position != job.position)
        self._queue = None

    def waits(self, job: Job) -> bool:
        """Return whether `job` still waits."""
        return job.position in self._waiting

    def start(self, decision: object) -> tuple[StartAt, float]:
        """Take the job of `decision` out of the queue; return it with its delay, in seconds.

        Raises
        ------
        PolicyError
            If it is not a `StartAt`, the job does not wait, or the site does not exist, does not know of the
            job or has too few free processors.
        """
        # Typed as anything: a user's own protocol may yield anything.
        if not isinstance(decision, StartAt):
            self._refuse(NO_JOB, f"gave {decision!r:.60}; expected StartAt(job, site)")
        job, site = decision
        if not isinstance(job, Job) or self._waiting.get(job.position) != job:
            self._refuse(job, "was started, but is not waiting; decide on jobs of view.queue")
        if (
            not isinstance(site, int | np.integer)
            or isinstance(site, bool)
            or not 0 <= site < len(self.sizes)
        ):
            self._refuse(job, f"was started at site {site!r:.40}; sites are 0 to {len(self.sizes) - 1}")
        if not self._knows(site, job):
            self._refuse(
                job,
                f"was started at site {site}, which first knows of it at {self.publication_time(job):g} s",
            )
        if job.processors > (free := self._resources[site].free):
            there = f"{free} of site {site} are free"
            self._refuse(job, f"was started on {job.processors} processors, but {there}")
        if not self.fits(job, site):
            self._refuse(job, f"was started at site {site}, where its nodes have no room; ask view.fits")
        del self._waiting[job.position]
        self._queue = None
        return decision, self.delay(job, site)

    @property
    def all_free(self) -> int:
        """Processors of all sites that no job holds."""
        return sum(resource.free for resource in self._resources)

    def _knows(self, site: int, job: Job) -> bool:
        return self._home[job.position] == site or self._published[job.position] <= self.now

    def _refuse(self, job: object, broken_rule: str) -> NoReturn:
        raise refusal(self.protocol.name, broken_rule, now=self.now, job=job)
