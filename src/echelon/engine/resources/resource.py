"""Resource: what jobs hold: counted processors, nodes, or cores that all share. One protocol for all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, Self, TypeAlias

from echelon.policies.contract import Profile

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence

    from echelon.engine.queue.cluster import Cluster
    from echelon.engine.resources.capacity import Outage
    from echelon.engine.resources.closures import Closure, Closures
    from echelon.model import Job
    from echelon.policies import Running
    from echelon.policies.contract import Lineup, NodeView, Shadow, Where

Holding: TypeAlias = Any
"""What a job holds: a number of processors; the cores of its tasks."""

Part: TypeAlias = Any
"""What a job gives back before its end: some of its cores."""

Place: TypeAlias = Any
"""Where something is planned: a number of processors; numbers of cores by node."""

Window: TypeAlias = Any
"""What is free throughout an interval: a number of processors; the cores and memory of each node."""


class Fits(Protocol):
    """See `echelon.policies.SystemView.fits`."""

    def __call__(self, job: Job, where: Where | None = None) -> bool:
        """Return whether there is room for waiting `job` now. Cost: O(1), on nodes a placement."""


class Resource(Protocol):
    """What every resource answers: what each job holds of it now, and what is down.

    Attributes
    ----------
    processors : int
        Its processors, whether or not they are down.
    """

    processors: int

    @property
    def free(self) -> int:
        """Its processors that no job and no outage holds."""

    def take(self, job: Job, holding: Holding, now: float) -> None:
        """Let `job` hold this from now on."""

    def give(self, job: Job, now: float, part: Part | None = None) -> Place:
        """Take a part of what `job` holds back, or all that it still holds.

        Returns
        -------
        Place
            Where that was; of a time-shared machine what it has computed there.
        """

    def holders(self, outage: Outage, running: Callable[[], Sequence[Job]]) -> list[Job]:
        """Return which running jobs hold what an outage takes, or must make room; `running`: latest first."""

    def change(self, outage: Outage, now: float, *, down: bool) -> None:
        """Let what an outage takes go down, which no job holds any more, or come back."""


class PlannedResource(Resource, Protocol):
    """A resource whose future follows from planned ends, so that a local scheduler can look ahead.

    A `Cluster` has the queue and the planned ends.

    Attributes
    ----------
    out : dict of Outage to Running
        The present outages, as holders of what is down.
    keeps_reservations : bool
        Whether every reservation can be kept; else power may be lacking, or owners in the way.
    closures : Closures or None
        When it is closed to some jobs; None if never.
    """

    out: dict[Outage, Running]
    keeps_reservations: bool
    closures: Closures | None

    @property
    def most_in_one_node(self) -> int | None:
        """Most free cores of one node; None without a node-level model."""

    def expect(self, outage: Outage, now: float) -> None:
        """Note that an outage continues, which was expected to end by now."""

    @property
    def is_capped(self) -> bool:
        """Whether its power has a cap."""

    @property
    def stretches(self) -> bool:
        """Whether jobs may take longer than their planned times because their tasks share cores."""

    def fits(self, job: Job, where: Place | None = None, now: float = 0.0) -> bool:
        """Return whether there is `room`."""

    def close(self, closures: Sequence[Closure], site: int | None) -> None:
        """Be closed at times to some jobs, as those of these closures say that are of the leaf `site`."""

    def count_closed(self, now: float) -> int:
        """Return how many of the free processors are closed to some jobs now."""

    def count_closed_to(self, job: Job, now: float) -> int:
        """Return how many of the free processors are closed to `job` at some time of its planned time."""

    def in_service(self, now: float, job: Job | None = None) -> int:
        """Return how many processors are neither down nor closed now to some jobs, or to `job`."""

    def test_in(self, cluster: Cluster) -> Fits:
        """Return what says quickest whether a waiting job of `cluster` fits; see `Cluster.fits`."""

    def room(self, job: Job, now: float, where: Place | None = None) -> Holding | None:
        """Return what `job` would hold if it started now, perhaps in these places; None without room."""

    def room_beside(self, job: Job, now: float, window: Window) -> Holding | None:
        """Return what `job` would hold if it started now in what a window leaves; None without room."""

    def planned_time_on(self, job: Job, holding: Holding) -> float:
        """Return the planned time of `job` there, in seconds: longer if its tasks share cores."""

    def place_of(self, holding: Holding) -> Place:
        """Return where that is."""

    def misplacement_of(self, job: Job, where: Where) -> str | None:
        """Return why a policy, perhaps a user's own, may not start `job` in these nodes; None if it may."""

    def no_room(self, job: Job, window: Window | None = None) -> str:
        """Return why `job` may not start now, perhaps in what a window leaves."""

    def forget(self, job: Job) -> None:
        """Forget what is known of waiting `job`, which has left the queue."""

    def profile(self, cluster: Cluster, *, kept: bool = False) -> Calendar:
        """Return what is free over future time beside what runs; `kept` if it will have all reservations."""

    def shadow(self, size: int, cluster: Cluster) -> tuple[float, int]:
        """Return when `size` processors are planned to be free, and how many more; see `SystemView`."""

    def head_start(self, head: Job, cluster: Cluster) -> Shadow:
        """Return when blocked `head` could start as planned; see `SystemView.head_start`."""

    def by_node(self, head: Job, cluster: Cluster, *, small: bool) -> Sequence[NodeView]:
        """Return the nodes that could hold `head`, or all if `small`; see `SystemView.by_node`."""

    def lineup(self, cluster: Cluster) -> Lineup:
        """Return a lineup without jobs; see `SystemView.lineup`."""

    def side_by_side(self, jobs: Sequence[Job], cluster: Cluster) -> bool:
        """Return whether it would have room for `jobs` if it were empty; see `SystemView.side_by_side`."""

    def copy(self) -> PlannedResource:
        """Return an independent copy."""


class PlacedResource(PlannedResource, Protocol):
    """A resource whose nodes have numbers: a job holds some of them."""

    @property
    def held(self) -> Mapping[int, Any]:
        """What each job, or outage, holds, by position."""

    def place_held(self, position: int) -> Where:
        """Return where a job holds nodes now."""

    def with_only(self, kept: Container[int], cluster: Cluster) -> Self:
        """Return a copy that the running jobs of `cluster` but those at the positions `kept` have left."""

    def put(self, job: Job, now: float) -> bool:
        """Place `job` in this copy; return whether there is room for it."""

    def put_back(self, job: Job, other: Self, now: float) -> None:
        """Let `job`, which runs in `other`, of which this is a copy, run in the same place here."""

    def copy(self) -> Self:
        """Return an independent copy."""


class Calendar(Profile, Protocol):
    """A profile that a `Cluster` keeps, with its reservations."""

    def advance(self, now: float) -> None:
        """Forget what lies before `now`."""

    def place(self, job: Job, start: float) -> Place | None:
        """Return where `job` would be from `start` for its planned time; None without room."""

    def window(self, start: float, end: float) -> Window:
        """Return what is free throughout [start, end)."""

    def take_where(self, job: Job, where: Place, start: float, end: float) -> None:
        """Occupy this for `job` in [start, end)."""

    def give_where(self, job: Job, where: Place, start: float, end: float) -> None:
        """Free this, which `job` had occupied, in [start, end)."""

    def conflict(self, job: Job, where: Place, start: float, end: float) -> str | None:
        """Return why `job` may not start there in [start, end); None if it may."""

    def no_room(self, job: Job, time: float) -> str:
        """Return why `job` gets no reservation at `time`."""


class PlacedCalendar(Calendar, Protocol):
    """The calendar of a `PlacedResource`."""

    def place_beside(self, job: Job, head: Job, start: float) -> Place | None:
        """Return where `job` would start now in what `head`, placed at `start`, leaves over; or None."""

    def still_starts(self, job: Job, time: float) -> bool:
        """Return whether `job` can start by `time`, its earliest start until more was taken."""
