"""PortalState: the state of a metascheduler, apart from its policy."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from echelon.engine.immediate.accounting import CpuTimes
from echelon.errors import InputError, UnknownNameError
from echelon.portal.checks import number_of

if TYPE_CHECKING:
    from echelon.portal.site import Application, PortalSite

CpuTimeKey = tuple[str, str, str]
"""Application, version and site of a mean CPU time."""


@dataclass(slots=True)
class PortalState:
    """Sites, CPU times, running jobs, and the number of selections.

    Parameters
    ----------
    seed : int
        Seed of random choices.
    window : float
        Time over which daemons average loads, in seconds.
    sites : dict of str to PortalSite
        In the order of their registration.
    site_of_run : dict of str to str
        The site of each running job, by the job's id.
    cpu_times : CpuTimes
        Mean CPU times by application and site.
    observed : dict of CpuTimeKey to None
        Keys of the known means, in order of first observation.
    selections, numbered : int
        Numbers of selections, and of generated ids.
    last_site : int
        Index of the site selected last; -1 at first.
    latest : float
        The latest time reported, in seconds; -infinity at first.
    """

    seed: int
    window: float
    sites: dict[str, PortalSite] = field(default_factory=dict)
    site_of_run: dict[str, str] = field(default_factory=dict)
    cpu_times: CpuTimes = field(default_factory=CpuTimes)
    observed: dict[CpuTimeKey, None] = field(default_factory=dict)
    selections: int = 0
    numbered: int = 0
    last_site: int = -1
    latest: float = -math.inf

    def site(self, name: str) -> PortalSite:
        """Return the site of that name.

        Raises
        ------
        UnknownNameError
            If it does not exist.
        """
        if not isinstance(name, str) or name not in self.sites:
            raise UnknownNameError("site", str(name), self.sites)
        return self.sites[name]

    def time(self, at: float | None, site: PortalSite | None = None) -> float:
        """Return the time reported, or the system's, which is not before the latest one.

        Parameters
        ----------
        at : float or None
            The time reported, in seconds.
        site : PortalSite, optional
            Use the latest time of this site. Default: that of all sites.

        Raises
        ------
        InputError
            If the time is not a finite number, or before the latest.
        """
        latest = self.latest if site is None else site.since
        now = max(time.time(), latest) if at is None else number_of(at, "at")
        if now < latest:
            problem = f"must not be before {latest:.16g} s, the latest time reported, got {now:.16g}"
            raise InputError(problem, field="at")
        self.latest = max(self.latest, now)
        return now

    def new_id(self) -> str:
        """Return a new id, which no running job has."""
        self.numbered += 1
        while (run_id := f"run-{self.numbered}") in self.site_of_run:
            self.numbered += 1
        return run_id

    def observe(self, application: Application, site: str, seconds: float) -> None:
        """Note the CPU time of a job that has ended."""
        self.cpu_times.observe(application, site, seconds)
        self.observed[*application, site] = None
