"""Holdings: which cores the tasks of each job held, and when; of a schedule with the nodes they are of."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.columns import starts_of

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.model.jobs.demands import Demands
    from echelon.model.machines.hardware import Hardware
    from echelon.model.schedules.schedule import Schedule


@dataclass(frozen=True, slots=True, eq=False)
class Holdings:
    """The cores that equal tasks of one job held together in one processor: one row each.

    Rows are in order of job, then start, then lowest core. Times in seconds.

    Parameters
    ----------
    job : IntColumn, shape (n,)
        Position in the instance.
    group : IntColumn, shape (n,)
        Which of the job's groups of equal tasks, from 0.
    processor : IntColumn, shape (n,)
        Number of the processor in the hardware.
    tasks : IntColumn, shape (n,)
        Tasks here; more than cores only if they share them.
    first_core : IntColumn, shape (n + 1,)
        Where the cores of each row begin in `cores`; the last is their number.
    cores : IntColumn
        Numbers of the cores held, ascending in each row.
    start : FloatColumn, shape (n,)
        When the cores were taken.
    begin : FloatColumn, shape (n,)
        When the tasks began to progress: later than the start if a node had to wake up.
    end : FloatColumn, shape (n,)
        When the last of these tasks ended.
    release : FloatColumn, shape (n,)
        When the cores were released: an MPI job releases all when its last task ends.
    level : IntColumn, shape (n,)
        Frequency level of the processor's `levels`.
    speed : FloatColumn, shape (n,)
        Operations a second of each task if nothing slows it down.
    bandwidth : FloatColumn, shape (n,)
        Bytes a second that each of these tasks would move to and from memory if nothing slowed it down.

    Raises
    ------
    InputError
        If columns differ in length, or times in one row are out of order.
    """

    job: IntColumn
    group: IntColumn
    processor: IntColumn
    tasks: IntColumn
    first_core: IntColumn
    cores: IntColumn
    start: FloatColumn
    begin: FloatColumn
    end: FloatColumn
    release: FloatColumn
    level: IntColumn
    speed: FloatColumn
    bandwidth: FloatColumn

    def __post_init__(self) -> None:
        columns = (
            self.job, self.group, self.processor, self.tasks, self.start, self.begin, self.end, self.release,
            self.level, self.speed, self.bandwidth,
        )  # fmt: skip
        if len({*map(len, columns), len(self.first_core) - 1}) > 1:
            raise InputError("the columns of holdings must be equally long")
        wrong = ~((self.start <= self.begin) & (self.begin <= self.end) & (self.end <= self.release))
        if wrong.any():
            raise InputError(
                f"holdings must start, begin, end and release in order; row {int(wrong.argmax())} does not"
            )
        for column in (*columns, self.first_core, self.cores):
            column.flags.writeable = False

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.job)

    def take(self, positions: IntColumn) -> Holdings:
        """Return the rows of the jobs at `positions`, ascending, which are numbered from 0 again."""
        rows = np.isin(self.job, positions)
        counts = self.held
        columns = {
            spec.name: getattr(self, spec.name)[rows]
            for spec in fields(self)
            if spec.name not in {"job", "first_core", "cores"}
        }
        return Holdings(
            job=np.searchsorted(positions, self.job[rows]),
            first_core=starts_of(counts[rows]),
            cores=self.cores[np.repeat(rows, counts)],
            **columns,
        )

    @property
    def held(self) -> IntColumn:
        """Cores held in each row, shape (n,)."""
        return np.diff(self.first_core)


@dataclass(frozen=True, slots=True, eq=False)
class Sleeps:
    """When nodes were switched off: one row each time, in order of time.

    Parameters
    ----------
    node : IntColumn, shape (n,)
        Number of the node.
    start : FloatColumn, shape (n,)
        When it was switched off, in seconds.
    wake : FloatColumn, shape (n,)
        When it began to wake up; infinity if it never did.
    """

    node: IntColumn
    start: FloatColumn
    wake: FloatColumn

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.node)


class HeldNodes(NamedTuple):
    """What is known of a schedule that has `echelon.model.schedules.features.Feature.CORES`.

    Attributes
    ----------
    hardware : Hardware
        The nodes.
    demands : Demands
        What the tasks of each job asked for.
    holdings : Holdings
        Which cores they held.
    """

    hardware: Hardware
    demands: Demands
    holdings: Holdings

    @property
    def node(self) -> IntColumn:
        """Node of each holding."""
        return self.hardware.node_of_processor[self.holdings.processor]


def held_nodes(
    schedule: Schedule, problem: str = "needs a run on nodes, with the cores that its tasks held"
) -> HeldNodes:
    """Return the nodes of a schedule and what was held of them.

    Raises
    ------
    InputError
        With `problem`, if it is not known which cores tasks held.
    """
    hardware, demands, holdings = schedule.instance.hardware, schedule.instance.demands, schedule.holdings
    if hardware is None or demands is None or holdings is None:
        raise InputError(problem)
    return HeldNodes(hardware, demands, holdings)
