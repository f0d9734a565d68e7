"""Blocks of a log: into how many whole ones the workloads of a study can be cut, before they are run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.errors import EchelonError, InputError
from echelon.experiments.study.run.case_workload import load_workload, workload_key
from echelon.metrics import whole_blocks
from echelon.quantities import duration

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.experiments.study.run.case import Case

FEWEST = 2
"""Blocks below which there is no interval."""


def block_counts(cases: Iterable[Case], length: float) -> list[int]:
    """Return how many whole blocks the jobs of each different workload fill, in order of first appearance.

    Parameters
    ----------
    cases : iterable of Case
        Those whose workload cannot be read are passed over: they will fail.
    length : float
        Of a block, in s.

    Raises
    ------
    InputError
        If one has fewer than two: nothing would be repeated.

    Notes
    -----
    Reads or draws every workload.
    """
    counts = []
    for settings in {workload_key(case.settings): case.settings for case in cases}.values():
        try:
            submit = load_workload(settings).workload.submit_time
        except EchelonError:
            continue
        times = submit[submit >= 0]
        if not len(times):
            continue
        first, last = float(times.min()), float(times.max())
        counts.append(whole_blocks(first, last, length))
        if counts[-1] < FEWEST:
            raise InputError(
                f"got blocks of {duration(length)}, but the jobs of {settings['workload']!r:.60} are "
                f"submitted within {duration(last - first)}; expected a length that fits {FEWEST} times",
                field="axes.blocks",
            )
    return counts
