"""Dependencies: the jobs that each job waits for, a directed acyclic graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.columns import starts_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn

_MOST_SHOWN = 6
"""Jobs of a circle that a message names."""


class CircleError(InputError):
    """Raised for jobs that wait for each other in a circle, so that none could ever be released.

    Parameters
    ----------
    positions : list of int
        Each waits for the next; the first comes again last.
    label : callable (position) -> str, default str
        What to call a job.
    file : str, optional
        Where the jobs are from.
    """

    def __init__(
        self, positions: list[int], label: Callable[[int], str] | None = None, file: str | None = None
    ) -> None:
        self.positions = positions
        shown = [str(position) if label is None else label(position) for position in positions]
        more = " ..." if len(shown) > _MOST_SHOWN else ""
        by = "by position in the list" if label is None else "by job id"
        cycle = " waits for ".join(shown[:_MOST_SHOWN])
        super().__init__(
            f"jobs wait for each other in a cycle, {by}: {cycle}{more}; a job may only depend on jobs that "
            "do not depend on it",
            file=file,
            field="dependencies",
        )


@dataclass(frozen=True, slots=True, eq=False)
class Dependencies:
    """The predecessors of each job, and the delays after their ends until it is submitted.

    A job is *released* at the latest of end + delay over its predecessors and of its own submit time; a job
    that follows is released by its predecessors alone. It joins the queue when it is released, and that is
    its submit time for every policy and metric: see the page on semantics.

    Parameters
    ----------
    first : IntColumn, shape (n_jobs + 1,)
        Job j waits for the predecessors at first[j] ... first[j + 1] - 1.
    predecessor : IntColumn, shape (n_edges,)
        Positions of jobs, those of one job ascending and all different.
    delay : FloatColumn, shape (n_edges,)
        From the predecessor's end to the job's submission, in seconds, finite, >= 0: a think time.
    follows : ndarray of bool, shape (n_jobs,)
        Whether the job's own submit time does not count: it was a user's answer to the end of another, with a
        think time that the log says.

    Raises
    ------
    InputError
        If the columns do not fit each other, a predecessor is not a job, a job that follows has none, a delay
        is no finite number >= 0; a `CircleError` if jobs wait for each other in one.
    """

    first: IntColumn
    predecessor: IntColumn
    delay: FloatColumn
    follows: NDArray[np.bool_]

    def __post_init__(self) -> None:
        self._check_shapes()
        for column in (self.first, self.predecessor, self.delay, self.follows):
            column.flags.writeable = False
        if (circle := self.circle()) is not None:
            raise CircleError(circle)

    def _check_shapes(self) -> None:
        n_jobs, n_edges = len(self.follows), len(self.predecessor)
        counts = np.diff(self.first)
        fitting = len(self.first) == n_jobs + 1 and len(self.delay) == n_edges
        if not fitting or self.first[0] != 0 or self.first[-1] != n_edges or (counts < 0).any():
            raise InputError(
                f"columns must fit: {len(self.first)} bounds, {n_edges} predecessors, "
                f"{len(self.delay)} delays, {n_jobs} jobs",
                field="dependencies",
            )
        if n_edges and not (self.predecessor.min() >= 0 and self.predecessor.max() < n_jobs):
            raise InputError(f"predecessors must be positions from 0 to {n_jobs - 1}", field="dependencies")
        if not (np.isfinite(self.delay) & (self.delay >= 0)).all():
            raise InputError("delays must be finite numbers >= 0, in seconds", field="dependencies")
        if (self.follows & (counts == 0)).any():
            raise InputError("a job that follows needs a predecessor", field="dependencies")
        job = np.repeat(np.arange(n_jobs), counts)
        same = (np.diff(job) == 0) & (np.diff(self.predecessor) <= 0)
        if same.any():
            raise InputError("predecessors of a job must be ascending and different", field="dependencies")

    @classmethod
    def of_edges(
        cls,
        n_jobs: int,
        predecessor: IntColumn,
        successor: IntColumn,
        *,
        delay: FloatColumn | None = None,
        follows: NDArray[np.bool_] | None = None,
    ) -> Dependencies:
        """Return the dependencies of these edges, in any order; of a duplicate edge, the longer delay.

        Parameters
        ----------
        n_jobs : int
            Jobs in all.
        predecessor, successor : IntColumn, shape (n_edges,)
            Positions of jobs.
        delay : FloatColumn, shape (n_edges,), optional
            In seconds. Default: 0.
        follows : ndarray of bool, shape (n_jobs,), optional
            Default: none does.

        Raises
        ------
        InputError
            As for the class.
        """
        wait = np.zeros(len(predecessor)) if delay is None else np.asarray(delay, dtype=np.float64)
        if len(successor) and not (successor.min() >= 0 and successor.max() < n_jobs):
            raise InputError(f"successors must be positions from 0 to {n_jobs - 1}", field="dependencies")
        order = np.lexsort((-wait, predecessor, successor))
        before, after, wait = predecessor[order], successor[order], wait[order]
        new = np.ones(len(order), dtype=np.bool_)
        new[1:] = (np.diff(before) != 0) | (np.diff(after) != 0)
        first = starts_of(np.bincount(after[new], minlength=n_jobs))
        flags = np.zeros(n_jobs, dtype=np.bool_) if follows is None else follows.copy()
        return cls(first, before[new].astype(np.int64), wait[new], flags)

    def __len__(self) -> int:
        """Return the number of jobs, with and without predecessors."""
        return len(self.follows)

    def __eq__(self, other: object) -> bool:
        """Two are equal when all their columns are."""
        if not isinstance(other, Dependencies):
            return NotImplemented
        return all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("first", "predecessor", "delay", "follows")
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def successor(self) -> IntColumn:
        """The waiting job of each edge, shape (n_edges,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.first))

    def of(self, position: int) -> IntColumn:
        """Return the predecessors of the job at `position`, ascending."""
        return self.predecessor[self.first[position] : self.first[position + 1]]

    def take(self, positions: IntColumn) -> Dependencies:
        """Return the dependencies among the jobs at `positions`, all different, by their indices there.

        A job whose predecessor is not among them does not wait for it; a job without any other predecessor
        follows no job.
        """
        place = np.full(len(self), -1, dtype=np.int64)
        place[positions] = np.arange(len(positions))
        before, after = place[self.predecessor], place[self.successor]
        left = (before >= 0) & (after >= 0)
        remaining = np.bincount(after[left], minlength=len(positions))
        return Dependencies.of_edges(
            len(positions),
            before[left],
            after[left],
            delay=self.delay[left],
            follows=self.follows[positions] & (remaining > 0),
        )

    def circle(self) -> list[int] | None:
        """Return jobs that wait in a circle, each for the next, with the first again last; or None.

        Cost: O(jobs + edges); next to nothing if every predecessor is listed before its job, as in a log.
        """
        if (self.predecessor < self.successor).all():
            return None
        left = np.diff(self.first)
        after = np.argsort(self.predecessor, kind="stable")
        bounds = np.searchsorted(self.predecessor[after], np.arange(len(self) + 1)).tolist()
        waiting_for, successors = left.tolist(), self.successor[after].tolist()
        ready = np.flatnonzero(left == 0).tolist()
        done = 0
        while ready:
            job = ready.pop()
            done += 1
            for successor in successors[bounds[job] : bounds[job + 1]]:
                waiting_for[successor] -= 1
                if not waiting_for[successor]:
                    ready.append(successor)
        return None if done == len(self) else self._circle_among(waiting_for)

    def _circle_among(self, waiting_for: list[int]) -> list[int]:
        """Walk from job to predecessor among jobs that never become ready, until a job repeats."""
        job = next(position for position, count in enumerate(waiting_for) if count)
        seen: dict[int, int] = {}
        path: list[int] = []
        while job not in seen:
            seen[job] = len(path)
            path.append(job)
            job = next(before for before in self.of(job).tolist() if waiting_for[before])
        return [*path[seen[job] :], job]
