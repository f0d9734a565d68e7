"""PortalBooks: all that a metascheduler has been told, apart from its policy."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from echelon.engine.immediate.books import CpuTimes
from echelon.errors import InputError, UnknownNameError
from echelon.portal.checks import number_of

if TYPE_CHECKING:
    from echelon.portal.site import Application, PortalSite

CpuTimeKey = tuple[str, str, str]
"""Application, version and site of a mean CPU time."""


@dataclass(slots=True)
class PortalBooks:
    """Sites, CPU times, jobs under way, and how many selections there were.

    Parameters
    ----------
    seed : int
        Of random choices.
    window : float
        Over which daemons average loads, in seconds.
    sites : dict of str to PortalSite
        In the order of their registration.
    site_of_run : dict of str to str
        The site of each job under way, by the job's id.
    cpu_times : CpuTimes
        By application and site.
    observed : dict of CpuTimeKey to None
        Those that are known, in the order in which they were first observed.
    selections, numbered : int
        Selections made, and ids made up.
    last_site : int
        Place of the site selected last; -1 at first.
    latest : float
        The latest time told, in seconds; -infinity at first.
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
            If there is none.
        """
        if not isinstance(name, str) or name not in self.sites:
            raise UnknownNameError("site", str(name), self.sites)
        return self.sites[name]

    def time(self, at: float | None, site: PortalSite | None = None) -> float:
        """Return the time told, or the system's, which is not before the latest one.

        Parameters
        ----------
        at : float or None
            What was told, in seconds.
        site : PortalSite, optional
            Where it matters; its own latest time counts then. Default: all sites.

        Raises
        ------
        InputError
            If a time told is no finite number, or before the latest.
        """
        latest = self.latest if site is None else site.since
        now = max(time.time(), latest) if at is None else number_of(at, "at")
        if now < latest:
            problem = f"must not be before {latest:.16g} s, the latest time told, got {now:.16g}"
            raise InputError(problem, field="at")
        self.latest = max(self.latest, now)
        return now

    def new_id(self) -> str:
        """Return an id for a job that no other under way has."""
        self.numbered += 1
        while (made := f"run-{self.numbered}") in self.site_of_run:
            self.numbered += 1
        return made

    def observe(self, application: Application, site: str, seconds: float) -> None:
        """Note the CPU time of a job that has ended."""
        self.cpu_times.observe(application, site, seconds)
        self.observed[*application, site] = None
