"""FrozenCluster: a cluster of shared nodes as its last status and its stored estimates tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.multicluster.sharing.slots import Slots
from echelon.engine.tree.views.frozen_leaf import FrozenLeaf

if TYPE_CHECKING:
    from echelon.engine.multicluster.machine import SlotMachine
    from echelon.model import Forecast, Job
    from echelon.policies import Planned


class FrozenCluster(FrozenLeaf):
    """`FrozenLeaf` of shared nodes: a status of one instant, and estimates stored when first asked for.

    The status (jobs, memory, tasks in nodes, room for a job) is that of the instant it was asked for. An
    estimate of a job is made by the cluster itself, which knows its state, when it is first asked for; the
    same answer is given until the next status.

    Parameters
    ----------
    machine : SlotMachine
        As it is now.

    Notes
    -----
    The source stores estimates without an end. Here a new status drops them, since rules that choose again
    when the state has changed would else never see another one.

    **Cost**: O(nodes of all clusters) per status. **Source**: M-CISNE thesis, appendices A.3.1 and A.3.3.
    """

    def __init__(self, machine: SlotMachine) -> None:
        twin = machine.cluster.copy()
        assert isinstance(twin.resource, Slots)
        twin.resource.know(machine.group.nodes.copy())
        super().__init__(
            machine,
            machine.planned_schedule,
            lambda job: machine.would_start(twin, job),
            lambda job: machine.would_serve(twin, job),
        )
        self._forecasts: dict[int, Forecast] = {}
        self._occupied: dict[int, int] = {}
        self._plans: dict[int, list[Planned]] = {}

    def forecast(self, job: Job) -> Forecast:
        """See `Member.forecast`: the stored estimate, else the estimator's present one."""
        if job.position not in self._forecasts:
            self._forecasts[job.position] = self._leaf.forecast(job)
        return self._forecasts[job.position]

    def occupied(self, job: Job) -> int:
        """See `Member.occupied`; stored with the estimate."""
        if job.position not in self._occupied:
            self._occupied[job.position] = self._leaf.occupied(job)
        return self._occupied[job.position]

    def planned_schedule(self, job: Job | None) -> list[Planned]:
        """See `Member.planned_schedule`; stored as estimates are."""
        key = -1 if job is None else job.position
        if key not in self._plans:
            self._plans[key] = self._plan(job)
        return list(self._plans[key])
