"""BrokerView: the part of a grid's state, or of loads, that a broker may see at its level of information."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, overload

from echelon.errors import PolicyError
from echelon.model.streams import stream
from echelon.policies import Information

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.random import Generator

    from echelon.engine.contract import Scenario
    from echelon.engine.tree.views.statistics import SiteStatistics, SiteSums
    from echelon.model import Forecast, Job
    from echelon.policies import Planned


class Requester(Protocol):
    """A broker, or another rule that chooses sites, as the view knows it."""

    @property
    def name(self) -> str:
        """Name in messages."""

    @property
    def information(self) -> Information:
        """Its level of information; the view refuses requests above it."""


class InService(Sequence[int]):
    """Implements `echelon.policies.GridView.in_service` where machines change.

    Parameters
    ----------
    statistics : SiteStatistics
        What is known of the sites.
    check : callable () -> None
        Raises an error if the broker may not know it.
    """

    def __init__(self, statistics: SiteStatistics, check: Callable[[], None]) -> None:
        self._statistics, self._check = statistics, check

    def __len__(self) -> int:
        """Return the number of sites."""
        return len(self._statistics.sizes)

    @overload
    def __getitem__(self, site: int) -> int: ...

    @overload
    def __getitem__(self, site: slice) -> list[int]: ...

    def __getitem__(self, site: int | slice) -> int | list[int]:
        """Return the processors of `site` that are neither down nor closed to some jobs now."""
        self._check()
        if isinstance(site, slice):
            return [self[place] for place in range(len(self))[site]]
        # A negative number would count from the last site.
        return self._statistics.sites[range(len(self))[site]].member.in_service


class BrokerView:
    """Implements `echelon.policies.GridView` on top of the statistics of sites.

    Parameters
    ----------
    scenario : Scenario
        The run.
    broker : Requester
        Reads the view.
    state : SiteStatistics
        By planned or by actual run times, following the information model of `broker`.
    homes : callable () -> list of int, optional
        The site at which each job was submitted, -1 if unknown, by position; default: the instance's.
    level : int, default 0
        The number of choices that a job has behind it here: each draws numbers of its own.
    weights : sequence of float or None, optional
        What the platform says of each site's weight; default: nothing.
    """

    def __init__(
        self,
        scenario: Scenario,
        broker: Requester,
        state: SiteStatistics,
        homes: Callable[[], list[int]] | None = None,
        *,
        level: int = 0,
        weights: Sequence[float | None] = (),
    ) -> None:
        self._broker, self._weights = broker, weights
        self._streams = f"/{level}" if level else ""
        self._sites, self._known_speeds = state.sites, state.speeds
        self._homes_of = scenario.instance.home_site.tolist if homes is None else homes
        self._instance, self._seed = scenario.instance, scenario.seed
        self._draws: list[float] | None = None
        self._homes: list[int] | None = None
        self.sizes: Sequence[int] = state.sizes
        # Without changes, by which most runs go, this is what it was.
        self.in_service: Sequence[int] = self.sizes
        self.machines_change = scenario.changes.are_any
        if self.machines_change:
            self.in_service = InService(state, self._check_service)
        self.now = 0.0
        self.last_site = -1
        self.allowed: Sequence[int] = ()

    def grow(self, scenario: Scenario) -> None:
        """Take in the jobs at the end of the instance of `scenario` that were not known before."""
        self._instance, self._draws, self._homes = scenario.instance, None, None

    @property
    def _knows_service(self) -> bool:
        """Whether the broker may know what is in service."""
        return self._broker.information >= Information.JOB_COUNTS

    def choices_of(self, job: Job, sites: Sequence[int]) -> Sequence[int]:
        """Return those of `sites` among which the broker chooses: those in service, where it knows this.

        A broker of level 0 does not. One that knows planned schedules knows from these when sites are back.
        """
        plans = self._broker.information >= Information.SCHEDULES
        return sites if plans or not self._knows_service else self.serving(job, sites)

    def serving(self, job: Job, sites: Sequence[int]) -> Sequence[int]:
        """Return those of `sites` of which enough is in service for `job` now; all if none is such."""
        if not self.machines_change:
            return sites
        return [site for site in sites if self._sites[site].member.serves(job)] or sites

    def draw(self, job: Job) -> float:
        """See `GridView.draw`."""
        if self._draws is None:
            self._draws = stream(self._seed, f"broker{self._streams}").random(len(self._instance)).tolist()
        return self._draws[job.position]

    def home(self, job: Job) -> int | None:
        """See `GridView.home`."""
        if self._homes is None:
            self._homes = self._homes_of()
        home = self._homes[job.position]
        return None if home < 0 else home

    def weight(self, site: int) -> float | None:
        """See `GridView.weight`."""
        return self._weights[site] if self._weights else None

    def jobs(self, site: int) -> int:
        """See `GridView.jobs`."""
        return self._ask(site, Information.JOB_COUNTS, "jobs").jobs

    def size_sum(self, site: int) -> int:
        """See `GridView.size_sum`."""
        return self._ask(site, Information.JOB_SIZES, "size_sum").size_sum

    def free(self, site: int) -> int:
        """See `GridView.free`."""
        return self._ask(site, Information.JOB_SIZES, "free").member.free

    def time_sum(self, site: int) -> float:
        """See `GridView.time_sum`."""
        return self._ask(site, Information.ESTIMATES, "time_sum").time_sum

    def area_sum(self, site: int) -> float:
        """See `GridView.area_sum`."""
        return self._ask(site, Information.ESTIMATES, "area_sum").area_sum

    def running_at(self, site: int) -> Sequence[Job]:
        """See `GridView.running_at`."""
        return tuple(self._ask(site, Information.ESTIMATES, "running_at").member.running_now)

    def schedule(self, site: int, job: Job | None = None) -> Sequence[Planned]:
        """See `GridView.schedule`."""
        return self._ask(site, Information.SCHEDULES, "schedule").member.planned_schedule(job)

    def past(self, site: int) -> Sequence[Planned]:
        """See `GridView.past`."""
        return tuple(self._ask(site, Information.SCHEDULES, "past").past)

    def forecast(self, job: Job, site: int) -> Forecast:
        """See `GridView.forecast`."""
        return self._ask(site, Information.SCHEDULES, "forecast").member.forecast(job)

    def occupied(self, job: Job, site: int) -> int:
        """See `GridView.occupied`."""
        return self._ask(site, Information.SCHEDULES, "occupied").member.occupied_nodes(job)

    def memory_use(self, site: int) -> float:
        """See `GridView.memory_use`."""
        return self._ask(site, Information.JOB_SIZES, "memory_use").member.memory_use()

    def fullest_node(self, site: int) -> int:
        """See `GridView.fullest_node`."""
        return self._ask(site, Information.JOB_SIZES, "fullest_node").member.fullest_node()

    def _check_service(self) -> None:
        if not self._knows_service:
            self._check(Information.JOB_COUNTS, "in_service")

    def _ask(self, site: int, needed: Information, what: str) -> SiteSums:
        """Return what is known of `site`, of which the broker asks `what`."""
        self._check(needed, what)
        return self._sites[site]

    def _check(self, needed: Information, what: str) -> None:
        if self._broker.information < needed:
            rule = (
                f"asks the view for {what}, which is information of level {needed:d}, but declares that it "
                f"needs level {self._broker.information:d}; declare information={needed:d}"
            )
            raise PolicyError(self._broker.name, time=self.now, job_id=None, broken_rule=rule)


class LoadView(BrokerView):
    """Implements `echelon.policies.immediate.contract.ImmediateView`; the parameters are as of `BrokerView`.

    Information is always actual; a broker's ``grid_state`` is ignored. Planned schedules of such machines
    follow from sharing the cores if all jobs there take their planned times.
    """

    _lottery: Generator | None = None

    @property
    def _knows_service(self) -> bool:
        """See `BrokerView`: a rule that knows loads knows what is in service."""
        return super()._knows_service or getattr(self._broker, "immediate", False)

    @property
    def speeds(self) -> Sequence[float]:
        """See `ImmediateView.speeds`."""
        return self._known_speeds

    def load(self, site: int) -> float:
        """See `ImmediateView.load`."""
        return self._sites[site].member.load()

    def estimated_load(self, site: int) -> float:
        """See `ImmediateView.estimated_load`."""
        return self._sites[site].member.estimated_load()

    def cpu_time(self, job: Job, site: int) -> float | None:
        """See `ImmediateView.cpu_time`."""
        return self._sites[site].member.cpu_time(job)

    def uniform(self, job: Job, turn: int) -> float:
        """See `ImmediateView.uniform`."""
        if not isinstance(turn, int) or turn < 0:
            rule = f"asks the view for a random number of turn {turn!r:.40}; expected 0, 1, 2 ..."
            raise PolicyError(self._broker.name, time=self.now, job_id=job.job_id, broken_rule=rule)
        if self._lottery is None:  # created when needed: a run records which streams it draws
            self._lottery = stream(self._seed, f"lottery{self._streams}")
            self._turns: list[list[float]] = []
        while len(self._turns) <= turn:
            self._turns.append(self._lottery.random(len(self._instance)).tolist())
        return self._turns[turn][job.position]

    def execution_time(self, job: Job, site: int) -> float:
        """See `ImmediateView.execution_time`."""
        return self._sites[site].member.execution_time(job)

    def ready_time(self, site: int) -> float:
        """See `ImmediateView.ready_time`. Level `ESTIMATES`."""
        return self._ask(site, Information.ESTIMATES, "ready_time").member.ready_time()
