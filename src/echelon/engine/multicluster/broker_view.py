"""SharedView: what a broker is shown of a multicluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.grid_view import BrokerView
from echelon.policies import Information

if TYPE_CHECKING:
    from echelon.engine.contract import Scenario
    from echelon.engine.grid_view import Requester
    from echelon.engine.multicluster.books import Books
    from echelon.engine.multicluster.forecasts import ForecastBook
    from echelon.model import Forecast, Job
    from echelon.policies import Broker


class SharedView(BrokerView):
    """What `BrokerView` is, and what estimators and owners' nodes say.

    There is one world here, what really happens: beliefs in another are passed over. Sizes are slots for
    tasks, and schedules by plan are simulated as the analytic estimators do.

    Parameters
    ----------
    scenario : Scenario
        The run.
    broker : Broker
        Who looks.
    books : Books
        Of the clusters.
    forecasts : ForecastBook
        Of the estimators.
    """

    def __init__(self, scenario: Scenario, broker: Broker, books: Books, forecasts: ForecastBook) -> None:
        super().__init__(scenario, broker, books)
        self._books, self._forecasts = books, forecasts

    def forecast(self, job: Job, site: int) -> Forecast:
        """See `GridView.forecast`."""
        self._check(Information.SCHEDULES, "forecast")
        return self._forecasts.forecast(job, site)

    def occupied(self, job: Job, site: int) -> int:
        """See `GridView.occupied`."""
        self._check(Information.SCHEDULES, "occupied")
        return self._books.occupied(job, site)

    def memory_use(self, site: int) -> float:
        """See `GridView.memory_use`."""
        self._check(Information.JOB_SIZES, "memory_use")
        return self._books.memory_use(site)

    def fullest_node(self, site: int) -> int:
        """See `GridView.fullest_node`."""
        self._check(Information.JOB_SIZES, "fullest_node")
        return self._books.fullest_node(site)

    def _check_look_ahead(self, scenario: Scenario, broker: Requester) -> None:
        """Refuse nothing: what a cluster's queue holds can always be simulated."""
