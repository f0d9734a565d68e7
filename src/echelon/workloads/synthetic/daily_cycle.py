"""Arrivals over the day: gaps of a gamma distribution, stretched by how busy each half hour is.

A gap is drawn as *points*: so many seconds of an average half hour. A busy half hour holds more points than
an idle one, so the same points pass in less time there.

Source: Lublin and Feitelson, JPDC 2003.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.gamma import gamma_cdf
from echelon.workloads.synthetic.parameter import TINIEST, Parameter
from echelon.workloads.synthetic.run_times import RAREST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.model.jobs.columns import FloatColumn

BUCKETS = 48
BUCKET = 1800.0
"""Seconds in a bucket: half an hour."""
FIRST = 11
"""The bucket, from 1, with which the cyclic day starts: half past five in the morning."""
LONGEST_GAP = math.exp(13)


def arrival_parameters(defaults: Mapping[str, float]) -> tuple[Parameter, ...]:
    """Return the parameters of the arrivals, with these defaults."""
    return (
        Parameter("aarr", "1", defaults["aarr"], "shape of ln(gap) in rush hours", least=TINIEST, most=1e6),
        Parameter("barr", "1", defaults["barr"], "its scale", least=TINIEST, most=1e6),
        Parameter("anum", "1", defaults["anum"], "shape of the daily cycle", least=TINIEST, most=1e6),
        Parameter("bnum", "1", defaults["bnum"], "its scale, in half hours", least=TINIEST, most=1e6),
        Parameter("arar", "1", defaults["arar"], "factor of aarr for all hours", least=TINIEST, most=1e6),
        Parameter("start_hour", "h", 0.0, "hour of the day with which the arrivals begin", 0, 24),
        Parameter("longest_gap", "s", LONGEST_GAP, "cutoff: longer gaps are redrawn", least=2, most=1e9),
    )


def bucket_weights(anum: float, bnum: float) -> FloatColumn:
    """Return how busy each half hour of the day is, from midnight on, mean 1, shape (48,).

    The gamma distribution lies over half hours 11 to 58: a day that starts at 5:00 and ends with the next
    night.

    Raises
    ------
    InputError
        If hardly anything of it lies there.
    """
    place = np.arange(FIRST, FIRST + BUCKETS)
    edges = gamma_cdf(np.arange(FIRST, FIRST + BUCKETS + 1) - 0.5, anum, bnum)
    share = np.diff(edges)
    if share.sum() < RAREST:
        raise InputError(
            f"the daily cycle lies outside the day with anum={anum:g} and bnum={bnum:g}; their product is "
            "its middle in half hours and should be between 11 and 58",
            field="parameters",
        )
    weights = np.empty(BUCKETS)
    weights[(place - 1) % BUCKETS] = share / share.mean()
    return weights


def draw_arrivals(values: Mapping[str, float], n: int, random: np.random.Generator) -> FloatColumn:
    """Return the first `n` times of arrival in seconds since midnight, ascending, with fractions, shape (n,).

    Where the original cuts the clock to a whole second after each job, and so lets it fall behind its own
    daily cycle by half a second a job, these keep their fractions; only what is written is rounded down.
    Cost: O(n).

    Raises
    ------
    InputError
        If hardly any gap would be within the cut.
    """
    clock = bucket_clock(bucket_weights(values["anum"], values["bnum"]))
    began = points_at(np.array([values["start_hour"] * 3600.0]), clock)
    gaps = np.exp(draw_log_gaps(values, n, random)) / BUCKET
    return time_of(began + np.cumsum(gaps), clock)


def draw_log_gaps(values: Mapping[str, float], n: int, random: np.random.Generator) -> FloatColumn:
    """Return `n` values of ln(gap), each redrawn while it is beyond the cut, shape (n,)."""
    shape, scale, cut = values["aarr"] * values["arar"], values["barr"], math.log(values["longest_gap"])
    if gamma_cdf(cut, shape, scale) < RAREST:
        raise InputError(
            f"hardly any gap is within longest_gap={values['longest_gap']:g} s; raise it, or lower "
            "aarr, barr or arar",
            field="parameters",
        )
    logs = random.gamma(shape, scale, n)
    while len(beyond := np.flatnonzero(logs > cut)):
        logs[beyond] = random.gamma(shape, scale, len(beyond))
    return logs


def bucket_clock(weights: FloatColumn) -> FloatColumn:
    """Return the points that have passed at each edge of the day's buckets, 0 to 48, shape (49,)."""
    return np.concatenate(([0.0], np.cumsum(weights / weights.mean())))


def time_of(points: FloatColumn, clock: FloatColumn) -> FloatColumn:
    """Return the time since midnight, in seconds, at which so many points have passed."""
    day, rest = np.divmod(points, clock[-1])
    within: FloatColumn = np.interp(rest, clock, np.arange(BUCKETS + 1))
    return (day * BUCKETS + within) * BUCKET


def points_at(time: FloatColumn, clock: FloatColumn) -> FloatColumn:
    """Return the points that have passed at a time since midnight, in seconds."""
    day, rest = np.divmod(time, BUCKETS * BUCKET)
    within: FloatColumn = np.interp(rest / BUCKET, np.arange(BUCKETS + 1), clock)
    passed: FloatColumn = day * clock[-1] + within
    return passed
