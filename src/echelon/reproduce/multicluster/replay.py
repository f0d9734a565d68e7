"""Replay: what corrected estimators and the Decisor would have said, from what others said in a run.

Both learn from the jobs that have ended and change nothing of the run, so that one run tells of all.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.policies.estimators.corrected import Corrected, Correction
from echelon.policies.estimators.decisor import Contest, Decisor

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.model.columns import FloatColumn


class Times(NamedTuple):
    """When each job was forecast, when it started, and when it ended, in seconds, each of shape (n_jobs,)."""

    delivered: FloatColumn
    start: FloatColumn
    end: FloatColumn


def corrected(said: FloatColumn, real: FloatColumn, times: Times) -> FloatColumn:
    """Return forecasts of one quantity, each divided by the slope learned from jobs that ended before.

    Parameters
    ----------
    said, real : FloatColumn, shape (n_jobs,)
        Forecasts and what came of them, in seconds.
    times : Times
        Of the jobs.
    """
    line = Correction(Corrected())
    found = np.empty(len(said))
    for position, is_end in _events(times):
        if is_end:
            line.add(float(said[position]), float(real[position]))
        else:
            found[position] = line.corrected(float(said[position]))
    return found


def decided(said: Sequence[FloatColumn], real: FloatColumn, times: Times) -> FloatColumn:
    """Return of each job the forecast of the estimator that had done best lately, by the Decisor's rule.

    Parameters
    ----------
    said : sequence of FloatColumn, each of shape (n_jobs,)
        Forecasts of one quantity by every estimator it asks, in the order of its ties, in seconds.
    real : FloatColumn, shape (n_jobs,)
        As of `corrected`.
    times : Times
        Of the jobs.
    """
    contest = Contest(Decisor(of=" ".join(["smith"] * len(said))))
    found = np.empty(len(real))
    for position, is_end in _events(times):
        if is_end:
            contest.add([float(column[position]) for column in said], float(real[position]))
        else:
            found[position] = said[contest.ranking[0]][position]
    return found


def _events(times: Times) -> Iterator[tuple[int, bool]]:
    """Yield (job, whether it ends) by time; at an instant ends come first, equal ones by start."""
    ends: list[tuple[float, float, int]] = []
    for position in np.argsort(times.delivered, kind="stable").tolist():
        while ends and ends[0][0] <= times.delivered[position]:
            yield heappop(ends)[-1], True
        yield position, False
        heappush(ends, (float(times.end[position]), float(times.start[position]), position))
