"""JobsView: the dispatchers' view of the machines and of the waiting and running jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from echelon.engine.tree.views.load_view import LoadView
from echelon.policies import Information

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.contract import Scenario
    from echelon.engine.immediate.dispatch_site import DispatchSite
    from echelon.model import Job


class _Dispatcher(NamedTuple):
    """A dispatcher, as the view knows it: it may use all information."""

    name: str
    information: Information = Information.SCHEDULES


class JobsView(LoadView):
    """Implements `echelon.policies.immediate.contract.DispatchView`.

    Parameters
    ----------
    scenario : Scenario
        The run.
    name : str
        The name of the dispatcher.
    system : DispatchSite
        The machines.
    waiting : dict of int to Job
        Jobs not dispatched yet, by position, in the order of their submission; kept by its owner.
    """

    def __init__(self, scenario: Scenario, name: str, system: DispatchSite, waiting: dict[int, Job]) -> None:
        super().__init__(scenario, _Dispatcher(name), system.statistics)
        self._system, self._waiting = system, waiting

    @property
    def waiting(self) -> Sequence[Job]:
        """See `DispatchView.waiting`."""
        return tuple(self._waiting.values())

    @property
    def running(self) -> Sequence[Job]:
        """See `DispatchView.running`."""
        return tuple(self._system.running.values())

    def processes(self, site: int) -> int:
        """See `DispatchView.processes`."""
        return self._system.sites[site].machine.processes

    def fits(self, job: Job) -> Sequence[int]:
        """See `DispatchView.fits`."""
        return self._system.fits(job)

    def replicas(self, job: Job) -> Sequence[int]:
        """See `DispatchView.replicas`."""
        return tuple(self._system.copies[job.position])
