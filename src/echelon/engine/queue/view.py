"""View: the cluster as policies see it, read-only."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from echelon.engine.queue.ranking import check_key, ranks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence

    from echelon.engine.queue.cluster import Cluster
    from echelon.engine.queue.room_report import Conflict, RoomReport
    from echelon.engine.resources.resource import Fits
    from echelon.model import Job
    from echelon.policies import Order, Running
    from echelon.policies.contract import Lineup, NodeView, Profile, Shadow


class View:
    """Implements `echelon.policies.SystemView` on top of a `Cluster`."""

    __slots__ = (
        "_cluster",
        "_ranks",
        "_resource",
        "_users",
        "first_reservations",
        "fits",
        "notes",
        "reservations",
    )

    fits: Fits

    def __init__(self, cluster: Cluster) -> None:
        self._cluster, self._resource = cluster, cluster.resource
        # Asked most often: two calls less are 8 % of a run under EASY.
        self.fits = cluster.resource.test_in(cluster)
        self._ranks: dict[Order, list[int] | None] = {}
        self._users: int | None = None
        self.notes: MutableMapping[str, Any] = {}
        self.reservations: Mapping[int, float] = MappingProxyType(cluster.reservations)
        self.first_reservations: Mapping[int, float] = MappingProxyType(cluster.first_reservations)

    @property
    def first_promises(self) -> Mapping[int, float]:
        """An earlier name of `first_reservations`."""
        return self.first_reservations

    @property
    def now(self) -> float:
        """Time of this cycle, in seconds."""
        return self._cluster.now

    @property
    def processors(self) -> int:
        """Processors of the machine."""
        return self._resource.processors

    @property
    def free(self) -> int:
        """Processors not held by a running job."""
        return self._resource.free

    @property
    def queue(self) -> Sequence[Job]:
        """Waiting jobs in queue order, at present; first those whose reservation is on."""
        jobs = tuple(self._cluster.waiting.jobs)
        if (closures := self._resource.closures) is None:
            return jobs
        first = closures.first_now(self._cluster.now)
        return tuple(sorted(jobs, key=lambda job: job.position not in first)) if first else jobs

    @property
    def running(self) -> Sequence[Running]:
        """Running jobs by planned end, then position, at present."""
        return tuple(self._cluster.running)

    @property
    def ended_early(self) -> bool:
        """Whether some job ended before its planned end since the last cycle."""
        return self._cluster.ended_early

    @property
    def mean_slowdown(self) -> float:
        """Mean bounded slowdown of the jobs that have ended; see `SystemView.mean_slowdown`."""
        return self._cluster.mean_slowdown

    def remaining(self, job: Job) -> float:
        """See `SystemView.remaining`."""
        return self._cluster.remaining(job)

    def waited(self, job: Job) -> float:
        """See `SystemView.waited`."""
        return self._cluster.waiting_time(job)

    def waiting_since(self, job: Job) -> float:
        """See `SystemView.waiting_since`."""
        return self._cluster.dispatches.join_time(job)

    def last_start(self, job: Job) -> float | None:
        """See `SystemView.last_start`."""
        return self._cluster.dispatches.last_start(job)

    def may_start(self, job: Job) -> bool:
        """See `SystemView.may_start`. Cost: O(segments), on nodes a placement."""
        return self._cluster.may_start(job)

    def room_report(self, job: Job) -> RoomReport:
        """Return what of the cluster waiting `job` finds now."""
        from echelon.engine.queue.room_report import room_report

        return room_report(self._cluster, job)

    def first_conflict(self, job: Job, planned: Iterable[tuple[Job, float]]) -> Conflict | None:
        """Return the first of these planned starts that `job` would be in the way of if it started now."""
        from echelon.engine.queue.room_report import first_conflict

        return first_conflict(self._cluster, job, planned)

    def lineup(self) -> Lineup:
        """See `SystemView.lineup`."""
        return self._resource.lineup(self._cluster)

    def side_by_side(self, jobs: Sequence[Job]) -> bool:
        """See `SystemView.side_by_side`. Cost: O(jobs), on nodes a placement of each."""
        return self._resource.side_by_side(jobs, self._cluster)

    def head_start(self, head: Job) -> Shadow:
        """See `SystemView.head_start`. Cost: O(running), on nodes times a placement."""
        return self._resource.head_start(head, self._cluster)

    def by_node(self, head: Job, *, small: bool = False) -> Sequence[NodeView]:
        """See `SystemView.by_node`. Cost: O(nodes)."""
        return self._resource.by_node(head, self._cluster, small=small)

    def shadow(self, size: int) -> tuple[float, int]:
        """See `SystemView.shadow`. Cost: O(running)."""
        return self._resource.shadow(size, self._cluster)

    def earliest_start(self, job: Job) -> float:
        """See `SystemView.earliest_start`. Cost: O(segments)."""
        return self._cluster.earliest_start(job)

    def availability(self) -> Profile:
        """See `SystemView.availability`. Cost: O(running)."""
        return self._resource.profile(self._cluster)

    @property
    def users(self) -> int:
        """Number of different users in the workload."""
        if self._users is None:
            self._users = self._cluster.scenario.instance.users
        return self._users

    def usage_share(self, job: Job, half_life: float) -> float:
        """See `SystemView.usage_share`. Cost: O(1)."""
        return self._cluster.usage.share(self._cluster.now, job.user, half_life)

    def names(self, column: str) -> Sequence[str]:
        """See `SystemView.names`."""
        return self._cluster.scenario.instance.workload.names.get(column, ())

    def draw(self, job: Job) -> float:
        """See `SystemView.draw`."""
        return self._cluster.draw(job)

    def rank(self, order: Order) -> Callable[[Job], object]:
        """See `SystemView.rank`. Cost: O(n log n) once a run, or one call of the rule a job."""
        if order not in self._ranks:
            scenario = self._cluster.scenario
            fixed = None if scenario.ranks_late else ranks(scenario.instance, order, scenario.seed)
            self._ranks[order] = None if fixed is None else fixed.tolist()
        cached_ranks = self._ranks[order]
        if cached_ranks is not None:
            return lambda job: cached_ranks[job.position]
        return lambda job: (check_key(order, job, self), job.submit_time, job.position)
