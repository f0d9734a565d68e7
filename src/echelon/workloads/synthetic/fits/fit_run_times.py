"""Fitting run times: the hyper-gamma of the Lublin model, and the lognormal."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.gamma import fit_gamma, gamma_cdf, gamma_log_density
from echelon.workloads.synthetic.fits.fit_cut import fit_cut
from echelon.workloads.synthetic.run_times import LONGEST_RUN

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn, IntColumn

_MOST_STEPS = 400
_FIRST_STEPS = 30
_SETTLED = 3e-6
_SURE = 1e-6
_SHORT = 30.0
_PIECES = 5


class _Mixture(NamedTuple):
    """Two gamma distributions of ln(run time), and the chance of the first by size."""

    shape1: float
    scale1: float
    shape2: float
    scale2: float
    slope: float
    constant: float


class _Points(NamedTuple):
    """Values of ln(run time) that a job may have had, one or several a job, jobs of a kind as one.

    By point: value, size, width in ln(run time), and place of its job; by job: place of its first point, and
    share of all jobs.
    """

    logs: FloatColumn
    size: FloatColumn
    width: FloatColumn
    job: IntColumn
    first: IntColumn
    weight: FloatColumn


def fit_hyper_gamma(run: FloatColumn, sizes: IntColumn) -> dict[str, float]:
    """Return the parameters of the run times that make a log's run times likely.

    Parameters
    ----------
    run : ndarray of float, shape (n_jobs,)
        In seconds, > 0.
    sizes : ndarray of int, shape (n_jobs,)
        In processors.

    Returns
    -------
    dict of str to float
        ``a1, b1, a2, b2, pa, pb, longest_run``: the shorter jobs first.

    Notes
    -----
    Expectation and maximization over ln(run time). A run time is known to the second below; where in its
    second a short one was is expected, too, that of a long one is the middle. Shapes and scales are those of
    greatest likelihood; ``pa`` and ``pb`` are the line of least squares of the chances over the sizes, as the
    model is linear in them. Started from three splits of the run times; the likeliest is followed to its end.
    The cut is the one with which the mean run time is the log's, see `fit_cut`. Cost: O(n) a step, at most
    400 steps; about 2 s for 60,000 jobs.
    """
    pairs, counts = np.unique(np.stack([_floor(run), sizes.astype(np.float64)]), axis=1, return_counts=True)
    points = _points(pairs[0], pairs[1], counts / counts.sum())
    tried = [_iterate(_initial_mixture(points, share), points, _FIRST_STEPS) for share in (0.3, 0.5, 0.75)]
    best = max(tried, key=lambda mixture: _expect(mixture, points)[2])
    fit = _iterate(best, points, _MOST_STEPS)
    if fit.shape1 * fit.scale1 > fit.shape2 * fit.scale2:
        first, second = fit[:2], fit[2:4]
        fit = _Mixture(*second, *first, -fit.slope, 1.0 - fit.constant)
    names = ("a1", "b1", "a2", "b2", "pa", "pb")
    chance = float(np.clip(fit.slope * sizes + fit.constant, 0.0, 1.0).mean())
    cut, _ = fit_cut(
        run,
        lambda x: (
            chance * gamma_cdf(x, fit.shape1, fit.scale1)
            + (1 - chance) * gamma_cdf(x, fit.shape2, fit.scale2)
        ),
        LONGEST_RUN,
    )
    return {**dict(zip(names, fit, strict=True)), "longest_run": cut}


def _floor(run: FloatColumn) -> FloatColumn:
    """Return run times as the model writes them: rounded down, at least 1 s."""
    return np.maximum(1.0, np.floor(run))


def _points(run: FloatColumn, size: FloatColumn, weight: FloatColumn) -> _Points:
    """Return where in their seconds run times may have been: in the middle; short ones at several places."""
    pieces = np.where(run < _SHORT, _PIECES, 1)
    first = np.cumsum(pieces) - pieces
    place = np.repeat(np.arange(len(run)), pieces)
    step = (np.log(run + 1.0) - np.log(run)) / pieces
    logs = np.log(run[place]) + (np.arange(len(place)) - first[place] + 0.5) * step[place]
    return _Points(logs, size[place], step[place], place, first, weight)


def _initial_mixture(points: _Points, share: float) -> _Mixture:
    """Return a mixture of the shorter `share` of the jobs and the rest."""
    weight = points.weight[points.job] / np.bincount(points.job)[points.job]
    order = np.argsort(points.logs, kind="stable")
    shorter = np.full(len(points.logs), 0.02)
    shorter[order[np.cumsum(weight[order]) <= share]] = 0.98
    own = (_gamma_of(points.logs, weight * part) for part in (shorter, 1 - shorter))
    return _Mixture(*next(own), *next(own), 0.0, share)


def _gamma_of(logs: FloatColumn, weight: FloatColumn) -> tuple[float, float]:
    total = weight.sum()
    return fit_gamma(float(weight @ logs / total), float(weight @ np.log(logs) / total))


def _iterate(mixture: _Mixture, points: _Points, steps: int) -> _Mixture:
    """Return the mixture after so many steps, or when it has settled."""
    for _ in range(steps):
        shorter, weight, _ = _expect(mixture, points)
        if not _SURE < float(weight @ shorter) < 1 - _SURE:
            break  # one distribution is enough for these
        slope, constant = _line(points.size, shorter, weight)
        new = _Mixture(
            *_gamma_of(points.logs, weight * shorter),
            *_gamma_of(points.logs, weight * (1 - shorter)),
            slope,
            constant,
        )
        moved = max(abs(a - b) / max(abs(b), 1e-3) for a, b in zip(new, mixture, strict=True))
        mixture = new
        if moved < _SETTLED:
            break
    return mixture


def _expect(mixture: _Mixture, points: _Points) -> tuple[FloatColumn, FloatColumn, float]:
    """Return at each point the chance of a shorter job, and the weight; and the mean log likelihood."""
    chance = np.clip(mixture.slope * points.size + mixture.constant, _SURE, 1 - _SURE)
    first = np.log(chance) + gamma_log_density(points.logs, mixture.shape1, mixture.scale1)
    second = np.log1p(-chance) + gamma_log_density(points.logs, mixture.shape2, mixture.scale2)
    larger = np.maximum(first, second)
    one, other = np.exp(first - larger), np.exp(second - larger)
    mass = larger + np.log(one + other) + np.log(points.width)
    highest = np.maximum.reduceat(mass, points.first)
    share = np.exp(mass - highest[points.job])
    total = np.add.reduceat(share, points.first)
    weight = points.weight[points.job] * share / total[points.job]
    return one / (one + other), weight, float(points.weight @ (highest + np.log(total)))


def _line(size: FloatColumn, shorter: FloatColumn, weight: FloatColumn) -> tuple[float, float]:
    """Return slope and constant of the line of least squares; the slope is 0 if all sizes are equal."""
    middle, mean = float(weight @ size), float(weight @ shorter)
    spread = float(weight @ (size - middle) ** 2)
    slope = float(weight @ ((size - middle) * (shorter - mean))) / spread if spread > 0 else 0.0
    return slope, mean - slope * middle


def fit_lognormal(run: FloatColumn) -> dict[str, float]:
    """Return the median, the spread and the cut of lognormal run times with those of a log.

    Notes
    -----
    Mean and standard deviation of ln(run + 0.5), half a second for the rounding down, and the cut with which
    the mean run time is the log's, see `fit_cut`. Cost: O(n).
    """
    logs = np.log(_floor(run) + 0.5)
    middle, spread = float(logs.mean()), float(logs.std())
    if spread < _SURE:
        return {"median_run": math.exp(middle), "run_spread": 0.0, "longest_run": LONGEST_RUN}
    scale = spread * math.sqrt(2)
    normal = np.vectorize(lambda x: 0.5 * (1 + math.erf((x - middle) / scale)), otypes=[np.float64])
    cut, _ = fit_cut(run, normal, LONGEST_RUN)
    return {"median_run": min(math.exp(middle), cut), "run_spread": spread, "longest_run": cut}
