"""MetaScheduler: which of the registered sites should run an application now."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from echelon.errors import InputError, NoSiteError
from echelon.model import Job
from echelon.policies import broker_words
from echelon.portal import state
from echelon.portal.books import PortalBooks
from echelon.portal.checks import count_of, name_of, number_of
from echelon.portal.criteria import check_criteria, meets
from echelon.portal.ranking import Ranked, ranking, rule_of
from echelon.portal.site import ONE_DAEMON, Application, PortalSite, Publication
from echelon.portal.view import Drawn, PortalView

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.policies import Broker
    from echelon.portal.criteria import Criteria


class MetaScheduler:
    """The selection call of web portals over several computing centers, as SINAPAD's portals have it.

    A portal tells it which sites there are, what their daemons publish, and which jobs begin and end; it asks
    which site should run an application. The rules and the books are those of simulations, so that what a
    simulation found best can be used as it is.

    Parameters
    ----------
    policy : str or Broker, default "wall-time"
        Words of a policy that chooses the site of one job (``"lottery-load:unseen=50"``, ``"my.py:rule"``),
        or the rule itself. ``random``, ``cpu-load``, ``lottery``, ``lottery-load`` and ``wall-time`` are
        SINAPAD's; ``met``, ``olb`` and ``mct`` plan by mean CPU times; those that go by the numbers and sizes
        of jobs work, too.
    seed : int, default 0
        Of random choices, >= 0.
    window : float, default 60
        Over which daemons average loads, in seconds, > 0.

    Raises
    ------
    InputError
        If the policy lets jobs wait or needs their planned times, or a number is out of its range.
    UnknownNameError
        If words name no policy.

    Notes
    -----
    All times are in seconds on one clock, by default the system's (since 1970). At each site what is told of
    jobs must not run backwards, and no selection is before any of it; if the system's clock goes back, the
    latest time told counts. Not to be used by several threads at once
    without a lock. **Cost**: a selection is O(sites) calls of the policy. **Source**: the call
    selectOpenDreamsService of Rodrigues, Ishii, Gomes & dos Reis, about 2014, section 2.

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
        self._words = policy if isinstance(policy, str) else broker_words(self._rule)
        if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
            raise InputError(f"must be a whole number >= 0, got {seed!r:.60}", field="seed")
        if number_of(window, "window") <= 0:
            raise InputError(f"must be a finite number > 0, got {window!r:.60}", field="window")
        self._books = PortalBooks(seed, float(window))

    @property
    def policy(self) -> str:
        """The words of its policy."""
        return self._words

    @property
    def sites(self) -> Mapping[str, Mapping[str, object]]:
        """The available sites, in the order of their registration, with their attributes."""
        return {name: site.described for name, site in self._books.sites.items() if site.available}

    def register(self, site: str, cores: int | Mapping[str, int], **attributes: object) -> None:
        """Make a site available, or tell of its cores and attributes again; what is known of it is kept.

        Parameters
        ----------
        site : str
            Its name.
        cores : int or mapping of str to int
            Of the site, at least 1; or those that each of its daemons reports.
        **attributes
            What criteria may ask for.

        Raises
        ------
        InputError
            If the name is empty, cores are no whole numbers >= 1, or an attribute is called ``site``.
        """
        name = name_of(site, "site")
        books = self._books
        known = books.sites.get(name) or PortalSite(name, books.window)
        known.register(cores, attributes, books.latest)
        books.sites[name] = known

    def withdraw(self, site: str) -> None:
        """Make a site unavailable until it is registered again; what is known of it is kept.

        Raises
        ------
        UnknownNameError
            If there is no such site.
        """
        self._books.site(site).available = False

    def publish(self, site: str, load: float, *, daemon: str = ONE_DAEMON, at: float | None = None) -> None:
        """Note the load average that a site's daemon publishes (c_s).

        Parameters
        ----------
        site : str
            Its name.
        load : float
            In processes, >= 0.
        daemon : str, optional
            Which of the site's, if it was registered with several. Their loads are added up.
        at : float, optional
            When, in seconds; what is older than the daemon's last is passed over. Default: now.

        Raises
        ------
        InputError
            If the load is no finite number >= 0.
        UnknownNameError
            If there is no such site or daemon.
        """
        known = self._books.site(site)
        when = time.time() if at is None else number_of(at, "at")
        known.publish(daemon, Publication(number_of(load, f"load of {site}", least=0.0), when))

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
        """Note that a job has begun at a site.

        Parameters
        ----------
        site, application, version : str
            Where, and what runs.
        processes : int, default 1
            Of the job.
        at : float, optional
            When, in seconds. Default: now.
        run_id : str, optional
            By which its end will be told. Default: one is made up.

        Returns
        -------
        str
            The job's id.

        Raises
        ------
        InputError
            If the id is one of a job under way, time runs backwards, or something is out of its range.
        UnknownNameError
            If there is no such site.
        """
        known = self._books.site(site)
        what = (name_of(application, "application"), _version(version))
        count = count_of(processes, "processes")
        books = self._books
        if run_id is not None and name_of(run_id, "run_id") in books.site_of_run:
            raise InputError(f"{run_id!r} is under way already", field="run_id")
        now = books.time(at, known)
        own_id = books.new_id() if run_id is None else run_id
        known.start(own_id, what, count, now)
        books.site_of_run[own_id] = site
        return own_id

    def ended(self, run_id: str, cpu_time: float | None = None, *, at: float | None = None) -> None:
        """Note that a job is gone, and what CPU time each of its processes took.

        Parameters
        ----------
        run_id : str
            As `started` had it.
        cpu_time : float, optional
            In seconds, >= 0. Default: unknown, as of a job that failed; it says nothing of the site then.
        at : float, optional
            When, in seconds. Default: now.

        Raises
        ------
        InputError
            If no such job is under way, time runs backwards, or the CPU time is out of its range.
        """
        books = self._books
        if not isinstance(run_id, str) or run_id not in books.site_of_run:
            raise InputError(f"no job {run_id!r:.60} is under way", field="run_id")
        seconds = None if cpu_time is None else number_of(cpu_time, "cpu_time", least=0.0)
        site = books.sites[books.site_of_run[run_id]]
        run = site.end(run_id, books.time(at, site))
        del books.site_of_run[run_id]
        if seconds is not None:
            books.observe(run.application, run.site, seconds)

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

        The portal submits to the first, or to the next if that fails, and tells what it did by `started`.

        Parameters
        ----------
        application, version : str
            What is to run.
        criteria : mapping or callable, optional
            Which sites may run it: see `Criteria`. Default: all.
        processes : int, default 1
            Of the job; smaller sites are left out.
        at : float, optional
            When, in seconds. Default: now.

        Returns
        -------
        list of Ranked
            Of a lottery in the order in which tickets are drawn, each site's taken out once it is drawn.

        Raises
        ------
        NoSiteError
            If no site is available, large enough, and meets the criteria.
        InputError, UnknownNameError
            If something is out of its range, time runs backwards, or no site has an attribute asked for.
        PolicyError
            If a policy of one's own fails.
        """
        what = (name_of(application, "application"), _version(version))
        count = count_of(processes, "processes")
        allowed = self._candidates(what, criteria, count)
        books = self._books
        sites = tuple(books.sites.values())
        view = PortalView(
            sites,
            allowed,
            application=what,
            cpu_time=books.cpu_times.mean,
            drawn=Drawn(books.seed, books.selections),
            now=books.time(at),
            last_site=books.last_site,
        )
        job = Job(books.selections, books.selections + 1, view.now, count, 1.0)
        ranked = list(ranking(self._rule, job, view))
        books.selections += 1
        books.last_site = ranked[0][0]
        return [Ranked(sites[site].name, value, reason) for site, value, reason in ranked]

    def cpu_time(self, application: str, version: str, site: str) -> float | None:
        """Return the mean CPU time of an application at a site (tcm_ij), in seconds; None if unknown."""
        what = (name_of(application, "application"), _version(version))
        return self._books.cpu_times.mean(what, name_of(site, "site"))

    def estimated_load(self, site: str, *, at: float | None = None) -> float:
        """Return the load of a site, corrected for jobs that came or went lately (ce_i), in processes.

        Raises
        ------
        UnknownNameError
            If there is no such site.
        InputError
            If time runs backwards.
        """
        return self._books.site(site).estimated_load(self._books.time(at))

    def to_json(self) -> str:
        """Return all that it knows as JSON, from which `from_json` goes on; see `echelon.portal.state`.

        Raises
        ------
        InputError
            If an attribute of a site is nothing that JSON can hold.
        """
        return state.told(self._books, self._words)

    @classmethod
    def from_json(cls, text: str, *, policy: str | Broker | None = None) -> MetaScheduler:
        """Return the metascheduler that `to_json` told of.

        Parameters
        ----------
        text : str
            What it returned.
        policy : str or Broker, optional
            In place of the one that it had; needed if that was an object of one's own.

        Raises
        ------
        InputError
            If the text is none of it.
        UnknownNameError
            If its policy is unknown here.
        """
        words, books = state.read(text)
        restored = cls(words if policy is None else policy, seed=books.seed, window=books.window)
        restored._books = books
        return restored

    def _candidates(self, what: Application, criteria: Criteria | None, processes: int) -> tuple[int, ...]:
        sites = list(self._books.sites.values())
        check_criteria(criteria, {name for site in sites for name in site.described})
        present = [place for place, site in enumerate(sites) if site.available]
        large = [place for place in present if sites[place].cores >= processes]
        found = tuple(place for place in large if meets(sites[place].described, criteria))
        if not found:
            raise NoSiteError(
                f"no site for {' '.join(filter(None, what))}: of {len(sites)} registered "
                f"{len(sites) - len(present)} are withdrawn, {len(present) - len(large)} have fewer than "
                f"{processes} cores and {len(large)} do not meet the criteria"
            )
        return found


def _version(version: object) -> str:
    if not isinstance(version, str):
        raise InputError(f"must be a text, got {version!r:.60}", field="version")
    return version
