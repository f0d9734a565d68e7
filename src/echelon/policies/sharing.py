"""Sharing: how the tasks of a job take turns on its cores when it has fewer cores than tasks."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

from echelon.errors import InputError
from echelon.lazy import Rules
from echelon.quantities import is_number
from echelon.rules.family import Family
from echelon.rules.own_rule import Guard
from echelon.rules.parameter import canonical_spec

if TYPE_CHECKING:
    from echelon.rules.spec import Spec

LEAST_QUANTUM = 1e-6
"""Shortest turn, in seconds: no operating system switches tasks more often, and each turn is an event."""


@runtime_checkable
class Sharing(Protocol):
    """How tasks of a job share its cores: what the engine asks of a rule, built in or a user's own."""

    @property
    def name(self) -> str:
        """Name in specs."""
        ...

    @property
    def most(self) -> int:
        """Most tasks for each core, >= 2: with fewer cores than that asks for the job waits."""
        ...

    def turn(self, tasks: int, cores: int) -> float | None:
        """Return how long a task runs before the next has its turn, in seconds.

        Parameters
        ----------
        tasks : int
            Alike tasks of a job that start together on one processor.
        cores : int
            Of theirs there, 1 <= cores < tasks.

        Returns
        -------
        float or None
            >= 1e-6; None if tasks take no turns but all progress at once, each with an equal share.
        """
        ...


@dataclass(frozen=True, slots=True)
class RoundRobinSharing:
    """A core runs one task at a time; after a quantum the next waiting task has its turn.

    The tasks of a job on the cores of one processor form a ring. As many tasks run as there are cores; after
    a quantum the tasks that ran move behind those that wait. A task that ends leaves its core to the next.

    Parameters
    ----------
    quantum : float, default 0.1
        In seconds, >= 1e-6.
    most : int, default 4
        Most tasks per core, >= 2: with fewer cores than this requires, the job waits.

    Raises
    ------
    InputError
        If a value is out of its range.

    Notes
    -----
    **Ties**: the ring keeps the order of the tasks. **Cost**: one event per quantum of each processor.
    **Source**: the round robin that the extension of IRMASim names as future work (section 5.2), as in
    Arpaci-Dusseau, "Operating systems: three easy pieces", 2018, chapter 7.
    """

    quantum: float = field(default=0.1, metadata={"unit": "s"})
    most: int = 4

    name: ClassVar[str] = "round-robin"
    source: ClassVar[str] = "Arpaci-Dusseau, Operating systems: three easy pieces, 2018, chapter 7"

    def __post_init__(self) -> None:
        if not LEAST_QUANTUM <= self.quantum < math.inf:
            raise InputError(
                f"must be finite and at least {LEAST_QUANTUM:g} s, got {self.quantum!r}",
                field="round-robin, quantum",
            )
        _check_most(self.name, self.most)

    def turn(self, tasks: int, cores: int) -> float:
        """Return the quantum."""
        return self.quantum


@dataclass(frozen=True, slots=True)
class FairSharing:
    """All tasks of a job progress at once, each with an equal share of the cores: the ideal of CFS.

    t tasks on c cores of one processor progress at c / t of a core's speed each, and count as c tasks where
    they contend with others.

    Parameters
    ----------
    most : int, default 4
        Most tasks per core, >= 2: with fewer cores than this requires, the job waits.

    Raises
    ------
    InputError
        If `most` is out of its range.

    Notes
    -----
    **Source**: the completely fair scheduler that the extension of IRMASim names as future work (section
    5.2), as in Arpaci-Dusseau, "Operating systems: three easy pieces", 2018, chapter 9; its ideal, processor
    sharing, without a smallest time slice.
    """

    most: int = 4

    name: ClassVar[str] = "fair"
    source: ClassVar[str] = "Arpaci-Dusseau, Operating systems: three easy pieces, 2018, chapter 9"

    def __post_init__(self) -> None:
        _check_most(self.name, self.most)

    def turn(self, tasks: int, cores: int) -> None:
        """Return None: no task waits for a turn."""


@dataclass(frozen=True, slots=True)
class OwnSharing:
    """A user's own sharing and its spec: its most tasks for a core are checked now, each turn when asked."""

    spec: str
    rule: Sharing

    def __post_init__(self) -> None:
        _check_most(self.spec, self.rule.most)

    @classmethod
    def of(cls, rule: Sharing, spec: Spec | None) -> OwnSharing:
        """Return a rule of that spec, or one that was made, checked."""
        if isinstance(rule, cls):
            return rule
        return cls(canonical_spec(rule) if spec is None else spec.text.strip(), rule)

    @property
    def name(self) -> str:
        """Its name in messages."""
        return self.spec

    @property
    def most(self) -> int:
        """Most tasks for each core."""
        return self.rule.most

    def turn(self, tasks: int, cores: int) -> float | None:
        """Return what the rule says, if it is a turn."""
        with Guard(lambda failure: InputError(f"turn fails with {failure}", field=f"sharing {self.spec}")):
            turn = self.rule.turn(tasks, cores)
        if turn is None:
            return None
        if not is_number(turn) or not LEAST_QUANTUM <= turn < math.inf:
            raise InputError(
                f"turn must return a time of at least {LEAST_QUANTUM:g} s or None, got {turn!r:.60}",
                field=f"sharing {self.spec}",
            )
        return float(turn)


SHARINGS: Rules[type[RoundRobinSharing | FairSharing]] = Rules(
    __package__,
    {"round-robin": "sharing.RoundRobinSharing", "fair": "sharing.FairSharing"},
    {"rr": "round-robin", "cfs": "fair"},
)
"""All built-in sharings."""


def _none() -> None:
    """No sharing: a job waits until each of its tasks has a core."""


SHARING: Family[Sharing | None] = Family(
    "sharing",
    [SHARINGS],
    example="round-robin:quantum=0.1",
    is_rule=lambda thing: hasattr(thing, "turn"),
    is_ready=lambda rule: isinstance(rule, Sharing),
    must="have name, most and turn(tasks, cores)",
    groups=["echelon.sharings"],
    own=OwnSharing.of,
    nothing={"none": _none},
)
sharing, format_sharing = SHARING.of, SHARING.format


def _check_most(name: str, most: object) -> None:
    if not isinstance(most, int) or most < 2:
        raise InputError(f"must be at least 2, got {most!r:.40}", field=f"{name}, most")
