"""SitesView: the view of metaschedulers of time-shared machines, on top of `Sites`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.grid_view import BrokerView
from echelon.errors import PolicyError
from echelon.model.streams import stream
from echelon.policies import Information

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator

    from echelon.engine.contract import Scenario
    from echelon.engine.grid_view import Requester
    from echelon.engine.immediate.accounting import CpuTimes
    from echelon.engine.immediate.sites import Sites
    from echelon.model import Job


class SitesView(BrokerView):
    """Implements `echelon.policies.immediate.contract.ImmediateView`.

    Information is always actual; a broker's ``belief`` is ignored. Planned schedules follow from sharing the
    cores if all jobs at the site take their planned times.

    Parameters
    ----------
    scenario : Scenario
        The run.
    broker : Requester
        Reads the view.
    sites : Sites
        The machines.
    cpu_times : CpuTimes
        CPU times of earlier jobs.
    """

    def __init__(self, scenario: Scenario, broker: Requester, sites: Sites, cpu_times: CpuTimes) -> None:
        super().__init__(scenario, broker, sites)
        self._sites, self._cpu_times = sites, cpu_times
        self._seed = scenario.seed
        self._lottery: Generator | None = None
        self._turns: list[list[float]] = []

    @property
    def speeds(self) -> Sequence[float]:
        """See `ImmediateView.speeds`."""
        return self._sites.speeds

    def load(self, site: int) -> float:
        """See `ImmediateView.load`."""
        return self._sites.load(site)

    def estimated_load(self, site: int) -> float:
        """See `ImmediateView.estimated_load`."""
        return self._sites.estimated_load(site)

    def cpu_time(self, job: Job, site: int) -> float | None:
        """See `ImmediateView.cpu_time`."""
        return self._cpu_times.mean(job.executable, site)

    def uniform(self, job: Job, turn: int) -> float:
        """See `ImmediateView.uniform`."""
        if not isinstance(turn, int) or turn < 0:
            rule = f"asks the view for a random number of turn {turn!r:.40}; expected 0, 1, 2 ..."
            raise PolicyError(self._broker.name, time=self.now, job_id=job.job_id, broken_rule=rule)
        if self._lottery is None:  # created when needed: a run records which streams it draws
            self._lottery = stream(self._seed, "lottery")
        while len(self._turns) <= turn:
            self._turns.append(self._lottery.random(len(self._instance)).tolist())
        return self._turns[turn][job.position]

    def execution_time(self, job: Job, site: int) -> float:
        """See `ImmediateView.execution_time`."""
        return self._sites.execution_time(job, site)

    def ready_time(self, site: int) -> float:
        """See `ImmediateView.ready_time`. Level `ESTIMATES`."""
        self._check(Information.ESTIMATES, "ready_time")
        return self._sites.ready_time(site)

    def _check_look_ahead(self, scenario: Scenario, broker: Requester) -> None:
        """Refuse nothing: the planned schedule of a machine can always be computed."""
