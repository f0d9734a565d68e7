"""What a policy is asked, what it is shown, and what it may answer.

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
    """Start `job` now, or let it go on if it was preempted.

    `switch` is what the change of context costs, in seconds, >= 0: the job holds its processors that long
    before it makes any progress. `where` is how many cores it takes in which nodes, as `Profile.hold` says;
    by default its placement decides, and on a machine whose nodes are not told apart it must be left out.
    """

    job: Job
    switch: float = 0.0
    where: Where | None = None


class Preempt(NamedTuple):
    """Suspend running `job` now: it gives its processors back and waits again, with the time it has left.

    What it has done is kept; a switch it had not yet paid in full is lost. A job whose end is at this very
    instant is not suspended but ends.
    """

    job: Job


class Reserve(NamedTuple):
    """Promise `job` that it starts at `time` (seconds, >= now); replaces an earlier promise to it.

    The engine keeps the promise in its availability profile and makes a pass when it falls due.
    """

    job: Job
    time: float


class Withdraw(NamedTuple):
    """Take back the promise to waiting `job`, so that the slot is free for others."""

    job: Job


class Wake(NamedTuple):
    """Ask for a pass at `time` (seconds, > now), even if nothing else happens then.

    As at any pass, the policy decides only if a job waits.
    """

    time: float


Where: TypeAlias = "Mapping[int, int]"
"""Cores that a job takes in each node it takes some of, by the node's number."""

Decision: TypeAlias = Start | Preempt | Reserve | Withdraw | Wake
"""What a policy may answer."""


class Running(NamedTuple):
    """A job that holds processors: it is planned to give them back at `planned_end` (seconds)."""

    planned_end: float
    position: int
    job: Job


class Profile(Protocol):
    """What is free over future time, a scratch copy that a policy may fill as it likes."""

    def earliest(self, size: int, duration: float) -> float:
        """Return the earliest time from which `size` processors stay free for `duration` seconds."""

    def take(self, start: float, duration: float, size: int) -> None:
        """Occupy `size` processors from `start` for `duration` seconds; where the machine has no nodes."""

    def earliest_for(self, job: Job) -> float:
        """Return the earliest time from which there is room for `job` for its planned time."""

    def hold(self, job: Job, start: float) -> Where | None:
        """Occupy room for `job` from `start`, a time from `earliest_for`, for its planned time.

        Returns
        -------
        Where, or None
            In which nodes, for the `Start` of a job that starts now; None where nodes are not told apart.
        """


class Shadow(Protocol):
    """When a blocked job could start by plan, and who may run beyond that time without delaying it."""

    @property
    def time(self) -> float:
        """Its shadow time: the earliest at which there is room for it if every running job ends by plan."""

    def admits(self, job: Job) -> Start | None:
        """Return the start, now, of a `job` that does not delay the blocked one, or None.

        It ends by the shadow time, by plan, or leaves enough room at that time for the blocked job.
        """

    def take(self, job: Job) -> None:
        """Take note that `job`, which `admits` let start, has started."""


class NodeView(Protocol):
    """A node by itself, to a rule that keeps each job in one: when one could start there, and who now."""

    @property
    def time(self) -> float:
        """When the whole job could start in this node if each running job ended at its start + planned time.

        In seconds; now, if there is room. Unlike planned ends, these are not put off where a job runs on.
        """

    @property
    def is_idle(self) -> bool:
        """Whether no core of it is held."""

    @property
    def outlook(self) -> tuple[float, int]:
        """When its cores are enough for the job if each running job ended then, and how many more are free.

        The time in seconds, of the last of them where they never are; the cores are those of the whole node
        less the job's and those of jobs that end later: below 0 where the node is too small.
        """

    def start(self, job: Job) -> Start | None:
        """Return the start, now, of the whole `job` in this node, or None if there is no room for it."""


class SystemView(Protocol):
    """What a policy may know of one machine at one moment. Everything but `notes` is read-only."""

    @property
    def now(self) -> float:
        """Time of this pass, in seconds."""

    @property
    def processors(self) -> int:
        """Processors of the machine."""

    @property
    def free(self) -> int:
        """Processors not held by a running job."""

    @property
    def queue(self) -> Sequence[Job]:
        """Waiting jobs in queue order: by the order's key, then submit time, then position.

        A preempted job is among them, at the place its order gives it.
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
        """Whether some job ended before its planned end since the last pass."""

    @property
    def mean_slowdown(self) -> float:
        """Mean bounded slowdown (with 10 s) of the jobs that have ended so far; 1 if none has."""

    @property
    def notes(self) -> MutableMapping[str, Any]:
        """A notebook of the policy's own that lasts for this run; the engine never reads it."""

    def remaining(self, job: Job) -> float:
        """Return the planned time that a waiting or running job has left, in seconds, switches apart."""

    def waited(self, job: Job) -> float:
        """Return how long a job has been in the queue so far, suspensions included, in seconds."""

    def waiting_since(self, job: Job) -> float:
        """Return when a job last joined the queue: its submission or its last preemption, in seconds."""

    def last_start(self, job: Job) -> float | None:
        """Return when a job was last given processors, in seconds; None if it never was."""

    def fits(self, job: Job, where: Where | None = None) -> bool:
        """Return whether there is room for waiting `job` now, whatever is promised to others.

        On a machine of identical processors: whether enough of them are free. On nodes: wherever its
        placement finds room, or in these nodes if `where` names some.
        """

    def may_start(self, job: Job) -> bool:
        """Return whether waiting `job` can start now for its planned time without touching a promise."""

    def head_start(self, head: Job) -> Shadow:
        """Return when blocked `head` could start by plan, and who may run beside it."""

    def by_node(self, head: Job, *, small: bool = False) -> Sequence[NodeView]:
        """Return the nodes that could hold all of `head`, in the order of the placement; if `small`, all.

        A machine whose nodes are not told apart is one node.
        """

    def shadow(self, size: int) -> tuple[float, int]:
        """Return when `size` processors will be free by plan, and how many more will be then.

        The time is in seconds, the earliest at which `size` processors are free if every running job
        ends at its planned end; the number counts **every** job whose planned end is not later.
        """

    def earliest_start(self, job: Job) -> float:
        """Return the earliest start of `job` that delays no promise to another job, in seconds."""

    def availability(self) -> Profile:
        """Return free processors from now on by the running jobs alone, without promises."""

    @property
    def users(self) -> int:
        """Different users in the workload; those unknown count as one."""

    def usage_share(self, job: Job, half_life: float) -> float:
        """Return the share of all processor time used so far that the user of `job` has used, 0 to 1.

        A processor-second counts half when `half_life` seconds old; infinity forgets nothing, and 0 or less
        is an error. Running jobs count up to now. 0 if nobody has used any.
        """

    def names(self, column: str) -> Sequence[str]:
        """Return the names that the log gives to the codes of a job's ``user``, ``queue``, ``partition`` ...

        Code c is the name at index c - 1; empty where the log has numbers alone.
        """

    def draw(self, job: Job) -> float:
        """Return the uniform random number in [0, 1) that belongs to `job` under this run's seed."""

    def rank(self, order: Order) -> Callable[[Job], object]:
        """Return the sort key of jobs under `order`: its key, then submit time, then position."""


@runtime_checkable
class Scheduler(Protocol):
    """The whole question: which waiting jobs start now. Every backfilling is one.

    Attributes of the names of `Capabilities` say what it does and what it looks at; all are optional.
    """

    @property
    def name(self) -> str:
        """Name in messages and tables."""

    def decide(self, view: SystemView) -> Iterable[Decision]:
        """Yield decisions for this pass; stop when nothing more is to be done."""
