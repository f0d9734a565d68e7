"""Node backfilling: EASY's promise to the head, kept in each node by itself."""

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
    """Every job runs in one node; jobs may overtake the blocked head where they end before it could start.

    One pass at time t: start jobs from the head, each in the first node, in the order of the placement, that
    has a core for each of its tasks. The first that no node has room for is the head. Then, node by node in
    that order, of the nodes large enough for the head: its start there is when enough running jobs of that
    node have reached their start + planned time. Each later job, in queue order, starts there if there is
    room for it and t + its planned time is no later than the head's start in that node.

    Parameters
    ----------
    extra : bool, default False
        The rule of later versions of the program: each later job, in queue order, goes through all nodes in
        their order, also those that are too small for the head, and starts in the first that is idle and
        large enough, or has room for it and either meets the condition above or has that many cores to
        spare: those of the node less the head's and those of jobs that end after the head's start there.

    Notes
    -----
    Unlike under `easy`, without `extra` no job that ends later than the head's start overtakes it, though it
    leaves enough cores; with it, a long job may take an idle node from the head. In each node the head has
    another start. Of a job that runs on beyond its planned time the end is over, and without `extra` nobody
    overtakes where the head waits for it. On a machine whose nodes are not told apart, all of it is one node.
    A job that fits in no node, or names more than one, stops the run when it is the head, with a sentence.

    **Cost**: O(nodes x (queue + running)) a pass.
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
                raise _infeasible(waiting[0])
            start = next((found for node in nodes if (found := node.start(waiting[0])) is not None), None)
            if start is None:
                yield from self._into_extra(waiting, view) if self.extra else self._beside(waiting, view)
                return
            yield start
            del waiting[0]

    @staticmethod
    def _beside(waiting: list[Job], view: SystemView) -> Iterator[Decision]:
        """Yield the starts of jobs that overtake the blocked head, the first that waits."""
        for node in view.by_node(waiting[0]):
            latest = node.time
            for job in waiting[1:]:
                if view.now + job.planned_time > latest:
                    continue
                if (start := node.start(job)) is not None:
                    yield start
                    waiting.remove(job)

    @staticmethod
    def _into_extra(waiting: list[Job], view: SystemView) -> Iterator[Decision]:
        """Yield the starts of jobs that overtake the blocked head, by the rule of later versions."""
        nodes = view.by_node(waiting[0], small=True)
        for job in waiting[1:]:
            start = next((found for node in nodes if (found := _overtaking(job, node, view.now))), None)
            if start is not None:
                yield start


def _overtaking(job: Job, node: NodeView, now: float) -> Start | None:
    """Return the start of `job` in a node if it may overtake the head there; see `NodeBackfill.extra`."""
    start = node.start(job)
    if start is None or node.is_idle:
        return start
    time, extra = node.outlook
    return start if job.processors <= extra or now + job.planned_time <= time else None


def _infeasible(job: Job) -> InfeasibleJobError:
    several = job.demand is not None and job.demand.nodes > 1
    asks = f"asks for {job.demand.nodes} nodes" if several and job.demand else f"needs {job.processors} cores"
    return InfeasibleJobError(
        f"job {job.job_id} {asks}, and no node alone can hold it; node-backfill runs every job in one node: "
        f"leave it out, or take another policy, such as easy"
    )
