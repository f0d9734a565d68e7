"""MetaScheduler: which of the registered sites should run an application now."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from echelon.errors import InputError, NoSiteError
from echelon.model import Job
from echelon.policies import format_broker
from echelon.portal import serialization
from echelon.portal.checks import check_whole, count_of, name_of, number_of
from echelon.portal.criteria import check_criteria, meets
from echelon.portal.portal_state import PortalState
from echelon.portal.ranking import Ranked, ranking, rule_of
from echelon.portal.site import ONE_DAEMON, Application, PortalSite, Publication
from echelon.portal.view import PortalView, RandomNumbers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.policies import Broker
    from echelon.portal.criteria import Criteria


class MetaScheduler:
    """The selection call of web portals over several computing centers, as in SINAPAD's portals.

    A portal registers its sites, publishes the loads of their daemons, and reports the starts and ends of
    jobs; then it selects the site that should run an application. The rules are those of simulations, so the
    best rule of a simulation can be used without change.

    Parameters
    ----------
    policy : str or Broker, default "wall-time"
        Spec of a policy that chooses the site of one job (``"lottery-load:unseen=50"``, ``"my.py:rule"``),
        or the rule itself. ``random``, ``cpu-load``, ``lottery``, ``lottery-load`` and ``wall-time`` are
        SINAPAD's; ``met``, ``olb`` and ``mct`` plan by mean CPU times; rules that use the numbers and sizes
        of jobs work, too.
    seed : int, default 0
        Seed of random choices, >= 0.
    window : float, default 60
        Time over which daemons average loads, in seconds, > 0.

    Raises
    ------
    InputError
        If the policy lets jobs wait or needs their planned times, or a number is out of range.
    UnknownNameError
        If a spec names no policy.

    Notes
    -----
    All times are in seconds on one clock, by default the system's (since 1970). The times of a site's reports
    must not decrease, and no selection is before any of them; if the system's clock goes back, the latest
    time reported counts. Use by several threads needs a lock. **Cost**: a selection is O(sites) calls of the
    policy. **Source**: the call selectOpenDreamsService of Rodrigues, Ishii, Gomes & dos Reis, about 2014,
    section 2.

    Examples
    --------
    >>> import echelon as ec
    >>> portal = ec.MetaScheduler()
    >>> portal.register("fast", cores=1)
    >>> portal.register("slow", cores=1)
    >>> first, second = (portal.started(site, "linpack", "1.0", at=0) for site in ("fast", "slow"))
    >>> portal.ended(first, cpu_time=60, at=60)
    >>> portal.ended(second, cpu_time=120, at=120)
    >>> [ranked.site for ranked in portal.select("linpack", "1.0", at=300)]
    ['fast', 'slow']
    """

    def __init__(self, policy: str | Broker = "wall-time", *, seed: int = 0, window: float = 60.0) -> None:
        self._rule = rule_of(policy)
        self._spec = policy if isinstance(policy, str) else format_broker(self._rule)
        check_whole(seed, "seed", least=0)
        if number_of(window, "window") <= 0:
            raise InputError(f"must be a finite number > 0, got {window!r:.60}", field="window")
        self._state = PortalState(seed, float(window))

    @property
    def policy(self) -> str:
        """The spec of its policy."""
        return self._spec

    @property
    def sites(self) -> Mapping[str, Mapping[str, object]]:
        """The available sites, in the order of their registration, with their attributes."""
        return {name: site.described for name, site in self._state.sites.items() if site.available}

    def register(self, site: str, cores: int | Mapping[str, int], **attributes: object) -> None:
        """Make a site available, or update its cores and attributes; its history is kept.

        Parameters
        ----------
        site : str
            Its name.
        cores : int or mapping of str to int
            Cores of the site, at least 1; or the cores of each of its daemons.
        **attributes
            Attributes that criteria may test.

        Raises
        ------
        InputError
            If the name is empty, cores are not whole numbers >= 1, or an attribute is called ``site``.
        """
        name = name_of(site, "site")
        state = self._state
        registered = state.sites.get(name) or PortalSite(name, state.window)
        registered.register(cores, attributes, state.latest)
        state.sites[name] = registered

    def withdraw(self, site: str) -> None:
        """Make a site unavailable until it is registered again; its history is kept.

        Raises
        ------
        UnknownNameError
            If the site does not exist.
        """
        self._state.site(site).available = False

    def publish(self, site: str, load: float, *, daemon: str = ONE_DAEMON, at: float | None = None) -> None:
        """Record the load average that a site's daemon publishes (c_s).

        Parameters
        ----------
        site : str
            Its name.
        load : float
            In processes, >= 0.
        daemon : str, optional
            The daemon, if the site was registered with several. Their loads are summed.
        at : float, optional
            Time, in seconds; a load older than the daemon's last one is ignored. Default: now.

        Raises
        ------
        InputError
            If the load is not a finite number >= 0.
        UnknownNameError
            If the site or daemon does not exist.
        """
        registered = self._state.site(site)
        when = time.time() if at is None else number_of(at, "at")
        registered.publish(daemon, Publication(number_of(load, f"load of {site}", least=0.0), when))

    def started(
        self,
        site: str,
        application: str,
        version: str = "",
        *,
        processes: int = 1,
        at: float | None = None,
        run_id: str | None = None,
    ) -> str:
        """Record that a job has started at a site.

        Parameters
        ----------
        site, application, version : str
            The site, and the application that runs.
        processes : int, default 1
            Processes of the job.
        at : float, optional
            Time, in seconds. Default: now.
        run_id : str, optional
            Identifies the job when its end is reported. Default: a new one.

        Returns
        -------
        str
            The job's id.

        Raises
        ------
        InputError
            If the id is that of a running job, time runs backwards, or an argument is out of range.
        UnknownNameError
            If the site does not exist.
        """
        registered = self._state.site(site)
        what = (name_of(application, "application"), _version(version))
        count = count_of(processes, "processes")
        state = self._state
        if run_id is not None and name_of(run_id, "run_id") in state.site_of_run:
            raise InputError(f"{run_id!r} is already running", field="run_id")
        now = state.time(at, registered)
        own_id = state.new_id() if run_id is None else run_id
        registered.start(own_id, what, count, now)
        state.site_of_run[own_id] = site
        return own_id

    def ended(self, run_id: str, cpu_time: float | None = None, *, at: float | None = None) -> None:
        """Record that a job has ended, and the CPU time of each of its processes.

        Parameters
        ----------
        run_id : str
            The id of the job from `started`.
        cpu_time : float, optional
            In seconds, >= 0. Default: unknown, as for a failed job, which then does not count.
        at : float, optional
            Time, in seconds. Default: now.

        Raises
        ------
        InputError
            If no such job is running, time runs backwards, or the CPU time is out of range.
        """
        state = self._state
        if not isinstance(run_id, str) or run_id not in state.site_of_run:
            raise InputError(f"no job {run_id!r:.60} is running", field="run_id")
        seconds = None if cpu_time is None else number_of(cpu_time, "cpu_time", least=0.0)
        site = state.sites[state.site_of_run[run_id]]
        run = site.end(run_id, state.time(at, site))
        del state.site_of_run[run_id]
        if seconds is not None:
            state.observe(run.application, run.site, seconds)

    def select(
        self,
        application: str,
        version: str = "",
        criteria: Criteria | None = None,
        *,
        processes: int = 1,
        at: float | None = None,
    ) -> list[Ranked]:
        """Return the sites that may run an application, the best first.

        The portal submits to the first, or to the next if that fails, and reports the start by `started`.

        Parameters
        ----------
        application, version : str
            The application to run.
        criteria : mapping or callable, optional
            Select the sites that may run it: see `Criteria`. Default: all sites.
        processes : int, default 1
            Processes of the job; smaller sites are excluded.
        at : float, optional
            Time, in seconds. Default: now.

        Returns
        -------
        list of Ranked
            For a lottery, in the order of the draws; a site leaves the lottery when it is drawn.

        Raises
        ------
        NoSiteError
            If no site is available, large enough, and meets the criteria.
        InputError, UnknownNameError
            If an argument is out of range, time runs backwards, or no site has a requested attribute.
        PolicyError
            If a user's own policy fails.
        """
        what = (name_of(application, "application"), _version(version))
        count = count_of(processes, "processes")
        allowed = self._candidates(what, criteria, count)
        state = self._state
        sites = tuple(state.sites.values())
        view = PortalView(
            sites,
            allowed,
            application=what,
            cpu_time=state.cpu_times.mean,
            random=RandomNumbers(state.seed, state.selections),
            now=state.time(at),
            last_site=state.last_site,
        )
        job = Job(state.selections, state.selections + 1, view.now, count, 1.0)
        ranked = list(ranking(self._rule, job, view))
        state.selections += 1
        state.last_site = ranked[0][0]
        return [Ranked(sites[site].name, value, reason) for site, value, reason in ranked]

    def cpu_time(self, application: str, version: str, site: str) -> float | None:
        """Return the mean CPU time of an application at a site (tcm_ij), in seconds; None if unknown."""
        what = (name_of(application, "application"), _version(version))
        return self._state.cpu_times.mean(what, name_of(site, "site"))

    def estimated_load(self, site: str, *, at: float | None = None) -> float:
        """Return the load of a site, corrected for recent starts and ends of jobs (ce_i), in processes.

        Raises
        ------
        UnknownNameError
            If the site does not exist.
        InputError
            If time runs backwards.
        """
        return self._state.site(site).estimated_load(self._state.time(at))

    def to_json(self) -> str:
        """Return its whole state as JSON, from which `from_json` resumes; see `echelon.portal.serialization`.

        Raises
        ------
        InputError
            If an attribute of a site cannot be written as JSON.
        """
        return serialization.to_json(self._state, self._spec)

    @classmethod
    def from_json(cls, text: str, *, policy: str | Broker | None = None) -> MetaScheduler:
        """Return the metascheduler whose state `to_json` wrote.

        Parameters
        ----------
        text : str
            The JSON that `to_json` returned.
        policy : str or Broker, optional
            Replaces the policy in the state; required if that was an object, not a spec.

        Raises
        ------
        InputError
            If the text is not such a state.
        UnknownNameError
            If its policy is unknown here.
        """
        spec, state = serialization.from_json(text)
        restored = cls(spec if policy is None else policy, seed=state.seed, window=state.window)
        restored._state = state
        return restored

    def _candidates(self, what: Application, criteria: Criteria | None, processes: int) -> tuple[int, ...]:
        sites = list(self._state.sites.values())
        check_criteria(criteria, {name for site in sites for name in site.described})
        present = [place for place, site in enumerate(sites) if site.available]
        large = [place for place in present if sites[place].cores >= processes]
        suitable = tuple(place for place in large if meets(sites[place].described, criteria))
        if not suitable:
            raise NoSiteError(
                f"no site for {' '.join(filter(None, what))}: of {len(sites)} registered "
                f"{len(sites) - len(present)} are withdrawn, {len(present) - len(large)} have fewer than "
                f"{processes} cores and {len(large)} do not meet the criteria"
            )
        return suitable


def _version(version: object) -> str:
    if not isinstance(version, str):
        raise InputError(f"must be a string, got {version!r:.60}", field="version")
    return version
