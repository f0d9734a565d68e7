"""PortalSite: one site as a portal knows it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from echelon.engine.immediate.accounting import RecentJobs
from echelon.errors import InputError, UnknownNameError
from echelon.portal.checks import count_of, name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ONE_DAEMON = ""
"""Name of the daemon of a site with a single daemon."""

Application = tuple[str, str]
"""Name and version."""


class Run(NamedTuple):
    """A running job: its start, in seconds, and the service clock of its site at the start."""

    site: str
    application: Application
    processes: int
    start: float
    served: float


class Publication(NamedTuple):
    """A load average that a daemon published, in processes, and the time of publication."""

    load: float
    time: float


class Ended(NamedTuple):
    """A job that ended recently."""

    start: float
    end: float
    processes: int


class PortalSite:
    """One site: its cores, what its daemons publish, and the jobs that the portal runs there.

    Parameters
    ----------
    name : str
        Not empty.
    window : float
        Of load averages, in seconds.

    Attributes
    ----------
    available : bool
        Whether it may be selected.
    daemons : dict of str to int
        Cores that each daemon reports.
    attributes : dict
        Attributes that criteria may test.
    published : dict of str to Publication
        The last publication of each daemon.
    runs : dict of str to Run
        Running jobs by id.
    ended : list of Ended
        Jobs that ended within the last window, by end.
    """

    def __init__(self, name: str, window: float) -> None:
        self.name = name
        self.available = True
        self.daemons: dict[str, int] = {}
        self.attributes: dict[str, object] = {}
        self.published: dict[str, Publication] = {}
        self.runs: dict[str, Run] = {}
        self.ended: list[Ended] = []
        self.served = 0.0
        self.since = -math.inf
        self._window = window
        self._recent = RecentJobs(window)

    @property
    def cores(self) -> int:
        """Cores of all its daemons (np_i)."""
        return sum(self.daemons.values())

    @property
    def load(self) -> float:
        """Sum of the load averages last published by the daemons; 0 before the first."""
        return sum(one.load for name, one in self.published.items() if name in self.daemons)

    @property
    def processes(self) -> int:
        """Processes of running jobs."""
        return sum(run.processes for run in self.runs.values())

    @property
    def described(self) -> Mapping[str, object]:
        """The attributes that criteria test."""
        return {**self.attributes, "site": self.name, "cores": self.cores}

    def register(self, cores: object, attributes: Mapping[str, object], now: float) -> None:
        """Take cores and attributes as they are now; the site is available."""
        daemons = _daemons(cores, self.name)
        if self.runs:
            self.advance(max(now, self.since))
        self.daemons, self.attributes, self.available = daemons, dict(attributes), True

    def publish(self, daemon: str, publication: Publication) -> None:
        """Record the publication of a daemon, unless it is older than the last one.

        Raises
        ------
        UnknownNameError
            If the daemon does not exist.
        """
        if not isinstance(daemon, str) or daemon not in self.daemons:
            raise UnknownNameError(f"daemon of {self.name}", str(daemon), self.daemons)
        last = self.published.get(daemon)
        if last is None or last.time <= publication.time:
            self.published[daemon] = publication

    def start(self, run_id: str, application: Application, processes: int, now: float) -> None:
        """Record that a job starts now."""
        self.advance(now)
        self.runs[run_id] = Run(self.name, application, processes, now, self.served)
        self._recent.note_start(now, processes)

    def end(self, run_id: str, now: float) -> Run:
        """Record that a job ends now; return it."""
        self.advance(now)
        run = self.runs.pop(run_id)
        self._recent.note_end(run.start, now, run.processes)
        self.ended = [one for one in self.ended if one.end >= now - self._window]
        self.ended.append(Ended(run.start, now, run.processes))
        return run

    def advance(self, now: float) -> None:
        """Advance the service clock to `now`."""
        self.served, self.since = self.served_at(now), max(now, self.since)

    def served_at(self, now: float) -> float:
        """Return the service that a process present all the time has received by `now`, in CPU seconds."""
        if not self.runs or now <= self.since:
            return self.served
        return self.served + (now - self.since) * min(1.0, self.cores / self.processes)

    def estimated_load(self, now: float) -> float:
        """Return the load corrected for recent starts and ends of jobs (ce_i), in processes."""
        return self._recent.estimated_load(self.load, now)

    def ready_time(self, now: float, cpu_time: Callable[[Application], float | None]) -> float:
        """Return when the running jobs would be done, by mean CPU times; unknown times count as 0."""
        served = self.served_at(now)
        work = 0.0
        for run in self.runs.values():
            left = (cpu_time(run.application) or 0.0) - (served - run.served)
            work += run.processes * max(0.0, left)
        return now + work / self.cores

    def restore(self, runs: Mapping[str, Run], ended: list[Ended]) -> None:
        """Restore the jobs that an earlier process knew."""
        self.runs, self.ended = dict(runs), sorted(ended, key=lambda one: one.end)
        starts = [(run.start, run.processes) for run in self.runs.values()]
        starts += [(one.start, one.processes) for one in self.ended]
        for start, processes in sorted(starts):
            self._recent.note_start(start, processes)
        for one in self.ended:
            self._recent.note_end(one.start, one.end, one.processes)


def _daemons(cores: object, site: str) -> dict[str, int]:
    """Return the cores of each daemon.

    Raises
    ------
    InputError
        If they are neither a whole number nor a mapping from daemons to whole numbers, all >= 1.
    """
    if not hasattr(cores, "items"):
        return {ONE_DAEMON: count_of(cores, f"cores of site {site!r}")}
    where = f"site {site!r}"
    daemons = {
        name_of(daemon, f"daemon of {where}"): count_of(count, f"cores of {daemon!r} of {where}")
        for daemon, count in cores.items()
    }
    if not daemons:
        raise InputError("needs at least one daemon with cores, got none", field=f"site {site!r}")
    return daemons
