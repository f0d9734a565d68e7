"""Sharing: how the tasks of a job take turns on its cores when it has fewer cores than tasks."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias

from echelon.errors import InputError
from echelon.lazy import Rules
from echelon.rules.family import Family

LEAST_QUANTUM = 1e-6
"""Shortest turn, in seconds: no operating system switches tasks more often, and each turn is an event."""


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


Sharing: TypeAlias = RoundRobinSharing | FairSharing
"""How tasks of a job share its cores."""

SHARINGS: Rules[type[Sharing]] = Rules(
    __package__,
    {"round-robin": "sharing.RoundRobinSharing", "fair": "sharing.FairSharing"},
    {"rr": "round-robin", "cfs": "fair"},
)
"""All sharings; only built-in ones exist, because they act on the engine's own tasks."""

SHARING: Family[Sharing | None] = Family(
    "sharing",
    [SHARINGS],
    example="round-robin:quantum=0.1",
    is_rule=lambda thing: isinstance(thing, RoundRobinSharing | FairSharing),
    must="be round-robin or fair",
    nothing={"none": lambda: None},
)
sharing_words = SHARING.format


def sharing(given: str | Sharing) -> Sharing | None:
    """Return `given` as a sharing: a spec such as ``"round-robin:quantum=0.1"`` or ``"none"``, or a sharing.

    Raises
    ------
    UnknownNameError
        If words name none.
    InputError
        If a parameter is wrong, or `given` is neither a spec nor a sharing.
    """
    return SHARING.of(given)


def _check_most(name: str, most: int) -> None:
    if most < 2:
        raise InputError(f"must be at least 2, got {most}", field=f"{name}, most")
