"""GlobalQueueView: the global queue as its rule sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.tree.broker_choice import chosen_site
from echelon.policies import capabilities
from echelon.policies.upper_queue.limit import QueueState

if TYPE_CHECKING:
    from collections.abc import MutableMapping, Sequence

    from echelon.engine.multicluster.broker_view import SharedView
    from echelon.engine.multicluster.forecasts import ForecastBook
    from echelon.engine.multicluster.machine import SlotMachine
    from echelon.engine.multicluster.rates import Rate
    from echelon.model import Forecast, Job
    from echelon.policies import Broker
    from echelon.policies.upper_queue.limit import QueueLimit


class GlobalQueueView:
    """Implements `echelon.policies.upper_queue.contract.UpperView`.

    Parameters
    ----------
    machines : sequence of SlotMachine
        The clusters.
    able : sequence of sequence of int
        Clusters that can hold each job, by position.
    broker : Broker
        Chooses among clusters.
    view : SharedView
        What the broker sees.
    forecasts : ForecastBook
        Forecasts of the estimators.
    limit : QueueLimit
        Limit of each cluster's queue.
    rates : pair of sequences of Rate
        The rates at which jobs enter and leave the queue of each cluster.
    """

    def __init__(
        self,
        machines: Sequence[SlotMachine],
        able: Sequence[Sequence[int]],
        broker: Broker,
        *,
        view: SharedView,
        forecasts: ForecastBook,
        limit: QueueLimit,
        rates: tuple[Sequence[Rate], Sequence[Rate]],
    ) -> None:
        self._machines, self._able, self._broker = machines, able, broker
        self._view, self._forecasts, self._limit = view, forecasts, limit
        self._joined, self._left = rates
        scheduler = machines[0].cluster.scenario.policy.scheduler
        self._starts_all_that_fit = capabilities(scheduler).starts_all_that_fit
        self.now = 0.0
        self.version = 0
        self.notes: MutableMapping[int, tuple[int, int]] = {}
        self.jobs: dict[int, Job] = {}

    @property
    def queue(self) -> Sequence[Job]:
        """See `UpperView.queue`."""
        return tuple(self.jobs.values())

    @property
    def sites(self) -> int:
        """See `UpperView.sites`."""
        return len(self._machines)

    def able(self, job: Job) -> Sequence[int]:
        """See `UpperView.able`."""
        return self._able[job.position]

    def accepts(self, job: Job, site: int) -> bool:
        """See `UpperView.accepts`."""
        cluster = self._machines[site].cluster
        state = QueueState(
            len(cluster.waiting),
            lambda: self.fits(job, site),
            self._joined[site].value,
            self._left[site].value,
            lambda: self._forecasts.forecast(job, site).wait,
            len(cluster.running),
        )
        return self._limit.accepts(state)

    def fits(self, job: Job, site: int) -> bool:
        """See `UpperView.fits`."""
        cluster = self._machines[site].cluster
        at_once = self._starts_all_that_fit or not cluster.waiting
        return at_once and cluster.fits(job)

    def choose(self, job: Job, sites: Sequence[int]) -> int:
        """See `UpperView.choose`; an exception inside the broker is reported as the broker's."""
        self._view.allowed = tuple(sites)
        expected = f"one of the sites {', '.join(map(str, sites))}, which can hold it and take it now"
        return chosen_site(self._broker, job, self._view, sites, expected=expected)

    def forecast(self, job: Job, site: int) -> Forecast:
        """See `UpperView.forecast`."""
        return self._forecasts.forecast(job, site)

    def waiting(self, site: int) -> Sequence[Job]:
        """See `UpperView.waiting`."""
        return tuple(self._machines[site].cluster.waiting.jobs)
