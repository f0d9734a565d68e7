"""Demands: the demands of each job's tasks on nodes, cores, memory and network."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.columns import ranges, starts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn


class TaskGroup(NamedTuple):
    """Equal tasks of one job.

    Attributes
    ----------
    tasks : int
        How many, >= 1.
    operations : float
        Of each task: required operations / instructions per cycle, > 0.
    memory : float
        That each holds while it runs, in bytes, >= 0.
    memory_volume : float
        That each moves between memory and processor, in bytes, >= 0.
    """

    tasks: int
    operations: float
    memory: float = 0.0
    memory_volume: float = 0.0


class Demand(NamedTuple):
    """The demand of one job.

    Attributes
    ----------
    groups : tuple of TaskGroup
        At least one; a sequential job has one.
    sequential : bool
        All tasks in one node, where each gives its core back as it ends. Otherwise an MPI job: tasks may be
        anywhere, start together, and all cores are released when the last one ends.
    nodes : int
        Nodes an MPI job must be spread over, in equal shares; 0: as it comes.
    tasks_per_node : int
        Largest number of tasks of it in one node, unless `nodes` says how many; 0: no limit.
    communication_volume : float
        Bytes exchanged between each pair of its tasks in different nodes, >= 0.
    compute_share : float
        Share of a task's time in which it computes, 0 to 1; the rest it communicates.
    """

    groups: tuple[TaskGroup, ...]
    sequential: bool = False
    nodes: int = 0
    tasks_per_node: int = 0
    communication_volume: float = 0.0
    compute_share: float = 1.0

    @property
    def tasks(self) -> int:
        """Number of tasks."""
        return sum(group.tasks for group in self.groups)

    @property
    def operations(self) -> float:
        """Operations of its longest task."""
        return max(group.operations for group in self.groups)

    @property
    def memory(self) -> float:
        """Memory of its largest task, in bytes, which is reserved for each of its tasks."""
        return max(group.memory for group in self.groups)

    @property
    def memory_volume(self) -> float:
        """Largest memory volume of a task, in bytes."""
        return max(group.memory_volume for group in self.groups)

    @property
    def memory_bandwidth(self) -> float:
        """Largest memory volume an operation of a task, in bytes; times a core's speed its bandwidth."""
        return max(group.memory_volume / group.operations for group in self.groups)


@dataclass(frozen=True, eq=False)
class Demands:
    """The demands of all jobs of a workload as columns: of jobs, and of groups of equal tasks.

    Parameters
    ----------
    sequential : ndarray of bool, shape (n_jobs,)
        Whether all tasks must be in one node; see `Demand`.
    nodes, tasks_per_node : IntColumn, shape (n_jobs,)
        As of `Demand`; 0: no matter.
    communication_volume, compute_share : FloatColumn, shape (n_jobs,)
        See `Demand`.
    first_group : IntColumn, shape (n_jobs + 1,)
        Where the groups of each job begin; the last is their number.
    tasks : IntColumn, shape (n_groups,)
        Equal tasks in each group, >= 1.
    operations, memory, memory_volume : FloatColumn, shape (n_groups,)
        Of each task; see `TaskGroup`.

    Raises
    ------
    InputError
        If columns of one kind differ in length, a job has no group, or a value is out of range: the
        message names the first job.
    """

    sequential: NDArray[np.bool_]
    nodes: IntColumn
    tasks_per_node: IntColumn
    communication_volume: FloatColumn
    compute_share: FloatColumn
    first_group: IntColumn
    tasks: IntColumn
    operations: FloatColumn
    memory: FloatColumn
    memory_volume: FloatColumn

    def __post_init__(self) -> None:
        of_jobs = (self.nodes, self.tasks_per_node, self.communication_volume, self.compute_share)
        of_groups = (self.tasks, self.operations, self.memory, self.memory_volume)
        groups = np.diff(self.first_group)
        if len({len(self), *map(len, of_jobs), len(groups)}) > 1 or len({*map(len, of_groups)}) > 1:
            raise InputError("columns of jobs, and those of groups of tasks, must be equally long")
        if len(self.first_group) and (self.first_group[-1] != len(self.tasks) or (groups < 1).any()):
            raise InputError("every job needs at least one group of tasks")
        self._check_values()
        for column in (self.sequential, self.first_group, *of_jobs, *of_groups):
            column.flags.writeable = False

    @classmethod
    def of(cls, demands: Sequence[Demand]) -> Demands:
        """Return the columns of these demands, one a job."""
        groups = [group for demand in demands for group in demand.groups]
        return cls(
            sequential=np.array([demand.sequential for demand in demands], dtype=np.bool_),
            nodes=np.array([demand.nodes for demand in demands], dtype=np.int64),
            tasks_per_node=np.array([demand.tasks_per_node for demand in demands], dtype=np.int64),
            communication_volume=np.array([d.communication_volume for d in demands], dtype=np.float64),
            compute_share=np.array([demand.compute_share for demand in demands], dtype=np.float64),
            first_group=starts_of([len(d.groups) for d in demands]),
            tasks=np.array([group.tasks for group in groups], dtype=np.int64),
            operations=np.array([group.operations for group in groups], dtype=np.float64),
            memory=np.array([group.memory for group in groups], dtype=np.float64),
            memory_volume=np.array([group.memory_volume for group in groups], dtype=np.float64),
        )

    @classmethod
    def join(cls, parts: Sequence[Demands]) -> Demands:
        """Return the demands of all parts' jobs, part by part; there is at least one part."""
        starts = starts_of([len(part.tasks) for part in parts])
        firsts = [part.first_group[:-1] + start for part, start in zip(parts, starts, strict=False)]
        columns = {
            spec.name: np.concatenate([getattr(part, spec.name) for part in parts])
            for spec in fields(cls)
            if spec.name != "first_group"
        }
        return cls(first_group=np.concatenate((*firsts, starts[-1:])).astype(np.int64), **columns)

    @classmethod
    def of_equal_tasks(
        cls, tasks: IntColumn, operations: FloatColumn, memory: FloatColumn, *, tasks_per_node: int = 0
    ) -> Demands:
        """Return the demands of jobs of equal tasks, which may be anywhere and do not communicate."""
        n, none = len(tasks), np.zeros(len(tasks))
        return cls(
            sequential=np.zeros(n, dtype=np.bool_),
            nodes=np.zeros(n, dtype=np.int64),
            tasks_per_node=np.full(n, tasks_per_node, dtype=np.int64),
            communication_volume=none,
            compute_share=np.ones(n),
            first_group=np.arange(n + 1),
            tasks=tasks.copy(),
            operations=operations,
            memory=memory,
            memory_volume=none.copy(),
        )

    def __len__(self) -> int:
        """Return the number of jobs."""
        return len(self.sequential)

    def __eq__(self, other: object) -> bool:
        """Two demands are equal when all their columns are."""
        if not isinstance(other, Demands):
            return NotImplemented
        return all(np.array_equal(getattr(self, f.name), getattr(other, f.name)) for f in fields(Demands))

    __hash__ = None  # type: ignore[assignment]

    def __getitem__(self, position: int) -> Demand:
        """Return the demand of the job at `position`."""
        here = slice(int(self.first_group[position]), int(self.first_group[position + 1]))
        columns = (self.tasks, self.operations, self.memory, self.memory_volume)
        groups = zip(*(column[here].tolist() for column in columns), strict=True)
        return Demand(
            tuple(TaskGroup._make(group) for group in groups),
            bool(self.sequential[position]),
            int(self.nodes[position]),
            int(self.tasks_per_node[position]),
            float(self.communication_volume[position]),
            float(self.compute_share[position]),
        )

    def straddle(self) -> Demands:
        """Return the demands of the same jobs if sequential ones may have their tasks in several nodes.

        They are placed like MPI jobs that name no nodes, and send nothing.
        """
        return replace(
            self,
            sequential=np.zeros_like(self.sequential),
            nodes=np.where(self.sequential, 0, self.nodes),
            tasks_per_node=np.where(self.sequential, 0, self.tasks_per_node),
            communication_volume=np.where(self.sequential, 0.0, self.communication_volume),
        )

    def take(self, positions: IntColumn) -> Demands:
        """Return the demands of the jobs at `positions`, in that order. Cost: O(groups)."""
        source = ranges(self.first_group[positions], self.first_group[positions + 1])
        columns = {
            spec.name: getattr(self, spec.name)[source if spec.name in TaskGroup._fields else positions]
            for spec in fields(self)
            if spec.name != "first_group"
        }
        return Demands(first_group=starts_of(np.diff(self.first_group)[positions]), **columns)

    @cached_property
    def size(self) -> IntColumn:
        """Tasks of each job, shape (n_jobs,)."""
        return self._over_groups(np.add, self.tasks)

    @cached_property
    def longest(self) -> FloatColumn:
        """Operations of each job's longest task, shape (n_jobs,)."""
        return self._over_groups(np.maximum, self.operations)

    @cached_property
    def largest(self) -> FloatColumn:
        """Memory of each job's largest task, in bytes, shape (n_jobs,), reserved for each task."""
        return self._over_groups(np.maximum, self.memory)

    def _over_groups(self, gather: np.ufunc, column: IntColumn | FloatColumn) -> NDArray:  # type: ignore[type-arg]
        return gather.reduceat(column, self.first_group[:-1]) if len(self) else column[:0]

    def _check_values(self) -> None:
        of_jobs = np.arange(len(self))
        of_groups = np.repeat(of_jobs, np.diff(self.first_group))
        whole, share = "a whole number >= {}", "a number from 0 to 1"
        computes, works = self.compute_share, self.operations
        rules = (
            ("nodes", self.nodes, of_jobs, self.nodes >= 0, whole.format(0)),
            ("tasks_per_node", self.tasks_per_node, of_jobs, self.tasks_per_node >= 0, whole.format(0)),
            ("communication_volume", (v := self.communication_volume), of_jobs, *_at_least_zero(v)),
            ("compute_share", computes, of_jobs, (computes >= 0) & (computes <= 1), share),
            ("tasks", self.tasks, of_groups, self.tasks >= 1, whole.format(1)),
            ("operations", works, of_groups, (works > 0) & np.isfinite(works), "a finite number > 0"),
            ("memory", self.memory, of_groups, *_at_least_zero(self.memory)),
            ("memory_volume", self.memory_volume, of_groups, *_at_least_zero(self.memory_volume)),
        )
        for name, column, job, right, expected in rules:
            if not right.all():
                first = int(np.flatnonzero(~right)[0])
                raise InputError(
                    f"expected {expected} for the job at position {job[first]}, got {column[first]}",
                    field=name,
                )


def _at_least_zero(column: FloatColumn) -> tuple[NDArray[np.bool_], str]:
    return (column >= 0) & np.isfinite(column), "a finite number >= 0"
