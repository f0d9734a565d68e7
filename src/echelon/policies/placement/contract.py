"""The contract of placements: the job and room that a placement gets and the cores that it returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from echelon.model import Hardware, Job
    from echelon.model.jobs.columns import FloatColumn, IntColumn


class Room(Protocol):
    """The free resources of nodes, now or at a later planned time. Read-only.

    Nodes, processors and cores have their numbers in the hardware. Resources reserved for other jobs are not
    free.
    """

    @property
    def hardware(self) -> Hardware:
        """All nodes."""

    @property
    def cores(self) -> IntColumn:
        """Cores that each node has to give, shape (n_nodes,)."""

    @property
    def memory(self) -> FloatColumn:
        """Bytes of memory that each node has to give, shape (n_nodes,)."""

    @property
    def asleep(self) -> NDArray[np.bool_]:
        """Whether each node is switched off now, shape (n_nodes,)."""

    @property
    def running(self) -> IntColumn:
        """Jobs that run in each node now, shape (n_nodes,)."""

    @property
    def memory_in_use(self) -> FloatColumn:
        """Bytes of memory that the tasks running in each node now hold, shape (n_nodes,)."""

    @property
    def bandwidth_asked(self) -> FloatColumn:
        """Memory bandwidth that the tasks on each processor demand, in bytes/s, shape (n_processors,)."""

    def idle(self, node: int) -> Sequence[int]:
        """Return the cores of a node of which it can give ``cores[node]``, ascending.

        There may be more of them: at a later time the idle cores of a node are not known yet, so all its
        cores are listed; and some idle cores may be reserved for other jobs.
        """

    def draws(self, job: Job) -> NDArray[np.float64]:
        """Return one uniform random number in [0, 1) for each core, that belong to `job`, shape (n_cores,).

        They are the same at every call under one seed.
        """


@runtime_checkable
class Placement(Protocol):
    """A placement: chooses the cores of a job."""

    @property
    def name(self) -> str:
        """Name in messages and tables."""

    def place(self, job: Job, cores: int, room: Room) -> Sequence[int] | None:
        """Return `cores` different cores for the tasks of `job`, or None if it cannot be placed.

        The job's tasks are dealt to them in their order. A node gives no more of its idle cores than
        ``room.cores`` and ``room.memory`` allow, each task taking the memory of the largest one. All are in
        one node if the job is sequential; if it names nodes, it is spread evenly over so many; if it limits
        its tasks per node, no node gives more. See `echelon.model.machines.capacity`.

        Parameters
        ----------
        job : Job
            With its `demand`.
        cores : int
            How many, 1 to its tasks; fewer than these only where tasks may share cores.
        room : Room
            The free resources.
        """


@dataclass(frozen=True, slots=True)
class Allocator:
    """The base of all built-in allocators: a name, a source, and `Placement.place`.

    Its fields are its settings, typed after its name: ``linear:curve=hilbert``. A class is listed in
    `echelon.policies.placement.registry`.
    """

    name: ClassVar[str]
    source: ClassVar[str]

    def place(self, job: Job, cores: int, room: Room) -> Sequence[int] | None:
        """See `echelon.policies.placement.Placement`."""
        raise NotImplementedError
