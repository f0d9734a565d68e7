"""A user's own resource order, made from a function by a decorator, and the cores that it sees."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

import numpy as np

from echelon.errors import PolicyError
from echelon.policies.placement.dynamic_orders import idle_in_processors
from echelon.policies.placement.ranking import Ranking, idle_cores
from echelon.policies.placement.resource_order import ResourceOrder
from echelon.rules.own_rule import Guard, check_rule

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from echelon.model import Core, Hardware, Job, Node, Processor
    from echelon.model.jobs.columns import IntColumn
    from echelon.policies.placement.contract import Room


class IdleCore:
    """One idle core with its processor and node, as a user's own rule sees them. Read-only."""

    __slots__ = ("_core", "_seen")

    def __init__(self, seen: _Seen, core: int) -> None:
        self._seen, self._core = seen, core

    @property
    def number(self) -> int:
        """Number of the core in the machine, from 0. A rule that reads it is called for every core."""
        self._seen.number = True
        return self._core

    @property
    def processor(self) -> int:
        """Number of its processor in the machine, from 0."""
        return int(self._seen.hardware.processor_of_core[self._core])

    @property
    def node(self) -> int:
        """Number of its node in the machine, from 0."""
        return int(self._seen.hardware.node_of_core[self._core])

    @property
    def speed(self) -> float:
        """Operations a second: clock x operations per cycle."""
        return float(self._seen.hardware.core_speed[self._core])

    @property
    def clock(self) -> float:
        """Cycles a second."""
        return self._itself.clock

    @property
    def dynamic_power(self) -> float:
        """Its additional power while a task holds it, in W."""
        return float(self._seen.hardware.core_power[self._core])

    @property
    def static_power(self) -> float:
        """What its processor draws while at least one of its cores is held, in W."""
        return self._its_processor.static_power

    @property
    def memory_bandwidth(self) -> float:
        """Of its processor to memory, in bytes a second."""
        return self._its_processor.memory_bandwidth

    @property
    def memory(self) -> float:
        """Memory of its node, in bytes."""
        return self._its_node.memory

    @property
    def network_bandwidth(self) -> float:
        """Of its node to others, in bytes a second."""
        return self._its_node.network_bandwidth

    @property
    def idle_in_processor(self) -> int:
        """Idle cores of its processor, itself among them."""
        return int(self._seen.idle[self.processor])

    @property
    def idle_in_node(self) -> int:
        """Cores its node has to give."""
        return int(self._seen.room.cores[self.node])

    @property
    def free_memory(self) -> float:
        """Memory its node has to give, in bytes."""
        return float(self._seen.room.memory[self.node])

    @property
    def running(self) -> int:
        """Jobs that run in its node now."""
        return int(self._seen.room.running[self.node])

    @property
    def asleep(self) -> bool:
        """Whether its node is switched off now."""
        return bool(self._seen.room.asleep[self.node])

    @property
    def _its_node(self) -> Node:
        return self._seen.hardware.nodes[self.node]

    @property
    def _its_processor(self) -> Processor:
        return self._seen.hardware.processors[self.processor]

    @property
    def _itself(self) -> Core:
        first = int(self._seen.hardware.first_core_of_processor[self.processor])
        return self._its_processor.cores[self._core - first]


class _Seen:
    """The data shared by the cores of one call: the room, and whether the rule read a core's number."""

    def __init__(self, room: Room) -> None:
        self.room, self.hardware, self.number = room, room.hardware, False
        self._idle: IntColumn | None = None

    @property
    def idle(self) -> IntColumn:
        """Idle cores of each processor, counted at first use."""
        if self._idle is None:
            self._idle = idle_in_processors(self.room)
        return self._idle


@dataclass(frozen=True, slots=True)
class OwnOrder(ResourceOrder):
    """A user's own resource order, made from a function; build it with `placement`.

    Parameters
    ----------
    name : str
        Kebab-case.
    source : str
        The paper that defines it, or ``"none"``.
    rule : callable (core, job) -> float
        The key of an idle core, a finite number; the lowest first, ties by core number.

    Notes
    -----
    Cost: one call a run of equal cores of one processor; a rule that reads `IdleCore.number` is called once
    a core.
    """

    name: str  # type: ignore[misc]
    source: str  # type: ignore[misc]
    rule: Callable[[Any, Any], Any]
    made_of: ClassVar[str] = "rule"

    def alike(self, hardware: Hardware) -> Sequence[NDArray[np.generic]]:
        """Return all that cores of one node can differ in, but for their numbers."""
        clock = np.array([core.clock for processor in hardware.processors for core in processor.cores])
        return (hardware.processor_of_core, hardware.core_speed, clock, hardware.core_power)

    def ranking(self, job: Job, room: Room) -> Ranking:
        """Return the cores in this order, as it is now for `job`.

        Raises
        ------
        PolicyError
            If the rule fails or gives no finite number.
        """
        runs, seen = self.runs(room.hardware), _Seen(room)
        keys = np.zeros(len(runs.first))
        for run in np.flatnonzero(room.cores[runs.node] > 0).tolist():
            keys[run] = self._key(IdleCore(seen, int(runs.first[run])), job)
        if not seen.number:
            return runs.rank(keys)
        cores = idle_cores(room, room.cores > 0)
        keys = np.array([self._key(IdleCore(seen, core), job) for core in cores.tolist()], dtype=np.float64)
        return Ranking.of_cores(room.hardware, cores, keys)

    def _key(self, core: IdleCore, job: Job) -> float:
        with Guard(lambda failure: self._refuse(job, f"makes the placement fail with {failure}")):
            key = self.rule(core, job)
            fine = math.isfinite(key)
        if not fine:
            where = f"a core of node {core.node}"
            self._refuse(job, f"has the key {key!r:.60} at {where}; expected a finite number")
        return float(key)

    def _refuse(self, job: Job, rule: str) -> NoReturn:
        raise PolicyError(self.name, time=None, job_id=job.job_id, broken_rule=rule)


def placement(name: str, *, source: str) -> Callable[[Callable[[Any, Any], Any]], OwnOrder]:
    """Make a placement from a function of (core, job): the key of an idle core; the lowest first.

    Parameters
    ----------
    name : str
        Kebab-case name.
    source : str
        The paper that defines it, or ``"none"``.

    Raises
    ------
    InputError
        If the function does not take exactly (core, job) or has no docstring.

    Examples
    --------
    >>> from echelon import placement
    >>> @placement("least-busy", source="none")
    ... def least_busy(core, job):
    ...     '''Cores of the node with the fewest running jobs first.'''
    ...     return core.running
    >>> least_busy.name
    'least-busy'
    """

    def make(rule: Callable[[Any, Any], Any]) -> OwnOrder:
        says = "which cores come first"
        check_rule(rule, kind="a placement", takes=("core", "job"), says=says, name=name)
        return OwnOrder(name, source, rule)

    return make
