"""Claims on the program that co-allocates (C17 to C19)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.reproduce.parts import Part, measured, together

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.model.columns import FloatColumn
    from echelon.reproduce.multicluster.evidence import Evidence

    Judged = tuple[bool, str]

VARIANTS = ("optimal", "non-saturated", "first-feasible")
NOT_SATURATED = 1 + 1e-6
TREND = 0.7
"""Correlation from which on one column follows another."""


def no_saturation_at_a_price(evidence: Evidence) -> Judged:
    """C17."""
    return together([_saturation(evidence), *_price(evidence)])


def _saturation(evidence: Evidence) -> Part:
    most = {variant: _most_saturated(evidence, variant) for variant in VARIANTS[:2]}
    return Part(
        f"SC is at most {most['non-saturated']:.3f} with the constraint, {most['optimal']:.3f} without",
        most["non-saturated"] <= NOT_SATURATED < most["optimal"],
    )


def _most_saturated(evidence: Evidence, variant: str) -> float:
    return max(
        float(np.nanmax(values[:, 0], initial=0.0))
        for case, values in evidence.program.items()
        if case.variant == variant
    )


def _price(evidence: Evidence) -> Iterable[Part]:
    bandwidths = sorted({case.bandwidth for case in evidence.program})
    times = {variant: [_seconds(evidence, variant, one) for one in bandwidths] for variant in VARIANTS[:2]}
    dear, cheap = (measured(times["non-saturated"][place]) for place in (-1, 0))
    others = [1000 * float(values.mean()) for values in times["optimal"]]
    yield Part(
        f"with the constraint the program takes {1000 * cheap.mean:.3g} ms at a bandwidth of "
        f"{bandwidths[0]} % and {1000 * dear.mean:.3g} ms at {bandwidths[-1]} %",
        measured(times["non-saturated"][-1] - times["non-saturated"][0]).low > 0,
    )
    yield Part(
        f"and more than without ({others[0]:.3g} and {others[-1]:.3g} ms)",
        measured(times["non-saturated"][-1] - times["optimal"][-1]).low > 0,
    )


def _seconds(evidence: Evidence, variant: str, bandwidth: int) -> FloatColumn:
    cases = [
        values[:, 1]
        for case, values in evidence.program.items()
        if (case.variant, case.bandwidth) == (variant, bandwidth)
    ]
    return np.asarray(np.mean(cases, axis=0))


def grows_with_clusters(evidence: Evidence) -> Judged:
    """C18."""
    sizes = sorted({clusters for _, clusters in evidence.scaling})
    means = {
        variant: np.array([evidence.scaling[variant, clusters].mean() for clusters in sizes])
        for variant in VARIANTS
    }
    at = sizes.index(16) if 16 in sizes else len(sizes) // 2
    said = ", ".join(f"{variant} {seconds[at]:.3g} s" for variant, seconds in means.items())
    fastest = all(
        (means["first-feasible"][place:] <= means[other][place:]).all()
        for other in VARIANTS[:2]
        for place in [at]
    )
    return together(
        [
            Part(f"{sizes[at]} clusters of 8 nodes: {said}", fastest),
            *(_exponential(variant, sizes, seconds) for variant, seconds in means.items()),
        ]
    )


def _exponential(variant: str, sizes: list[int], seconds: FloatColumn) -> Part:
    """Return whether log seconds lie nearer to a line over clusters than to one over their logarithm."""
    power = growth(sizes, seconds)
    fits = [_left(axis, np.log(seconds)) for axis in (np.array(sizes, dtype=float), np.log(sizes))]
    return Part(
        f"{variant}: {seconds[0]:.3g} s at {sizes[0]}, {seconds[-1]:.3g} s at {sizes[-1]}, growing as "
        f"clusters to the {power:.1f}",
        fits[0] < fits[1],
    )


def growth(sizes: list[int], seconds: FloatColumn) -> float:
    """Return the exponent p of the power law seconds = c sizes^p that fits best."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def _left(x: FloatColumn, y: FloatColumn) -> float:
    return float(np.square(y - np.polyval(np.polyfit(x, y, 1), x)).sum())


def model_underestimates(evidence: Evidence) -> Judged | None:
    """C19; None if no job was co-allocated."""
    if evidence.spanned is None or len(evidence.spanned) < 3:
        return None
    said, took = evidence.spanned.T
    ratio = measured(said / took)
    trend = float(np.corrcoef(said, took)[0, 1])
    return together(
        [
            Part(f"said over taken, mean of {len(said)} co-allocated jobs: {ratio.text()}", ratio.high < 1),
            Part(f"correlation {trend:.2f}", trend >= TREND),
        ]
    )


STATED = (
    (
        "C17",
        "§ 4.6.3, figures 4.12 and 4.13",
        "The constraint that no link saturates keeps SC at 1, and makes the program slower as bandwidths "
        "rise",
        no_saturation_at_a_price,
    ),
    (
        "C18",
        "§ 4.6.3, figure 4.15",
        "Taking the first feasible answer is fastest by far; all variants grow exponentially with the "
        "number of clusters (16 of 8 nodes: about two minutes)",
        grows_with_clusters,
    ),
    (
        "C19",
        "§ 4.6.3, figure 4.16",
        "The program's model of the execution time follows the real one and underestimates it",
        model_underestimates,
    ),
)
