"""WholeMachine: a machine without a node-level model, as a single node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.node_outlook import Held, NodeOutlook
from echelon.policies import Start

if TYPE_CHECKING:
    from echelon.model import Job


class WholeMachine(NodeOutlook):
    """Implements `echelon.policies.contract.NodeView`, of all processors of a machine."""

    __slots__ = ()

    def _idle(self) -> tuple[int, float]:
        return self._cluster.free, 0.0

    def _held(self) -> list[Held]:
        return [Held(end, job.processors) for end, job in self._cluster.requested]

    def start(self, job: Job) -> Start | None:
        """See `NodeView.start`."""
        return Start(job) if self._cluster.fits(job) else None
