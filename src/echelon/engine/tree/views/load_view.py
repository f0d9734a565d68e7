"""LoadView: sites as they appear to brokers that use loads and speeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.tree.views.broker_view import BrokerView
from echelon.errors import PolicyError
from echelon.model.streams import stream
from echelon.policies import Information

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator

    from echelon.model import Job


class LoadView(BrokerView):
    """Implements `echelon.policies.immediate.contract.ImmediateView`; the parameters are as of `BrokerView`.

    Information is always actual; a broker's ``belief`` is ignored. Planned schedules of time-shared machines
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
        self._check(Information.ESTIMATES, "ready_time")
        return self._sites[site].member.ready_time()
