"""DecentralizedState: the state of sites under a protocol during a run; every change is checked here."""

from __future__ import annotations

from bisect import bisect_left, insort
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from echelon.engine.ranking import is_finite_number
from echelon.errors import InputError, PolicyError
from echelon.model import Job
from echelon.policies import Running, StartAt
from echelon.rules.own_rule import Guard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model import Instance, Platform
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies import Decentralized


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


def _checked_homes(protocol: Decentralized, instance: Instance, platform: Platform) -> IntColumn:
    """Return the home of each job, after a check that the protocol assigns each a site."""
    field = f"{protocol.name}, homes"
    with Guard(lambda failure: InputError(f"fails with {failure}", field=field)):
        homes = np.asarray(protocol.homes(platform.sizes, instance.size, instance.home_site))
    whole = homes.shape == (len(instance),) and np.issubdtype(homes.dtype, np.integer)
    if not whole or ((homes < 0) | (homes >= len(platform))).any():
        raise InputError(
            f"must give each of {len(instance)} jobs a site from 0 to {len(platform) - 1}, "
            f"got {np.array2string(homes, threshold=5)}",
            field=field,
        )
    return homes.astype(np.int64)


def _check_costs(protocol: Decentralized) -> None:
    """Refuse invalid communication times: a user's own protocol may return anything."""
    for word in ("latency", "refresh"):
        seconds = getattr(protocol, word)
        if not is_finite_number(seconds) or seconds < 0:
            raise InputError(f"must be seconds >= 0, got {seconds!r:.40}", field=f"{protocol.name}, {word}")


class DecentralizedState:
    """The sites with their free processors and running jobs, and the waiting jobs.

    It is also the protocol's view: see `echelon.policies.ProtocolView`.

    Parameters
    ----------
    instance : Instance
        The jobs.
    protocol : Decentralized
        The protocol.
    platform : Platform
        The sites.
    """

    def __init__(self, instance: Instance, protocol: Decentralized, platform: Platform) -> None:
        _check_costs(protocol)
        self.now = 0.0
        self.sizes: tuple[int, ...] = tuple(platform.sizes.tolist())
        self.homes = _checked_homes(protocol, instance, platform)
        self.arrived: tuple[Job, ...] = ()
        self.protocol = protocol
        self._home: list[int] = self.homes.tolist()
        self._published: dict[int, float] = {}
        self._free = list(self.sizes)
        self._running: list[list[Running]] = [[] for _ in self.sizes]
        # Jobs join in queue order, so that a dictionary is a queue.
        self._waiting: dict[int, Job] = {}
        self._queue: tuple[Job, ...] | None = ()

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
        """Return the processors of `site` that no job holds."""
        return self._free[site]

    def running(self, site: int) -> Sequence[Running]:
        """Return the jobs that hold processors of `site`, by planned end, then position."""
        return tuple(self._running[site])

    def shadow(self, site: int, size: int) -> tuple[float, int]:
        """See `ProtocolView.shadow`. Cost: O(running there)."""
        free, shadow = self._free[site], self.now
        for end, _, job in self._running[site]:
            if free >= size and end > shadow:
                break
            free += job.processors
            shadow = end
        return shadow, free - size

    def home(self, job: Job) -> int:
        """Return the site at which `job` counts as submitted."""
        return self._home[job.position]

    def delay(self, job: Job, site: int) -> float:
        """See `ProtocolView.delay`."""
        return 0.0 if self._home[job.position] == site else self.protocol.latency

    def published(self, job: Job) -> float:
        """Return when sites other than its home first know of `job`, in seconds."""
        return self._published[job.position]

    def submit(self, job: Job) -> None:
        """Add `job` to the queue; jobs must arrive by submit time, then position."""
        submitted = np.array([job.submit_time])
        self._published[job.position] = float(published_times(submitted, self.protocol.refresh)[0])
        self._waiting[job.position] = job
        self._queue = None

    def waits(self, job: Job) -> bool:
        """Return whether `job` still waits."""
        return job.position in self._waiting

    def start(self, decision: object) -> tuple[StartAt, float]:
        """Hold the processors for `decision`; return it with the job's start, in seconds.

        Raises
        ------
        PolicyError
            If it is not a `StartAt`, the job does not wait, or the site does not exist, does not know of the
            job or has too few free processors.
        """
        # Typed as anything: a user's own protocol may yield anything.
        if not isinstance(decision, StartAt):
            self._refuse(None, f"gave {decision!r:.60}; expected StartAt(job, site)")
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
                job, f"was started at site {site}, which first knows of it at {self.published(job):g} s"
            )
        if job.processors > self._free[site]:
            there = f"{self._free[site]} of site {site} are free"
            self._refuse(job, f"was started on {job.processors} processors, but {there}")
        del self._waiting[job.position]
        self._queue = None
        self._free[site] -= job.processors
        start = self.now + self.delay(job, site)
        insort(self._running[site], Running(start + job.planned_time, job.position, job))
        return decision, start

    def end(self, job: Job, site: int, start: float) -> None:
        """Release the processors of `job`, which started at `start`."""
        running = self._running[site]
        del running[bisect_left(running, (start + job.planned_time, job.position))]
        self._free[site] += job.processors

    @property
    def all_free(self) -> int:
        """Processors of all sites that no job holds."""
        return sum(self._free)

    def _knows(self, site: int, job: Job) -> bool:
        return self._home[job.position] == site or self._published[job.position] <= self.now

    def _refuse(self, job: object, broken_rule: str) -> NoReturn:
        job_id = None if job is None else job.job_id if isinstance(job, Job) else repr(job)[:40]
        raise PolicyError(self.protocol.name, time=self.now, job_id=job_id, broken_rule=broken_rule)
