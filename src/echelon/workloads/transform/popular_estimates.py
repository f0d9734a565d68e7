"""Users' estimates as users give them: few, round, bounded values, never below the run time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model.streams import stream
from echelon.workloads.transform.popular_values import HEAD_SHARE, TOP, popular_values
from echelon.workloads.transform.record import record_transform

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.model import Workload
    from echelon.model.jobs.columns import FloatColumn


def popular_estimates(
    workload: Workload,
    longest: float = 0,
    *,
    head: float = HEAD_SHARE,
    known: Mapping[int, float] | None = None,
    seed: int = 0,
) -> Workload:
    """Return the jobs with requested times as users give them.

    Parameters
    ----------
    workload : Workload
        In any order. Requests it has are replaced.
    longest : float, default 0
        The longest estimate allowed, in seconds, from an hour to 1e9 s. 0 takes the longest request of the
        workload; if it has none, the longest run time in full hours.
    head : float, default 0.89
        Share of the jobs whose estimate is one of the twenty popular values.
    known : mapping of int to float, optional
        Estimates known to be popular, in seconds, with their shares of the jobs; see `known_popular`.
    seed : int, default 0
        Of the draws, >= 0.

    Returns
    -------
    Workload
        Requested times, none below the job's run time, save that jobs running longer than `longest` get
        `longest`. Jobs without a run time get any.

    Raises
    ------
    InputError
        If a value is out of its bounds.

    Notes
    -----
    First the values and how many jobs have each, then the embedding: from the longest run time to the
    shortest, each job draws one of the estimates left that are long enough for it. Where more jobs run long
    than the values have long estimates, the original gives up; here as many estimates as it takes are raised
    to the next value, and the header says how many.

    Ties: jobs of equal run time draw in the workload's order. Cost: O(n log n); about 0.2 s for 100,000 jobs.

    Source: Tsafrir, Etsion and Feitelson, JSSPP 2005.
    """
    run = np.maximum(workload.run_time, 0.0)
    limit = _limit(workload, run, longest)
    if not len(workload):
        return workload
    run = np.minimum(run, limit)
    random = stream(seed, "estimates/popular")
    values = popular_values(len(workload), limit, random, head=head, known=known)
    estimates = np.repeat(values.time, values.jobs)[::-1].astype(np.float64)
    by_run = np.argsort(-run, kind="stable")
    # To the next value where, both sorted from the longest on, the run time is above it.
    fitting = np.maximum(estimates, values.time[np.searchsorted(values.time, run[by_run])])
    raised = int((fitting > estimates).sum())
    requested = np.empty(len(workload))
    requested[by_run] = _embed_run_times(run[by_run], fitting, random.random(len(workload)))
    return record_transform(
        workload.with_columns(requested_time=requested),
        f"requested times drawn: popular values, longest {limit} s, seed {seed}"
        + (f"; {raised} raised to the next value for long run times" if raised else ""),
    )


def known_popular(workload: Workload) -> dict[int, float]:
    """Return the most popular requested times of a log, with their shares of the jobs that have one.

    Returns
    -------
    dict of int to float
        At most 20, the longest one of the log included, however rare. Empty if no job has a request.

    Notes
    -----
    Ties: the shorter value is first. Cost: O(n log n).
    """
    requested = np.ceil(workload.requested_time[workload.requested_time > 0]).astype(np.int64)
    if not len(requested):
        return {}
    times, counts = np.unique(requested, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    longest = len(times) - 1
    chosen = [*order[:TOP].tolist()] if longest in order[:TOP] else [*order[: TOP - 1].tolist(), longest]
    return {int(times[k]): float(counts[k] / len(requested)) for k in sorted(chosen)}


def _limit(workload: Workload, run: FloatColumn, longest: float) -> int:
    if not (longest >= 0 and math.isfinite(longest)):
        raise InputError(f"must be a time >= 0 in seconds, got {longest:g}", field="longest")
    if longest > 0:
        return math.floor(longest)
    most = float(workload.requested_time.max(initial=0.0))
    return max(3600, math.ceil(most) if most > 0 else 3600 * math.ceil(run.max(initial=0.0) / 3600))


def _embed_run_times(run: FloatColumn, estimates: FloatColumn, chance: FloatColumn) -> list[float]:
    """Return an estimate for each job; both are sorted from the longest on."""
    left: list[float] = estimates.tolist()
    runs = run.tolist()
    last = len(left) - 1
    reach = 0
    for place, (length, draw) in enumerate(zip(runs, chance.tolist(), strict=True)):
        reach = max(reach, place)
        while reach < last and length <= left[reach + 1]:
            reach += 1
        chosen = place + int(draw * (reach - place + 1))
        left[place], left[chosen] = left[chosen], left[place]
    return left
