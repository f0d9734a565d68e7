"""The contract of policies: the view that a policy reads and the decisions that it returns.

A policy sees a `SystemView` (read-only) and answers with decisions, which are values: `Start`, `Preempt`,
`Reserve`, `Withdraw` and `Wake`. The engine applies each decision as soon as it is given, so the view a
generator sees after a ``yield`` already holds the job just started.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence

    from echelon.model import Job
    from echelon.policies.order.rule import Order


class Start(NamedTuple):
    """Start `job` now, or resume it if it was preempted.

    `switch` is the cost of the context switch, in seconds, >= 0: the job holds its processors that long
    before it makes any progress. `where` is the number of cores in each node, as returned by `Profile.hold`;
    by default the placement decides. Omit it on a machine without a node-level model.
    """

    job: Job
    switch: float = 0.0
    where: Where | None = None


class Preempt(NamedTuple):
    """Suspend running `job` now: it releases its processors and waits again, with its remaining time.

    Its progress is kept; a switch that is not yet complete is lost. A job whose end is at this very instant
    is not suspended but ends.
    """

    job: Job


class Reserve(NamedTuple):
    """Reserve a start of `job` at `time` (seconds, >= now); replaces an earlier reservation of the job.

    The engine keeps the reservation in its availability profile and runs a scheduling cycle when it is due.
    """

    job: Job
    time: float


class Withdraw(NamedTuple):
    """Withdraw the reservation of waiting `job`, so that the slot is free for other jobs."""

    job: Job


class Wake(NamedTuple):
    """Ask for a scheduling cycle at `time` (seconds, > now), even without another event then.

    As in any cycle, the policy decides only if a job waits.
    """

    time: float


Where: TypeAlias = "Mapping[int, int]"
"""Cores that a job takes in each of its nodes, by the node's number."""

Decision: TypeAlias = Start | Preempt | Reserve | Withdraw | Wake
"""The decisions that a policy may return."""


class Running(NamedTuple):
    """A job that holds processors, which it is planned to release at `planned_end` (seconds)."""

    planned_end: float
    position: int
    job: Job


class Profile(Protocol):
    """Free resources over future time, as a scratch copy that a policy may fill."""

    def earliest(self, size: int, duration: float) -> float:
        """Return the earliest time from which `size` processors stay free for `duration` seconds."""

    def take(self, start: float, duration: float, size: int) -> None:
        """Occupy `size` processors from `start` for `duration` seconds, on a machine without nodes."""

    def earliest_for(self, job: Job) -> float:
        """Return the earliest time from which there is room for `job` for its planned time."""

    def hold(self, job: Job, start: float) -> Where | None:
        """Occupy room for `job` from `start`, a time from `earliest_for`, for its planned time.

        Returns
        -------
        Where, or None
            The nodes, for the `Start` of a job that starts now; None without a node-level model.
        """


class Shadow(Protocol):
    """The planned start of a blocked job, and the jobs that may run beyond that time without delaying it."""

    @property
    def time(self) -> float:
        """Its shadow time: the earliest time with room for it if every running job ends as planned."""

    def admits(self, job: Job) -> Start | None:
        """Return the start, now, of a `job` that does not delay the blocked one, or None.

        It is planned to end by the shadow time, or it leaves enough room then for the blocked job.
        """

    def take(self, job: Job) -> None:
        """Record that `job`, which `admits` let start, has started."""


class NodeView(Protocol):
    """A single node, for rules that keep each job in one node: planned starts, and starts now."""

    @property
    def time(self) -> float:
        """When the whole job could start in this node if each running job ended at start + planned time.

        In seconds; now, if there is room. In contrast to planned ends, these times are not extended if a job
        runs longer.
        """

    @property
    def is_idle(self) -> bool:
        """Whether all cores of the node are idle."""

    @property
    def outlook(self) -> tuple[float, int]:
        """When the node has enough cores for the job if running jobs end then, and the cores left over.

        The time is in seconds; if the cores never suffice, it is the last end. The cores left over are those
        of the whole node less the job's and those of jobs that end later: below 0 if the node is too small.
        """

    def start(self, job: Job) -> Start | None:
        """Return the start, now, of the whole `job` in this node, or None if there is no room for it."""


class Lineup(Protocol):
    """Jobs that may run side by side, running jobs where they are, for rules that suspend the others.

    Jobs are added by precedence. Those that run stay on their processors; then those that wait get theirs,
    in the order in which they were added, from what is left. A rule that suspends all other running jobs
    first, and then starts the waiting jobs in this order, finds room for each of them.
    """

    @property
    def free(self) -> int:
        """Processors that are left beside the jobs added."""

    def admits(self, job: Job) -> bool:
        """Return whether all jobs added and `job`, waiting or running, have room side by side."""

    def add(self, job: Job) -> None:
        """Add `job`, which the lineup admits."""


class SystemView(Protocol):
    """What a policy may know of one machine at one instant. Everything but `notes` is read-only."""

    @property
    def now(self) -> float:
        """Time of this scheduling cycle, in seconds."""

    @property
    def processors(self) -> int:
        """Processors of the machine."""

    @property
    def free(self) -> int:
        """Processors not held by a running job, nor down.

        Some of them may be closed now to some jobs: `fits` says whether a job may have them.
        """

    @property
    def queue(self) -> Sequence[Job]:
        """Waiting jobs in queue order: by the order's key, then submit time, then position.

        Preempted jobs are among them, at their places in the order.
        """

    @property
    def running(self) -> Sequence[Running]:
        """Jobs that hold processors, by planned end, then position."""

    @property
    def reservations(self) -> Mapping[int, float]:
        """Start time reserved for each waiting job that has a reservation, by the job's position."""

    @property
    def first_reservations(self) -> Mapping[int, float]:
        """Start time of the first reservation of each waiting job that ever had one, by position."""

    @property
    def ended_early(self) -> bool:
        """Whether reservations may move forward since the last scheduling cycle.

        Some job ended before its planned end, one with a reservation left, or nodes came back.
        """

    @property
    def mean_slowdown(self) -> float:
        """Mean bounded slowdown (with 10 s) of the jobs that have ended so far; 1 if no job has."""

    @property
    def notes(self) -> MutableMapping[str, Any]:
        """Private notes of the policy, kept for this run; the engine never reads them."""

    def remaining(self, job: Job) -> float:
        """Return the remaining planned time of a waiting or running job, in seconds, without switches."""

    def waited(self, job: Job) -> float:
        """Return how long a job has been in the queue so far, suspensions included, in seconds."""

    def waiting_since(self, job: Job) -> float:
        """Return when a job last joined the queue: its submission or its last preemption, in seconds."""

    def last_start(self, job: Job) -> float | None:
        """Return when a job last got processors, in seconds; None if it never did."""

    def fits(self, job: Job, where: Where | None = None) -> bool:
        """Return whether there is room for waiting `job` now, regardless of reservations.

        On a machine of identical processors: whether enough of them are free. On nodes: whether its placement
        finds room, or whether there is room in the nodes of `where`, if given. Where nodes are closed at
        times: in nodes that are open to the job for all of its planned time, as far as that is known.
        """

    def lineup(self) -> Lineup:
        """Return a lineup without jobs, to find what may run if all other running jobs are suspended."""

    def side_by_side(self, jobs: Sequence[Job]) -> bool:
        """Return whether the empty machine has room for all of `jobs`, whole, placed one after the other."""

    def may_start(self, job: Job) -> bool:
        """Return whether waiting `job` can start now for its planned time without delaying a reservation."""

    def head_start(self, head: Job) -> Shadow:
        """Return the planned start of blocked `head`, and the jobs that may run beside it."""

    def by_node(self, head: Job, *, small: bool = False) -> Sequence[NodeView]:
        """Return the nodes that could hold all of `head`, in the order of the placement; if `small`, all.

        A machine without a node-level model counts as one node.
        """

    def shadow(self, size: int) -> tuple[float, int]:
        """Return when `size` processors are planned to be free, and how many more are free then.

        The time, in seconds, is the earliest at which `size` processors are free if every running job ends at
        its planned end; the number counts **every** job whose planned end is not later.

        What is down counts as held until it is expected back, and what is known to be closed to some jobs at
        that time is not free then; whether it stays open is another question, which `earliest_start` answers
        for a job. Infinity if so many are never known to be free.
        """

    def earliest_start(self, job: Job) -> float:
        """Return the earliest start of `job` that delays no reservation of another job, in seconds."""

    def availability(self) -> Profile:
        """Return the free processors from now on, given the running jobs alone, without reservations."""

    @property
    def users(self) -> int:
        """Number of users in the workload; unknown users count as one."""

    def usage_share(self, job: Job, half_life: float) -> float:
        """Return the share of all processor time used so far that the user of `job` has used, 0 to 1.

        A processor-second counts half after `half_life` seconds; infinity means no decay, and 0 or less is an
        error. Running jobs count up to now. 0 if no user has used any.
        """

    def names(self, column: str) -> Sequence[str]:
        """Return the names that the log gives to the codes of a job's ``user``, ``queue``, ``partition`` ...

        Code c has the name at index c - 1; empty if the log has only numbers.
        """

    def draw(self, job: Job) -> float:
        """Return the uniform random number in [0, 1) that belongs to `job` under this run's seed."""

    def rank(self, order: Order) -> Callable[[Job], object]:
        """Return the sort key of jobs under `order`: its key, then submit time, then position."""


@runtime_checkable
class Scheduler(Protocol):
    """A scheduler: decides which waiting jobs start now. Every backfilling is a scheduler.

    Attributes named as in `Capabilities` declare its behavior; all are optional.
    """

    @property
    def name(self) -> str:
        """The name in messages and tables."""

    def decide(self, view: SystemView) -> Iterable[Decision]:
        """Yield the decisions of this scheduling cycle."""
