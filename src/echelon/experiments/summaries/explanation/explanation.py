"""Explanation: what is known of why a job started when it did."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from typing import Literal

    from echelon.engine.queue.room_report import RoomReport


class OtherJob(NamedTuple):
    """A job that an explanation names.

    Attributes
    ----------
    label : str
        Its name in the log.
    position : int
        Its place among the jobs simulated, from 0.
    processors : int
        What it needs.
    submit_time : float
        When it joined the queue, in seconds.
    """

    label: str
    position: int
    processors: int
    submit_time: float


class Holder(NamedTuple):
    """A running job.

    Attributes
    ----------
    job : OtherJob
        The job.
    planned_end : float
        When it was planned to end, in seconds.
    remaining : float
        The planned time that it had left, in seconds.
    """

    job: OtherJob
    planned_end: float
    remaining: float


class PlannedStart(NamedTuple):
    """The planned start of another job, which the job would have been in the way of.

    Attributes
    ----------
    job : OtherJob
        The other job.
    start : float
        Its planned start, in seconds.
    moved_to : float, optional
        Its earliest start then, in seconds; None if that is not later.
    is_reserved : bool
        Whether the start was reserved from cycle to cycle, rather than planned in one cycle.
    is_ahead : bool
        Whether the other job was ahead in the queue.
    """

    job: OtherJob
    start: float
    moved_to: float | None
    is_reserved: bool
    is_ahead: bool


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why a job waited from one time to another, as seen after each scheduling cycle between them.

    Parameters
    ----------
    kind : str
        ``processors``: fewer were free than it needs. ``closed``: enough were free, but some were closed to
        it before its planned end. ``place``: enough were free, but its placement found no room. The others
        had room for it: ``order``: a job ahead did not fit, and under this policy none overtakes. ``start``:
        it would have been in the way of a planned start. ``node``: in each node with room for it, another job
        was planned to start before its planned end. ``scheduler``: the scheduler did not start it, and
        nothing that it asked or decided says why.
    site : str
        The site in whose queue it waited; empty on one machine.
    since, until : float
        In seconds.
    needs : int
        Processors of the job.
    room : RoomReport
        What was free at `since`.
    most_free : int
        The most processors that were free after a cycle.
    running : tuple of Holder
        What ran at `since`, by planned end.
    ahead : tuple of OtherJob
        The jobs that waited ahead of it at `since`, in queue order.
    own_start : float, optional
        The start that was planned for the job itself where it was, in seconds; it did not change.
    planned_end : float
        When it would have ended as planned, had it started at `since`.
    remaining : float
        The planned time that it had left, in seconds.
    behind : OtherJob, optional
        Of ``order`` and ``node`` the job ahead.
    latest : float, optional
        Of ``node`` the latest of the planned starts, in seconds.
    conflict : PlannedStart, optional
        Of ``start`` the first planned start that it would have been in the way of at `since`.
    planned : tuple of PlannedStart
        Of ``start`` the planned starts that come before that one and would not have been affected.
    """

    kind: Literal["processors", "closed", "place", "order", "start", "node", "scheduler"]
    site: str
    since: float
    until: float
    needs: int
    room: RoomReport
    most_free: int
    running: tuple[Holder, ...]
    ahead: tuple[OtherJob, ...]
    own_start: float | None
    planned_end: float
    remaining: float
    behind: OtherJob | None = None
    latest: float | None = None
    conflict: PlannedStart | None = None
    planned: tuple[PlannedStart, ...] = ()


class Overtaker(NamedTuple):
    """A job that got processors at the same site while the job waited, and came later or was behind it.

    Attributes
    ----------
    job : OtherJob
        The other job.
    time : float
        When it started or resumed, in seconds.
    was_behind : bool
        Whether it was behind the job in the queue.
    planned_end : float
        When it was planned to end, in seconds.
    fitted : bool
        Whether there was room for the job, too, right before.
    reason : Obstacle, optional
        Why the job waited right before, if it was ahead and there was room for it; `since` and `until` are
        `time`.
    """

    job: OtherJob
    time: float
    was_behind: bool
    planned_end: float
    fitted: bool
    reason: Obstacle | None


class Began(NamedTuple):
    """How a job started, or resumed.

    Attributes
    ----------
    time : float
        In seconds.
    free : int
        Processors that were free right before.
    ended : tuple of OtherJob
        The jobs that ended at the site at this time.
    suspended : tuple of OtherJob
        The jobs that the scheduler had suspended in this cycle before.
    overtaken : tuple of OtherJob
        Jobs that were ahead of it in the queue and still waited after the cycle.
    planned_start : PlannedStart, optional
        The first planned start of a job that it overtook; `moved_to` is set if that moved.
    reserved : float, optional
        The start that was reserved for it, in seconds.
    planned_end : float
        When it was planned to end, in seconds.
    is_seen : bool
        Whether the decision was seen. If not, all but the times is unknown.
    paused : tuple of OtherJob
        Of `overtaken` those that had run already, and waited to run again: they share the machine in time.
    """

    time: float
    free: int
    ended: tuple[OtherJob, ...]
    suspended: tuple[OtherJob, ...]
    overtaken: tuple[OtherJob, ...]
    planned_start: PlannedStart | None
    reserved: float | None
    planned_end: float
    is_seen: bool = True
    paused: tuple[OtherJob, ...] = ()


class Stop(NamedTuple):
    """How a job lost its processors before its end.

    Attributes
    ----------
    time : float
        In seconds.
    by_scheduler : bool
        Whether the scheduler suspended it. If not, it lost nodes, or was stopped.
    """

    time: float
    by_scheduler: bool


@dataclass(frozen=True, slots=True)
class Wait:
    """One time that a job waited at a site: before its start, or after it lost its processors.

    Parameters
    ----------
    since : float
        In seconds; for the first wait when it was submitted.
    site : str
        The site where it waited last; empty on one machine, or if it is not known.
    arrival : float, optional
        When it was first seen in the queue of that site, in seconds; None if it was seen in none.
    obstacles : tuple of Obstacle
        Why it waited, in the order of time.
    overtakers : tuple of Overtaker
        In the order of time.
    began : Began, optional
        None if it never started again.
    stop : Stop, optional
        How it lost its processors again; None if it kept them until its end.
    """

    since: float
    site: str
    arrival: float | None
    obstacles: tuple[Obstacle, ...]
    overtakers: tuple[Overtaker, ...]
    began: Began | None
    stop: Stop | None


class Predecessor(NamedTuple):
    """A job that a job waits for.

    Attributes
    ----------
    job : OtherJob
        The predecessor.
    end : float, optional
        When it ended, in seconds; None if it did not.
    delay : float
        Seconds between its end and the release.
    """

    job: OtherJob
    end: float | None
    delay: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is known of why a job started when it did; its text is `sentences`, one a line.

    Parameters
    ----------
    job : OtherJob
        The job.
    policy : str
        The policy of its site, else of the run.
    preempts : bool
        Whether the scheduler may suspend jobs.
    broker : str, optional
        What chose its site; None on one machine.
    planned_time : float
        In seconds.
    logged_submit : float
        When the log submits it, in seconds.
    predecessors : tuple of Predecessor
        The jobs that it waited for.
    waits : tuple of Wait
        In the order of time; empty if it was never submitted.
    end : float, optional
        When it ended, in seconds; None if it did not.
    status : str
        What became of it: ``completed``, ``killed`` at its request, or the reason why it did not start or
        end.
    unix_start_time : float, optional
        Unix time of second 0, if the log says when it began: the sentences then have dates.
    time_zone : str, optional
        Zone of these dates, a name of the tz database; UTC without one.
    """

    job: OtherJob
    policy: str
    preempts: bool
    broker: str | None
    planned_time: float
    logged_submit: float
    predecessors: tuple[Predecessor, ...]
    waits: tuple[Wait, ...]
    end: float | None
    status: str
    unix_start_time: float | None = None
    time_zone: str | None = None

    @property
    def start(self) -> float | None:
        """When it first started, in seconds; None if it never did."""
        began = [wait.began for wait in self.waits if wait.began is not None]
        return began[0].time if began else None

    @property
    def sentences(self) -> list[str]:
        """The explanation in sentences."""
        from echelon.experiments.summaries.explanation.sentences import sentences_of

        return sentences_of(self)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values for JSON, with the sentences."""
        return {**_to_plain(asdict(self)), "sentences": self.sentences}

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    def _repr_html_(self) -> str:
        """Return the sentences as paragraphs, which a notebook shows."""
        from html import escape

        return "".join(f"<p>{escape(sentence)}</p>" for sentence in self.sentences)


def _to_plain(value: Any) -> Any:  # noqa: ANN401  (of any kind)
    """Return named tuples as mappings, all through."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {key: _to_plain(one) for key, one in value.items()}
    return [_to_plain(one) for one in value] if isinstance(value, tuple | list) else value
