"""Node backfilling: EASY's promise to the head, kept in each node by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.errors import InfeasibleJobError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.model import Job
    from echelon.policies.contract import Decision, SystemView


@dataclass(frozen=True, slots=True)
class NodeBackfill:
    """Every job runs in one node; jobs may overtake the blocked head where they end before it could start.

    One pass at time t: start jobs from the head, each in the first node, in the order of the placement, that
    has a core for each of its tasks. The first that no node has room for is the head. Then, node by node in
    that order, of the nodes large enough for the head: its start there is when enough running jobs of that
    node have reached their start + planned time. Each later job, in queue order, starts there if there is
    room for it and t + its planned time is no later than the head's start in that node.

    Notes
    -----
    Unlike under `easy`, no job that ends later than the head's start overtakes it, though it leaves enough
    cores, and in each node the head has another start. Of a job that runs on beyond its planned time the end
    is over, and where the head waits for it nobody overtakes. On a machine whose nodes are not told apart,
    all of it is one node. A job that fits in no node, or names more than one, stops the run when it is the
    head, with a sentence.

    **Cost**: O(nodes x (queue + running)) a pass.
    **Source**: the public program of IRMASim, manager Backfill, GitHub 2019; its order of nodes is that of
    the placement `node-order`, its planned times are those of ``--estimates request``.
    """

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
                yield from self._beside(waiting, view)
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


def _infeasible(job: Job) -> InfeasibleJobError:
    several = job.demand is not None and job.demand.nodes > 1
    asks = f"asks for {job.demand.nodes} nodes" if several and job.demand else f"needs {job.processors} cores"
    return InfeasibleJobError(
        f"job {job.job_id} {asks}, and no node alone can hold it; node-backfill runs every job in one node: "
        f"leave it out, or take another policy, such as easy"
    )
