"""Node backfilling: EASY's reservation for the head, held in each node separately."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.errors import InfeasibleJobError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.model import Job
    from echelon.policies.contract import Decision, NodeView, Start, SystemView


@dataclass(frozen=True, slots=True)
class NodeBackfill:
    """Every job runs in one node; jobs may overtake the blocked head in a node if they end before its start.

    One scheduling cycle at time t: start jobs from the head, each in the first node, in the order of the
    placement, that has a core for each of its tasks. The first job that fits in no node is the head. Then
    take the nodes that are large enough for the head, in the same order: the head's start in a node is the
    time at which enough running jobs of that node have reached start + planned time. Each later job, in queue
    order, starts there if there is room for it and t + its planned time is no later than the head's start in
    that node.

    Parameters
    ----------
    extra : bool, default False
        The rule of later versions of the program: each later job, in queue order, tries all nodes in their
        order, also those too small for the head. It starts in the first node that is idle and large enough,
        or that has room for it and either meets the condition above or has enough spare cores: the cores of
        the node less the head's and those of jobs that end after the head's start there.

    Notes
    -----
    In contrast to `easy`, without `extra` no job that ends later than the head's start overtakes it, even if
    it leaves enough cores; with `extra`, a long job may take an idle node from the head. The head has a
    different start in each node. The end of a job that exceeds its planned time counts as past, and without
    `extra` no job overtakes in a node where the head waits for it. A machine without a node-level model
    counts as one node. If a job that fits in no node, or asks for several nodes, becomes the head, the run
    stops with an error.

    **Cost**: O(nodes x (queue + running)) per cycle.
    **Source**: the public program of IRMASim, manager Backfill, GitHub 2019; its order of nodes is that of
    the placement `node-order`, its planned times are those of ``--estimates request``.
    """

    extra: bool = False

    name: ClassVar[str] = "node-backfill"
    source: ClassVar[str] = "IRMASim, GitHub 2019, manager Backfill"

    def decide(self, view: SystemView) -> Iterator[Decision]:
        """Yield the starts of this pass."""
        waiting = list(view.queue)
        while waiting and view.free:
            nodes = view.by_node(waiting[0])
            if not nodes:
                raise _refuse(waiting[0])
            start = next(
                (decision for node in nodes if (decision := node.start(waiting[0])) is not None), None
            )
            if start is None:
                yield from (
                    self._fill_extra(waiting, view) if self.extra else self._fill_beside(waiting, view)
                )
                return
            yield start
            del waiting[0]

    @staticmethod
    def _fill_beside(waiting: list[Job], view: SystemView) -> Iterator[Decision]:
        """Yield the starts of jobs that overtake the blocked head, which is the first waiting job."""
        for node in view.by_node(waiting[0]):
            latest = node.time
            for job in waiting[1:]:
                if view.now + job.planned_time > latest:
                    continue
                if (start := node.start(job)) is not None:
                    yield start
                    waiting.remove(job)

    @staticmethod
    def _fill_extra(waiting: list[Job], view: SystemView) -> Iterator[Decision]:
        """Yield the starts of jobs that overtake the blocked head, by the rule of later versions."""
        nodes = view.by_node(waiting[0], small=True)
        for job in waiting[1:]:
            start = next((decision for node in nodes if (decision := _overtake(job, node, view.now))), None)
            if start is not None:
                yield start


def _overtake(job: Job, node: NodeView, now: float) -> Start | None:
    """Return the start of `job` in a node if it may overtake the head there; see `NodeBackfill.extra`."""
    start = node.start(job)
    if start is None or node.is_idle:
        return start
    time, extra = node.outlook
    return start if job.processors <= extra or now + job.planned_time <= time else None


def _refuse(job: Job) -> InfeasibleJobError:
    several = job.demand is not None and job.demand.nodes > 1
    asks = f"asks for {job.demand.nodes} nodes" if several and job.demand else f"needs {job.processors} cores"
    return InfeasibleJobError(
        f"job {job.job_id} {asks}, and no node alone can hold it; node-backfill runs every job in one node: "
        f"leave it out, or take another policy, such as easy"
    )
