"""Membership criteria: which jobs a queue takes, by priority, tasks, type, communication, time or memory."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

from echelon.errors import InputError
from echelon.policies.job_types import is_of_type, type_of
from echelon.policies.order.priorities import NO_PRIORITIES, Priorities

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.model import Job

_BYTES_PER_KB = 1024.0


@runtime_checkable
class Membership(Protocol):
    """A membership criterion of a queue. A frozen rule with its parameters."""

    @property
    def name(self) -> str:
        """Its name in the spec of a queue, kebab-case."""

    def meets(self, job: Job, names: Callable[[str], Sequence[str]]) -> bool:
        """Return whether the queue takes `job`, by what is known when it is submitted.

        Parameters
        ----------
        job : Job
            The job.
        names : callable (str) -> sequence of str
            Names that the log gives to the codes of a column, as `SystemView.names`.
        """


@dataclass(frozen=True, slots=True)
class Bounds:
    """The base of criteria on a number of the job: `least` <= number <= `most`, where it is known.

    Parameters
    ----------
    least, most : float, default without bounds
        Both belong to the range.

    Raises
    ------
    InputError
        If `least` is above `most`, one is not a number, or no job has a number within them.

    Notes
    -----
    A job whose number is unknown meets no bound: of queues with bounds on it, none takes the job.
    """

    least: float = -math.inf
    most: float = math.inf

    name: ClassVar[str]
    smallest: ClassVar[float] = 0.0
    """No job has a smaller number."""
    is_known: ClassVar[bool] = False
    """Whether the number of every job is known."""
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, section 2.3"

    def __post_init__(self) -> None:
        where = f"membership {self.name}"
        if not self.least <= self.most:
            raise InputError(f"must have least <= most, got {self.least:g} and {self.most:g}", field=where)
        if self.most < self.smallest:
            problem = f"takes no job: most must be at least {self.smallest:g}, got {self.most:g}"
            raise InputError(problem, field=where)

    @property
    def takes_all(self) -> bool:
        """Whether it takes every job, so that it says nothing."""
        return self.is_known and (self.least, self.most) == (-math.inf, math.inf)

    def meets(self, job: Job, names: Callable[[str], Sequence[str]]) -> bool:
        """See `Membership.meets`."""
        number = self.number(job, names)
        return number is not None and self.least <= number <= self.most

    def number(self, job: Job, names: Callable[[str], Sequence[str]]) -> float | None:
        """Return the number of `job`; None if it is not known."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Tasks(Bounds):
    """Take jobs by their number of tasks, which is that of their processors.

    Parameters
    ----------
    least, most : float, default without bounds
        In processors; both belong to the range.
    """

    name: ClassVar[str] = "tasks"
    smallest: ClassVar[float] = 1.0
    is_known: ClassVar[bool] = True

    def number(self, job: Job, names: Callable[[str], Sequence[str]]) -> float:
        """See `Bounds.number`."""
        return job.processors


@dataclass(frozen=True, slots=True)
class Communication(Bounds):
    """Take jobs by the bandwidth that each of their tasks needs on its node's link, in bytes a second.

    The source says "communication requirements", which elsewhere in it are this bandwidth (PNBW). A job of
    one task needs none; without an application it is unknown.

    Parameters
    ----------
    least, most : float, default without bounds
        In bytes a second; both belong to the range. A text may have a unit: ``1Mbit/s``.
    """

    least: float = field(default=-math.inf, metadata={"unit": "B/s"})
    most: float = field(default=math.inf, metadata={"unit": "B/s"})

    name: ClassVar[str] = "communication"

    def number(self, job: Job, names: Callable[[str], Sequence[str]]) -> float | None:
        """See `Bounds.number`."""
        if job.application is None:
            return None
        return job.application.bandwidth if job.processors > 1 else 0.0


@dataclass(frozen=True, slots=True)
class PlannedTime(Bounds):
    """Take jobs by their planned time: the request, or under ``exact`` the run time alone.

    Parameters
    ----------
    least, most : float, default without bounds
        In seconds; both belong to the range. A text may have a unit: ``2h``.
    """

    least: float = field(default=-math.inf, metadata={"unit": "s"})
    most: float = field(default=math.inf, metadata={"unit": "s"})

    name: ClassVar[str] = "time"
    is_known: ClassVar[bool] = True
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, appendix A.2.1"

    def number(self, job: Job, names: Callable[[str], Sequence[str]]) -> float:
        """See `Bounds.number`."""
        return job.planned_time


@dataclass(frozen=True, slots=True)
class Memory(Bounds):
    """Take jobs by the memory of each task.

    It is that of the application, else what the log says.

    Parameters
    ----------
    least, most : float, default without bounds
        In bytes a processor; both belong to the range. A text may have a unit: ``1GB``.
    """

    least: float = field(default=-math.inf, metadata={"unit": "B"})
    most: float = field(default=math.inf, metadata={"unit": "B"})

    name: ClassVar[str] = "memory"
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, appendix A.2.1"

    def number(self, job: Job, names: Callable[[str], Sequence[str]]) -> float | None:
        """See `Bounds.number`."""
        if job.application is not None:
            return job.application.memory
        return job.memory * _BYTES_PER_KB if job.memory >= 0 else None


@dataclass(frozen=True, slots=True)
class Priority(Bounds):
    """Take jobs by their priority: the factor given to the log's queue (in Slurm, the QOS) of the job.

    Parameters
    ----------
    least, most : float, default without bounds
        Factors, 0 to 1; both belong to the range.
    qos : Priorities or mapping of str to float
        Factors from 0 to 1 by the names in the log, or by its numbers where it has no names:
        ``high=1+normal=0.5``; all others have 0. No log says what its queues are worth.

    Raises
    ------
    InputError
        If there are bounds and no factors.
    """

    qos: Priorities = NO_PRIORITIES

    name: ClassVar[str] = "priority"
    is_known: ClassVar[bool] = True

    def __post_init__(self) -> None:
        Bounds.__post_init__(self)
        object.__setattr__(self, "qos", Priorities.of(self.qos))
        if not self.qos and (self.least > -math.inf or self.most < math.inf):
            raise InputError(
                "needs the priorities of the log's queues, got none: priority(qos=high=1+low=0.2, least=0.5)",
                field="membership priority",
            )

    def number(self, job: Job, names: Callable[[str], Sequence[str]]) -> float:
        """See `Bounds.number`."""
        return self.qos.factor(job.queue, names("queue"))


@dataclass(frozen=True, slots=True)
class OfType:
    """Take jobs of one type: an application, an executable of the log, or those that need a library.

    Parameters
    ----------
    of : str, default "any"
        The name of the application, the log's number of the executable, or required software: ``"mpi"``.
        ``any``: all jobs whose type is known.
    """

    of: str = "any"

    name: ClassVar[str] = "type"
    bare_word: ClassVar[str] = "of"
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, section 2.3"

    def meets(self, job: Job, names: Callable[[str], Sequence[str]]) -> bool:
        """See `Membership.meets`."""
        return bool(type_of(job)) if self.of == "any" else is_of_type(job, self.of)
