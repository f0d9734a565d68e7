"""Dependency cells: what a job waits for, as text in a table: job ids with blanks between them.

``3 5+60`` says: joins the queue when job 3 has ended, and 60 s after the end of job 5.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.model import Dependencies


def dependency_cells(dependencies: Dependencies, label: Callable[[int], str]) -> list[str]:
    """Return a cell for each job, empty for those that wait for nobody. Cost: O(jobs + edges).

    Parameters
    ----------
    dependencies : Dependencies
        Of all jobs of a table.
    label : callable (position) -> str
        The id of a job.
    """
    bounds = dependencies.first.tolist()
    edges = [
        label(before) + (f"+{delay:.17g}" if delay else "")
        for before, delay in zip(dependencies.predecessor.tolist(), dependencies.delay.tolist(), strict=True)
    ]
    return [" ".join(edges[first:last]) for first, last in pairwise(bounds)]
