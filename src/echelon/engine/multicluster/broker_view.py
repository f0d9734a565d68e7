"""SharedView: the broker's view of a multicluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.tree.broker_view import BrokerView
from echelon.policies import Information

if TYPE_CHECKING:
    from echelon.engine.contract import Scenario
    from echelon.engine.multicluster.accounting import Accounting
    from echelon.engine.multicluster.forecasts import ForecastBook
    from echelon.engine.tree.broker_view import Requester
    from echelon.model import Forecast, Job
    from echelon.policies import Broker


class SharedView(BrokerView):
    """`BrokerView` of a multicluster, with the forecasts of estimators and the load of nodes.

    Information is always actual; a broker's ``belief`` is ignored. Sizes are slots for tasks, and planned
    schedules are simulated as the analytic estimators do.

    Parameters
    ----------
    scenario : Scenario
        The run.
    broker : Broker
        Reads the view.
    accounting : Accounting
        Statistics of the clusters.
    forecasts : ForecastBook
        Forecasts of the estimators.
    """

    def __init__(
        self, scenario: Scenario, broker: Broker, accounting: Accounting, forecasts: ForecastBook
    ) -> None:
        super().__init__(scenario, broker, accounting)
        self._accounting, self._forecasts = accounting, forecasts

    def forecast(self, job: Job, site: int) -> Forecast:
        """See `GridView.forecast`."""
        self._check(Information.SCHEDULES, "forecast")
        return self._forecasts.forecast(job, site)

    def occupied(self, job: Job, site: int) -> int:
        """See `GridView.occupied`."""
        self._check(Information.SCHEDULES, "occupied")
        return self._accounting.occupied(job, site)

    def memory_use(self, site: int) -> float:
        """See `GridView.memory_use`."""
        self._check(Information.JOB_SIZES, "memory_use")
        return self._accounting.memory_use(site)

    def fullest_node(self, site: int) -> int:
        """See `GridView.fullest_node`."""
        self._check(Information.JOB_SIZES, "fullest_node")
        return self._accounting.fullest_node(site)

    def _check_look_ahead(self, scenario: Scenario, broker: Requester) -> None:
        """Refuse nothing: a cluster's queue can always be simulated."""
