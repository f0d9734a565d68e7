"""PortalView: a portal's sites as a policy sees them at one selection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.model.streams import stream

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.model import Job
    from echelon.portal.site import Application, PortalSite

    CpuTime = Callable[[Application, str], float | None]


class RandomNumbers:
    """The random numbers of one selection.

    In the first turn they equal those that a simulation with the same seed draws for the job at the same
    position. Later turns, which rank the other sites, have a stream for each selection.

    Parameters
    ----------
    seed : int
        Seed of the metascheduler.
    count : int
        Number of selections before this one.
    """

    def __init__(self, seed: int, count: int) -> None:
        self._seed, self._count = seed, count
        self._later: list[float] = []

    def uniform(self, name: str, turn: int) -> float:
        """Return the number of a turn of the stream `name`, in [0, 1)."""
        if not turn:
            return _nth(self._seed, name, self._count)
        while len(self._later) < turn:
            more = stream(self._seed, f"ranking {self._count} {len(self._later)}").random(64)
            self._later += more.tolist()
        return self._later[turn - 1]


class PortalView:
    """Implements `echelon.policies.immediate.contract.ImmediateView`, without planned times.

    Sites are numbered in the order of their registration. Execution times are mean CPU times, 0 where an
    application has never ended; speeds are unknown and count as 1.

    Parameters
    ----------
    sites : sequence of PortalSite
        All registered sites.
    allowed : sequence of int
        Indices of the sites that may be selected.
    application : Application
        The application to run.
    cpu_time : callable (application, site's name) -> float or None
        Mean CPU times, in seconds.
    random : RandomNumbers
        Random numbers of the selection.
    now : float
        Time of the selection, in seconds.
    last_site : int
        Index of the site selected last; -1 at first.
    """

    def __init__(
        self,
        sites: Sequence[PortalSite],
        allowed: Sequence[int],
        *,
        application: Application,
        cpu_time: CpuTime,
        random: RandomNumbers,
        now: float,
        last_site: int,
    ) -> None:
        self._sites, self._application, self._cpu_time, self._random = sites, application, cpu_time, random
        self.allowed: Sequence[int] = allowed
        self.now, self.last_site = now, last_site
        self.turn = 0
        self.sizes: Sequence[int] = tuple(site.cores for site in sites)
        # A site of a portal that is not in service has no registration.
        self.in_service: Sequence[int] = self.sizes
        self.machines_change = False
        self._loads: dict[int, float] = {}

    @property
    def speeds(self) -> Sequence[float]:
        """See `ImmediateView.speeds`."""
        return (1.0,) * len(self._sites)

    def load(self, site: int) -> float:
        """See `ImmediateView.load`."""
        return self._sites[site].load

    def estimated_load(self, site: int) -> float:
        """See `ImmediateView.estimated_load`."""
        if site not in self._loads:
            self._loads[site] = self._sites[site].estimated_load(self.now)
        return self._loads[site]

    def cpu_time(self, job: Job, site: int) -> float | None:
        """See `ImmediateView.cpu_time`."""
        return self._cpu_time(self._application, self._sites[site].name)

    def uniform(self, job: Job, turn: int) -> float:
        """See `ImmediateView.uniform`."""
        return self._random.uniform("lottery", self.turn + turn)

    def draw(self, job: Job) -> float:
        """See `GridView.draw`."""
        return self._random.uniform("broker", self.turn)

    def home(self, job: Job) -> int | None:
        """Return None: a portal does not know where a job was submitted."""
        return None

    def execution_time(self, job: Job, site: int) -> float:
        """See `ImmediateView.execution_time`."""
        return self.cpu_time(job, site) or 0.0

    def ready_time(self, site: int) -> float:
        """See `ImmediateView.ready_time`."""
        one = self._sites[site]
        return one.ready_time(self.now, lambda application: self._cpu_time(application, one.name))

    def jobs(self, site: int) -> int:
        """See `GridView.jobs`."""
        return len(self._sites[site].runs)

    def size_sum(self, site: int) -> int:
        """See `GridView.size_sum`."""
        return self._sites[site].processes

    def free(self, site: int) -> int:
        """See `GridView.free`."""
        return max(0, self.sizes[site] - self._sites[site].processes)

    def weight(self, site: int) -> float | None:
        """See `GridView.weight`: none."""
        return None

    def memory_use(self, site: int) -> float:
        """See `GridView.memory_use`."""
        return 0.0

    def fullest_node(self, site: int) -> int:
        """See `GridView.fullest_node`."""
        return 0


def _nth(seed: int, name: str, count: int) -> float:
    """Return the number at index `count` of a stream."""
    generator = stream(seed, name)
    generator.bit_generator.advance(count)  # type: ignore[attr-defined]
    return float(generator.random())
