"""OwnPlacement: a user's own placement, with checks of its results and protection of its inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NoReturn, TypeVar

import numpy as np

from echelon.errors import PolicyError
from echelon.quantities import is_whole
from echelon.rules.own_rule import Guard

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model import Demand, Hardware, Job
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies.placement.contract import Placement, Room

_Kind = TypeVar("_Kind", bound=np.generic)


@dataclass(frozen=True, slots=True)
class OwnPlacement:
    """A placement that is not part of the package.

    Parameters
    ----------
    rule : Placement
        The placement whose results are checked: core numbers, as many as requested, all different.
    """

    rule: Placement

    made_of: ClassVar[str] = "rule"

    @property
    def name(self) -> str:
        """Name of the rule."""
        return self.rule.name

    def check(self, hardware: Hardware) -> None:
        """Let the rule check this hardware, if it has a check."""
        check = getattr(self.rule, "check", None)
        if check is not None:
            check(hardware)

    def place(self, job: Job, cores: int, room: Room) -> tuple[int, ...] | None:
        """See `echelon.policies.placement.Placement`.

        Raises
        ------
        PolicyError
            If the rule fails, or returns anything but None or distinct core numbers, as many as requested and
            spread as the job requires.
        """
        with Guard(lambda failure: self._refuse(job, f"makes the placement fail with {failure}")):
            placed: object = self.rule.place(job, cores, _FixedRoom(room))
        if placed is None:
            return None
        if isinstance(placed, str) or not isinstance(placed, Sequence | np.ndarray):
            self._refuse(job, f"gets {placed!r:.60}; expected core numbers or None")
        numbers = list(placed)
        if not all(map(is_whole, numbers)):
            self._refuse(job, f"gets {numbers!r:.60}; expected core numbers")
        return self._check_count(tuple(int(core) for core in numbers), job, cores, room.hardware)

    def _check_count(
        self, placed: tuple[int, ...], job: Job, cores: int, hardware: Hardware
    ) -> tuple[int, ...]:
        different = len(set(placed))
        if len(placed) != cores or different != cores:
            self._refuse(job, f"gets {len(placed)} cores, {different} of them different; expected {cores}")
        beyond = [core for core in placed if not 0 <= core < hardware.cores]
        if beyond:
            self._refuse(job, f"gets core {beyond[0]}, but there are 0 to {hardware.cores - 1}")
        used = np.bincount(hardware.node_of_core[list(placed)])
        if job.demand is not None and (fault := spread_violation(used, job.demand)):
            self._refuse(job, fault)
        return placed

    def _refuse(self, job: Job, rule: str) -> NoReturn:
        raise PolicyError(self.name, time=None, job_id=job.job_id, broken_rule=rule)


def spread_violation(used: IntColumn, demand: Demand) -> str | None:
    """Return why these numbers of cores per node violate a job's demand; None if they satisfy it.

    Parameters
    ----------
    used : IntColumn
        Cores taken of each node, up to the last.
    demand : Demand
        Of the job.
    """
    spread = used[used > 0]
    if demand.sequential:
        # The spread of an MPI job does not matter.
        return f"is sequential, but gets cores of {len(spread)} nodes" if len(spread) > 1 else None
    nodes = min(demand.nodes, int(spread.sum()))
    if nodes and (len(spread) != nodes or spread.max() - spread.min() > 1):
        return f"gets shares of {spread.tolist()} cores, but asks for equal ones in {demand.nodes} nodes"
    # Equal shares determine the number of tasks of each named node, as in `echelon.model.machines.capacity`.
    if not nodes and demand.tasks_per_node and spread.max() > demand.tasks_per_node:
        return f"gets {spread.max()} cores of a node, but takes at most {demand.tasks_per_node}"
    return None


class _FixedRoom:
    """A room whose columns and lists can be read only."""

    __slots__ = ("_room",)

    def __init__(self, room: Room) -> None:
        self._room = room

    @property
    def hardware(self) -> Hardware:
        return self._room.hardware

    @property
    def cores(self) -> IntColumn:
        return _freeze(self._room.cores)

    @property
    def memory(self) -> FloatColumn:
        return _freeze(self._room.memory)

    @property
    def asleep(self) -> NDArray[np.bool_]:
        return _freeze(self._room.asleep)

    @property
    def running(self) -> IntColumn:
        return _freeze(self._room.running)

    @property
    def memory_in_use(self) -> FloatColumn:
        return _freeze(self._room.memory_in_use)

    @property
    def bandwidth_asked(self) -> FloatColumn:
        return _freeze(self._room.bandwidth_asked)

    def idle(self, node: int) -> tuple[int, ...]:
        return tuple(self._room.idle(node))

    def draws(self, job: Job) -> FloatColumn:
        return _freeze(self._room.draws(job))


def _freeze(column: NDArray[_Kind]) -> NDArray[_Kind]:
    shown = column.view()
    shown.flags.writeable = False
    return shown
