"""Claims on the program that co-allocates (C17 to C19)."""

from __future__ import annotations

from math import tanh
from typing import TYPE_CHECKING

import numpy as np

from echelon.reproduce.machinery.claims import Claims, Untested
from echelon.reproduce.machinery.experiments import mean_table, tables_of
from echelon.reproduce.machinery.statement import Measured, above_zero, all_above_zero, fact, mean_interval
from echelon.reproduce.multicluster.evidence import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from echelon.model.jobs.columns import FloatColumn
    from echelon.reproduce.machinery.claims import Judged
    from echelon.reproduce.machinery.experiments import FloatTable
    from echelon.reproduce.machinery.statement import Statement
    from echelon.reproduce.multicluster.evidence import Evidence

CLAIMS: Claims[Evidence] = Claims()

NOT_SATURATED = 1 + 1e-6
TREND = 0.7
"""Correlation from which on one column follows another."""


@CLAIMS.states(
    "C17",
    "§ 4.6.3, figures 4.12 and 4.13",
    "The constraint that no link saturates keeps SC at 1, and makes the program slower as bandwidths rise",
)
def _no_saturation_at_a_price(evidence: Evidence) -> Iterator[Statement]:
    most = {variant: _most_saturated(evidence, variant) for variant in VARIANTS[:2]}
    yield fact(
        f"SC is at most {most['non-saturated']:.3f} with the constraint, {most['optimal']:.3f} without",
        most["non-saturated"] <= NOT_SATURATED < most["optimal"],
    )
    yield from _price(evidence)


def _most_saturated(evidence: Evidence, variant: str) -> float:
    tables = tables_of(evidence.program, variant=variant)
    return max(float(np.nanmax(values[:, 0], initial=0.0)) for values in tables)


def _price(evidence: Evidence) -> Iterator[Statement]:
    bandwidths = sorted({case.bandwidth for case in evidence.program})
    constrained, free = (
        [
            1000 * mean_table(evidence.program, variant=variant, bandwidth=bandwidth)[:, 1]
            for bandwidth in (bandwidths[0], bandwidths[-1])
        ]
        for variant in ("non-saturated", "optimal")
    )
    yield above_zero(
        f"with the constraint the program takes longer as bandwidths rise, {constrained[0].mean():.3g} ms at "
        f"{bandwidths[0]} % and {constrained[1].mean():.3g} ms at {bandwidths[-1]} %",
        constrained[1] - constrained[0],
    )
    yield above_zero(
        f"and more than without ({free[0].mean():.3g} and {free[1].mean():.3g} ms)", constrained[1] - free[1]
    )


@CLAIMS.states(
    "C18",
    "§ 4.6.3, figure 4.15",
    "Taking the first feasible answer is fastest by far; all variants grow exponentially with the "
    "number of clusters (16 of 8 nodes: about two minutes)",
)
def _grows_with_clusters(evidence: Evidence) -> Iterator[Statement]:
    sizes = sorted({clusters for _, clusters in evidence.scaling})
    at = sizes.index(16) if 16 in sizes else len(sizes) // 2
    means = {
        variant: np.array([evidence.scaling[variant, clusters].mean() for clusters in sizes])
        for variant in VARIANTS
    }
    listing = ", ".join(f"{variant} {seconds[at]:.3g} s" for variant, seconds in means.items())
    slower = [
        evidence.scaling[other, clusters] - evidence.scaling["first-feasible", clusters]
        for other in VARIANTS[:2]
        for clusters in sizes[at:]
    ]
    yield all_above_zero(f"first feasible is fastest; {sizes[at]} clusters of 8 nodes: {listing}", slower)
    for variant in VARIANTS:
        by_seed = np.array([evidence.scaling[variant, clusters] for clusters in sizes])
        yield _exponential(variant, sizes, by_seed)


def _exponential(variant: str, sizes: list[int], by_seed: FloatTable) -> Statement:
    """Return whether log seconds lie nearer to a line over clusters than to one over their logarithm."""
    seconds = by_seed.mean(axis=1)
    axes = np.array(sizes, dtype=float), np.log(sizes)
    straight, power = (
        np.array([_residual_of(axis, np.log(column)) for column in by_seed.T]) for axis in axes
    )
    return above_zero(
        f"{variant} grows exponentially: {seconds[0]:.3g} s at {sizes[0]}, {seconds[-1]:.3g} s at "
        f"{sizes[-1]}, as clusters to the {growth(sizes, seconds):.1f}",
        power - straight,
    )


def growth(sizes: list[int], seconds: FloatColumn) -> float:
    """Return the exponent p of the power law seconds = c sizes^p that fits best."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def _residual_of(x: FloatColumn, y: FloatColumn) -> float:
    return float(np.square(y - np.polyval(np.polyfit(x, y, 1), x)).sum())


@CLAIMS.states(
    "C19",
    "§ 4.6.3, figure 4.16",
    "The program's model of the execution time follows the real one and underestimates it",
)
def _model_underestimates(evidence: Evidence) -> Judged:
    if evidence.spanned is None or not len(evidence.spanned):
        return Untested("no job was co-allocated in any run")
    return _model(evidence.spanned)


_FEWEST = 4
"""Co-allocated jobs of a seed from which on their correlation says something."""


def _model(spanned: FloatTable) -> Iterator[Statement]:
    """Judge seed by seed: jobs of one run are not independent of each other."""
    by_seed = [spanned[spanned[:, 0] == seed, 1:] for seed in np.unique(spanned[:, 0])]
    ratio = np.array([float((jobs[:, 0] / jobs[:, 1]).mean()) for jobs in by_seed])
    mean = mean_interval(ratio).text()
    text = f"predicted over actual, {len(spanned)} co-allocated jobs, mean by seed: {mean}"
    yield above_zero(text, 1 - ratio)
    yield follows([jobs for jobs in by_seed if len(jobs) >= _FEWEST])


def follows(by_seed: Sequence[FloatTable]) -> Statement:
    """Return the statement that one of two columns follows the other: their correlation is above `TREND`.

    By Fisher's z of each seed, as correlations themselves are not spread evenly about their mean.
    """
    with np.errstate(invalid="ignore"):  # jobs that are all alike have no correlation, and do not count
        trends = np.array([float(np.corrcoef(jobs[:, 0], jobs[:, 1])[0, 1]) for jobs in by_seed])
    heights = np.arctanh(np.clip(trends, -_FULL, _FULL))
    shown = Measured(*map(tanh, mean_interval(heights))).text()
    return above_zero(f"the correlation is above {TREND:g}, {shown}", heights - np.arctanh(TREND))


_FULL = 1 - 1e-12
"""Correlation above which one counts as this: Fisher's z of 1 is infinite."""


@CLAIMS.states(
    "C26",
    "§ 4.6.3, figure 4.14",
    "The number of nodes in the clusters has the greatest effect on the program's time",
)
def _nodes_matter_most(evidence: Evidence) -> Iterator[Statement]:
    nodes = _spread(evidence.by_nodes)
    for name, key in (("the bandwidth of a task", "bandwidth"), ("the nodes with owners", "owners")):
        values = sorted({getattr(case, key) for case in evidence.program})
        other = _spread(
            {value: mean_table(evidence.program, variant="optimal", **{key: value})[:, 1] for value in values}
        )
        counts = sorted(evidence.by_nodes)
        yield above_zero(
            f"the program's time changes {nodes.mean():.1f} times from {counts[0]} to {counts[-1]} nodes a "
            f"cluster, more than with {name}, {other.mean():.1f} times from {values[0]} to {values[-1]} %",
            np.log(nodes) - np.log(other),
        )


def _spread(times: Mapping[int, FloatColumn]) -> FloatColumn:
    """Return the longest of these times over the shortest, by seed; the means show which they are."""
    ranked = sorted(times.values(), key=lambda values: float(values.mean()))
    return np.asarray(ranked[-1] / ranked[0])
