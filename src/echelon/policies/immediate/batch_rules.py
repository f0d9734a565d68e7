"""Min-min, max-min and sufferage: which job of a batch is mapped next, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from echelon.policies.immediate.batch import BatchMode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.model.jobs.columns import FloatColumn
    from echelon.policies.immediate.batch import Mapping
    from echelon.policies.immediate.contract import Dispatch


@dataclass(frozen=True, slots=True)
class MinMin(BatchMode):
    """Map the job of least earliest completion time to the machine of that time, until all are mapped.

    Notes
    -----
    Ties: the job submitted first, then the first by position; the lowest site. Cost: O(jobs x jobs x sites)
    per batch, by array operations. Source: Ibarra & Kim 1977 as in Maheswaran et al., HCW 1999, batch mode,
    which breaks ties arbitrarily.
    """

    name: ClassVar[str] = "min-min"
    source: ClassVar[str] = "Maheswaran et al., HCW 1999"

    def map_jobs(self, mapping: Mapping) -> Iterator[Dispatch]:
        """Yield the dispatches of a batch, beginning with the job of earliest completion."""
        for _ in mapping.jobs:
            row, column = divmod(int(mapping.completion.argmin()), len(mapping.ready))
            yield from mapping.dispatch(row, column)


@dataclass(frozen=True, slots=True)
class MaxMin(BatchMode):
    """Map the job of greatest earliest completion time to the machine of that time, until all are mapped.

    Notes
    -----
    Ties: the job submitted first, then the first by position; the lowest site. Cost: O(jobs x jobs x sites)
    per batch, by array operations. Source: Ibarra & Kim 1977 as in Maheswaran et al., HCW 1999, batch mode,
    which breaks ties arbitrarily.
    """

    name: ClassVar[str] = "max-min"
    source: ClassVar[str] = "Maheswaran et al., HCW 1999"

    def map_jobs(self, mapping: Mapping) -> Iterator[Dispatch]:
        """Yield the dispatches of a batch, beginning with the job of latest completion."""
        for _ in mapping.jobs:
            completion = mapping.completion
            earliest = completion.min(axis=1)
            row = int(np.where(np.isfinite(earliest), earliest, -np.inf).argmax())
            yield from mapping.dispatch(row, int(completion[row].argmin()))


@dataclass(frozen=True, slots=True)
class Sufferage(BatchMode):
    """Give each machine, round by round, to the job that would suffer most without it.

    A job prefers the machine of its earliest completion time. Its sufferage is its second earliest completion
    time less its earliest. Each machine takes one job per round; the other jobs enter the next round, with
    later ready times.

    Notes
    -----
    A job that fits only one machine has infinite sufferage. Ties: the job submitted first, then the first by
    position (in the source the job considered first keeps its machine, in any order); the lowest site. The
    jobs of a round are dispatched by submit time. Cost: O(rounds x jobs x sites) per batch, with at most as
    many rounds as jobs. Source: Maheswaran et al., HCW 1999, batch mode.
    """

    name: ClassVar[str] = "sufferage"
    source: ClassVar[str] = "Maheswaran et al., HCW 1999"

    def map_jobs(self, mapping: Mapping) -> Iterator[Dispatch]:
        """Yield the dispatches of a batch, round after round."""
        while not np.isinf(mapping.left).all():
            for row, site in sorted(_round(mapping.completion)):
                yield from mapping.dispatch(row, site)


def _round(completion: FloatColumn) -> list[tuple[int, int]]:
    """Return the job that each preferred machine takes, as (row, site)."""
    wanted = completion.argmin(axis=1)
    suffers = _sufferages(completion)
    takes: dict[int, int] = {}
    for row in np.flatnonzero(np.isfinite(completion.min(axis=1))).tolist():
        site = int(wanted[row])
        if site not in takes or suffers[row] > suffers[takes[site]]:
            takes[site] = row
    return [(row, site) for site, row in takes.items()]


def _sufferages(completion: FloatColumn) -> FloatColumn:
    """Return the sufferage of each job, second earliest less earliest completion time, or infinity."""
    if completion.shape[1] == 1:
        return np.full(len(completion), np.inf)
    two = np.partition(completion, 1, axis=1)[:, :2]
    left = np.isfinite(two[:, 0])
    suffers = np.full(len(completion), np.inf)
    suffers[left] = two[left, 1] - two[left, 0]
    return suffers
