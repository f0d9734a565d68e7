"""SharedGroup: the clusters of shared nodes of a run, whose jobs have their ends in common, and owners."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NoReturn

from echelon.engine.ledger.observer import NO_SITE
from echelon.engine.multicluster.shared_deliveries import SharedDeliveries
from echelon.engine.queue.decisions import MOST_IN_VAIN, MOST_RESERVATIONS
from echelon.engine.system import LATEST, count_of, list_of
from echelon.engine.tree.controlled_site import rejected_jobs
from echelon.errors import DeadlockError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.engine.ledger.observer import Place
    from echelon.engine.multicluster.machine import SlotMachine
    from echelon.engine.multicluster.parts import Parts
    from echelon.engine.multicluster.sharing.nodes import SharedNodes
    from echelon.engine.tree.leaves import Leaves
    from echelon.engine.tree.queues.global_queue import GlobalQueue
    from echelon.model import Job, Schedule


class SharedGroup:
    """The ends of jobs on shared nodes, and the changes of their local load.

    Parameters
    ----------
    parts : Parts
        The parts of the run.
    leaves : Leaves
        All leaves of the run, the clusters among them.

    Attributes
    ----------
    queues : list of GlobalQueue
        The global queues right above clusters.

    Notes
    -----
    Cost: O(jobs beside it) per start, end or change of owner.
    """

    def __init__(self, parts: Parts, leaves: Leaves) -> None:
        self._parts, self._leaves = parts, leaves
        self._ledger = parts.ledger
        self.queues: list[GlobalQueue] = []
        self.nodes = parts.nodes
        self._in_vain = 0
        # Jobs that end at this instant and have not ended yet: under `event` in turn.
        self._still_to_end: set[int] = set()
        self.touched: set[int] = set()
        self._alone = SharedDeliveries(parts, range(len(parts.machines)))
        for machine, view in zip(parts.machines, parts.views, strict=True):
            machine.group, machine.view, machine.forecasts = self, view, parts.forecasts
        first = self._ledger.releases.next_time
        parts.local_load.take_changes(first)
        parts.local_load.begin(first)

    @property
    def _is_waiting(self) -> bool:
        """Whether some job waits in a global queue above, or in a cluster."""
        if any(queue.is_waiting for queue in self.queues):
            return True
        return any(machine.waiting for machine in self._parts.machines)

    def deliveries_of(self, queue: GlobalQueue, below: Sequence[Sequence[int]]) -> SharedDeliveries:
        """Return the deliveries to clusters by a global queue, whose branches have these leaves `below`."""
        self.queues.append(queue)
        cluster_of = {leaf: cluster for cluster, leaf in enumerate(self._parts.at)}
        direct = [cluster_of.get(leaves[0], -1) if len(leaves) == 1 else -1 for leaves in below]
        for cluster in direct:
            self._parts.machines[cluster].is_dispatched |= cluster >= 0
        return SharedDeliveries(self._parts, direct)

    def adapt(self, job: Job, cluster: int) -> Job:
        """Return `job`, which joins a cluster that has no global queue above it, as the cluster knows it."""
        job = self._alone.deliver(job, (cluster,), self._ledger.now)
        self._alone.note_joining(job, cluster)
        self._parts.forecasts.note_change(cluster)
        return job

    def place_of(self, job: Job) -> Place:
        """Return the place of running `job`."""
        return self._parts.place_of(job.position)

    def note_start(self, job: Job, cluster: int) -> None:
        """Note that `job` has started in a cluster that has no global queue above it, or has resumed."""
        self._alone.note_start(job, cluster)
        self._alone.forget(job)

    def note_withdrawal(self, job: Job, cluster: int) -> None:
        """Note that waiting `job` has left a cluster that has no global queue right above it."""
        self._alone.note_withdrawal(job, cluster)
        self._alone.forget(job)
        self.mark(cluster)

    def mark(self, cluster: int) -> None:
        """Note that the state of a cluster changes now."""
        leaf = self._parts.at[cluster]
        self._leaves.touch(leaf)
        self._parts.forecasts.note_change(cluster)
        for queue in self.queues:
            queue.mark_leaf(leaf)

    def begin(self, now: float) -> None:
        """Begin the instant `now`, in seconds: every cluster sees the nodes of all."""
        for machine in self._parts.machines:
            machine.begin(now)

    def next_event(self, other: float) -> float:
        """Return the time of the next end or change, or `other` if that is earlier, in seconds.

        Changes of owners alone do not keep a run alive.
        """
        pace = self._parts.pace
        if other == math.inf and not (pace.running or self._is_waiting):
            return other
        return pace.next_time(min(other, self._parts.local_load.next_time()))

    def ending_jobs(self) -> list[tuple[Job, int]]:
        """Return the jobs that end now, each with a leaf that it runs at."""
        jobs, site_of = self._ledger.jobs, self._leaves.site_of
        due = self._parts.pace.jobs_due(self._ledger.now)
        self._still_to_end = set(due)
        return [(jobs[position], site_of[position]) for position in due]

    def end(self, job: Job) -> None:
        """End running `job` now."""
        parts, ledger, position = self._parts, self._ledger, job.position
        self._still_to_end.discard(position)
        where = parts.place_of(position) if ledger.observers else NO_SITE
        progress = parts.pace.leave(position)
        start = ledger.dispatches.first_start(job)
        ran = ledger.dispatches.progress_of(position, ledger.now)
        site = parts.record.site_of(position)
        self._leaves.site_of[position] = parts.at[site]
        for number, (place, part) in enumerate(parts.virtual.parts_of(job, progress.nodes).items()):
            parts.machines[place].release(part)
            # A job of several clusters counts at each of them, and once above their inner site.
            above = parts.machines[place].above
            for statistics, branch in above[:1] if number else above:
                statistics.note_end(job, branch, start, ledger.now)
            self.mark(place)
        parts.virtual.dissolve(position)
        ledger.dispatches.note_end(position)
        ledger.dispatches.note_actual_end(position, ledger.now)
        ledger.ended += 1
        cut = position in parts.pace.cut
        experience = parts.record.note_end(job, site, (start, ran, ledger.now), cut=cut)
        parts.forecasts.learn(experience, job)
        if ledger.predictions is not None:
            ledger.predictions.note_end(position, ledger.now, experience.run)
        for observer in ledger.observers:
            observer.ended(ledger.now, job, where)

    def abandon(self, job: Job) -> bool:
        """Let running `job` give up its nodes; return whether it ran in one cluster alone.

        If not, it waits in the global queue that had started it.
        """
        parts = self._parts
        progress = parts.pace.progress(job.position, self._ledger.now)
        held = self._release(job)
        parts.pace.leave(job.position)
        dispatches = self._ledger.dispatches
        dispatches.requeue(job, self._ledger.now, progress)
        if dispatches.lengths is not None:
            parts.pace.plan_attempt(job.position, dispatches.run_time[job.position])
        if len(held) == 1:
            return True
        self._queue_above(held).take_back(job, [parts.at[place] for place in held])
        return False

    def spans(self, position: int) -> bool:
        """Return whether a job runs in several clusters."""
        return self._parts.virtual.spans(position)

    def suspend(self, job: Job) -> None:
        """Let running `job` leave all of its clusters, with what it has left.

        It waits in the global queue that had started it, which may resume it from the next instant on.
        """
        parts, now, position = self._parts, self._ledger.now, job.position
        left = parts.pace.time_left(job, now)
        held = self._release(job)
        parts.pace.set_aside(position, now)
        self._ledger.dispatches.preempt(job, now, planned_left=left, by_own=False)
        parts.virtual.note_suspension(position, now)
        self._queue_above(held).take_back_suspended(job, [parts.at[place] for place in held])

    def _release(self, job: Job) -> list[int]:
        """Let running `job` give up what it holds; return the clusters where that was."""
        parts, position = self._parts, job.position
        # What it did until now was where most of its tasks were.
        self._leaves.site_of[position] = parts.at[parts.record.site_of(position)]
        held = parts.virtual.parts_of(job, parts.pace.running[position].nodes)
        for place, part in held.items():
            parts.machines[place].cluster.release(part)
            self.mark(place)
        parts.virtual.dissolve(position)
        return list(held)

    def _queue_above(self, clusters: Sequence[int]) -> GlobalQueue:
        """Return the global queue right above these clusters, in which a job has parts."""
        leaf = self._parts.at[clusters[0]]
        return next(queue for queue in self.queues if queue.is_above(leaf))

    def change(self) -> None:
        """Let owners come and go."""
        parts = self._parts
        self.touched = parts.local_load.take_changes(self._ledger.now)
        parts.pace.touch(self.touched)
        for site in parts.sites_of(self.touched):
            parts.machines[site].owners_changed()
            self.mark(site)

    def settle(self, *, event: bool) -> None:
        """Let jobs continue at their new rates once all that end now have ended.

        `event` says whether one ended or was submitted now.
        """
        if self._still_to_end:
            return
        parts, now = self._parts, self._ledger.now
        repaced = parts.pace.settle(now) | self.touched
        parts.local_load.note(repaced, now)
        for site in parts.sites_of(repaced):
            parts.views[site].note_change()
            self._leaves.replan(parts.at[site])
        self._count_in_vain(event=event)

    def _count_in_vain(self, *, event: bool) -> None:
        pace, owners = self._parts.pace, self._parts.local_load
        idle = not event and (self._is_waiting or pace.running)
        idle = idle and pace.next_time(math.inf) == math.inf
        self._in_vain = self._in_vain + 1 if idle else 0
        # After the last change of owners, jobs that stand still never end, and reservations that could not be
        # kept again and again can be kept only under a policy that wakes up.
        last = idle and owners.next_time() == math.inf
        wakes = any(machine.cluster.wakes for machine in self._parts.machines)
        most = MOST_RESERVATIONS if last and not wakes else MOST_IN_VAIN
        lost = (last and pace.running) or self._in_vain > most
        deciding = any(queue.is_deciding for queue in self.queues)
        if lost and self._ledger.releases.next_time == math.inf and not deciding:
            self._raise_deadlock()

    def check_done(self) -> None:
        """Raise an error if jobs can never start or end."""
        if self._is_waiting or self._parts.pace.running:
            self._raise_deadlock()

    def _raise_deadlock(self) -> NoReturn:
        parts = self._parts
        raise_deadlock(
            parts.rules.global_queue.name,
            upper=[job for queue in self.queues for job in queue.queued],
            still=[progress.job for _, progress in sorted(parts.pace.running.items())],
            machines=parts.machines,
            nodes=parts.nodes,
        )

    def raise_endless(self) -> NoReturn:
        """Report jobs that run beyond the latest time."""
        raise_endless(progress.job for _, progress in sorted(self._parts.pace.running.items()))

    def schedule(self) -> Schedule:
        """Return the schedule with the nodes of every task, forecasts, and owners' delays.

        Jobs that no cluster can run or that stayed too long are dropped from its instance, with the reason.
        """
        parts, ledger = self._parts, self._ledger
        counts = {
            "events": 2 * len(ledger.jobs),
            "passes": ledger.cycles,
            "decisions": ledger.decisions,
            "forecasts": parts.forecasts.asked,
        }
        parts.record.rejected |= rejected_jobs(self.queues)
        if ledger.course is not None:
            parts.record.rejected |= ledger.course.unstarted_jobs(ledger.dispatches.starts())
        return parts.record.schedule(ledger, parts.forecasts, parts.local_load.delays(ledger.now), counts)

    def complete_schedule(self, plain: Schedule) -> Schedule:
        """Return the schedule of all sites with what happened on shared nodes."""
        parts = self._parts
        return parts.record.complete_schedule(
            plain, self._ledger, parts.forecasts, parts.local_load.delays(self._ledger.now)
        )


def raise_endless(jobs: Iterable[Job]) -> NoReturn:
    """Report that running jobs would end beyond the resolution of times."""
    raise DeadlockError(
        f"jobs {list_of(list(jobs), 'nodes')} would still run at t = {LATEST:.3g} s: powers, contracts, "
        "links or the execution leave them next to nothing; check the figures of the platform"
    )


def raise_deadlock(
    global_queue: str,
    *,
    upper: Iterable[Job],
    still: Iterable[Job],
    machines: Sequence[SlotMachine],
    nodes: SharedNodes,
) -> NoReturn:
    """Report which jobs can never start, or stand `still` on their nodes forever, and why."""
    if standing := list(still):
        raise DeadlockError(
            f"{count_of(standing)} can never end: {list_of(standing, 'nodes')}; the owners of their nodes "
            "take all of the processors and do not leave; let owners leave a share of them"
        )
    for machine in machines:
        waiting = machine.cluster.waiting.jobs
        if waiting and any(use.is_active for use in nodes.use[nodes.of(machine.slots.site)]):
            raise DeadlockError(
                f"{count_of(waiting)} can never start at site {machine.name!r}: {list_of(waiting, 'nodes')}; "
                "the owners of its nodes leave no room and do not leave; let owners take less, or choose a "
                "--longest-stay"
            )
        if waiting:
            machine.raise_deadlock()
    jobs = list(upper)
    if any(use.is_active for use in nodes.use):
        raise DeadlockError(
            f"{count_of(jobs)} can never leave the global queue {global_queue!r}: {list_of(jobs, 'nodes')}; "
            "owners at work leave no room and do not leave; let owners take less, or choose a --longest-stay"
        )
    raise DeadlockError(
        f"global queue {global_queue!r}: {count_of(jobs)} can never start, with no event left: "
        f"{list_of(jobs, 'nodes')}; dispatch the head when all clusters are empty"
    )
