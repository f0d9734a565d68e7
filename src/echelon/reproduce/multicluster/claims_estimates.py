"""Claims on estimators: how exact and how dear they are, and whether correction helps (C1 to C9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.reproduce.machinery.claims import Claims
from echelon.reproduce.machinery.statement import (
    Statement,
    above_zero,
    against,
    all_above_zero,
    lower,
    mean_interval,
    within,
)
from echelon.reproduce.multicluster.evidence import (
    ANALYTIC,
    CORRECTED,
    DEVIATION,
    LOADS,
    SCATTER,
    SIX,
    SLOPE,
    STATISTICAL,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from echelon.model.jobs.columns import FloatColumn
    from echelon.reproduce.machinery.claims import Statements
    from echelon.reproduce.multicluster.evidence import Evidence, Predicted

CLAIMS: Claims[Evidence] = Claims()

ALMOST = 0.05
"""Deviation up to which estimates count as almost exact."""
STRAIGHT = 0.9
"""Ra from which on scatter counts as small; the thesis' own corrected estimates have 0.934 and more."""
NOTHING = 1e-5
"""Deviation below which estimates differ by rounding alone."""
FAR = 0.5
"""Deviation from which on estimates are far too short."""
UNEQUAL = 0.05
"""By how much a corrected slope may miss 1."""
SHARED = LOADS[1:]


def _deviations(
    evidence: Evidence, load: str, quantity: Predicted, names: Sequence[str] = SIX
) -> dict[str, float]:
    """Return the mean deviations, the least first."""
    means = {name: mean_interval(_deviation(evidence, load, quantity, name)).mean for name in names}
    return dict(sorted(means.items(), key=lambda item: item[1]))


def _format_order(values: dict[str, float]) -> str:
    return " < ".join(f"{name} {_percent(value)}" for name, value in values.items())


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %" if NOTHING < share < 10 else f"{100 * share:,.0f} %"


def _deviation(evidence: Evidence, load: str, quantity: Predicted, name: str) -> FloatColumn:
    return evidence.statistic(load, quantity, name, DEVIATION)


def _leads(
    evidence: Evidence, load: str, quantity: Predicted, less: Sequence[str], more: Iterable[str]
) -> list[FloatColumn]:
    """Return by how much the deviation of each of `more` is above that of each of `less`, by seed."""
    return [
        _deviation(evidence, load, quantity, other) - _deviation(evidence, load, quantity, one)
        for one in less
        for other in more
        if other not in less
    ]


def _is_best(
    evidence: Evidence, load: str, quantity: Predicted, best: str, names: Sequence[str] = SIX
) -> Statement:
    deviations = _deviations(evidence, load, quantity, names)
    text = f"{load}: {best} is the best, {_format_order(deviations)}"
    return all_above_zero(text, _leads(evidence, load, quantity, (best,), names))


def _is_almost_exact(evidence: Evidence, load: str, quantity: Predicted, name: str) -> Statement:
    values = _deviation(evidence, load, quantity, name)
    text = f"{load}: {name} is at most {_percent(ALMOST)} off, {_percent(float(values.mean()))}"
    return within(text, values, (0.0, ALMOST))


@CLAIMS.states(
    "C1",
    "§ 3.5.3.1, table 3.4",
    "Without sharing, history predicts execution almost exactly: Li and IBL within a few percent and "
    "better than the rest; Smith, which does not know the queue, overestimates most",
)
def _history_is_exact(evidence: Evidence) -> Statements:
    deviations = _deviations(evidence, "dedicated", "run")
    for name in ("Li", "IBL"):
        yield _is_almost_exact(evidence, "dedicated", "run", name)
    yield all_above_zero(
        f"both below the others: {_format_order(deviations)}",
        _leads(evidence, "dedicated", "run", ("Li", "IBL"), SIX),
    )
    worst = [-apart for apart in _leads(evidence, "dedicated", "run", ("Smith",), SIX)]
    yield all_above_zero("Smith is the worst", worst)
    slope = evidence.statistic("dedicated", "run", "Smith", SLOPE)
    yield above_zero(f"its slope is above 1, {mean_interval(slope).text()}", slope - 1)


@CLAIMS.states(
    "C2",
    "§ 3.5.3.2, table 3.5",
    "Under sharing, history overestimates execution and simulation underestimates it",
)
def _over_and_under(evidence: Evidence) -> Statements:
    for name in SIX:
        slope = evidence.statistic("shared", "run", name, SLOPE)
        over = name in STATISTICAL
        side = "above" if over else "below"
        text = f"slope of {name} is {side} 1, {mean_interval(slope).text()}"
        yield above_zero(text, slope - 1 if over else 1 - slope)


@CLAIMS.states("C3", "§ 3.5.3.3, table 3.6", "IBL is the best for execution under high local load")
def _ibl_for_runs(evidence: Evidence) -> Statements:
    yield _is_best(evidence, "high load", "run", "IBL")


@CLAIMS.states(
    "C4",
    "§ 3.5.4.1, table 3.7",
    "Without sharing, simulation predicts waits almost exactly and better than history; Smith and Li "
    "are worst",
)
def _simulation_for_waits(evidence: Evidence) -> Statements:
    deviations, two = _deviations(evidence, "dedicated", "wait"), ("Hanzich", "SDPN")
    for name in two:
        yield _is_almost_exact(evidence, "dedicated", "wait", name)
    yield all_above_zero(
        f"both below the statistical ones: {_format_order(deviations)}",
        _leads(evidence, "dedicated", "wait", two, STATISTICAL),
    )
    others = [name for name in SIX if name not in ("Smith", "Li")]
    worst = [-apart for apart in _leads(evidence, "dedicated", "wait", ("Smith", "Li"), others)]
    yield all_above_zero("Smith and Li are the two worst", worst)


@CLAIMS.states(
    "C5", "§ 3.5.4.2-3, tables 3.8 and 3.9", "Uncorrected, IBL is the best predictor of waits under sharing"
)
def _ibl_for_waits(evidence: Evidence) -> Statements:
    for load in SHARED:
        yield _is_best(evidence, load, "wait", "IBL")


@CLAIMS.states(
    "C6",
    "§ 3.5.5, tables 3.8 and 3.9",
    "Simulated waits under sharing are far too short, but lie near a straight line (Ra above 0.9)",
)
def _biased_and_straight(evidence: Evidence) -> Statements:
    for load in SHARED:
        for name in ANALYTIC:
            yield from _bias(evidence, load, name)


def _bias(evidence: Evidence, load: str, name: str) -> Iterator[Statement]:
    slope, scatter, deviation = (
        evidence.statistic(load, "wait", name, column) for column in (SLOPE, SCATTER, DEVIATION)
    )
    yield above_zero(f"{load}, {name}: Ra {mean_interval(scatter).text()}", scatter - STRAIGHT)
    yield all_above_zero(
        f"{load}, {name}: slope {mean_interval(slope).text()}, deviation {_percent(float(deviation.mean()))}",
        [1 - slope, deviation - FAR],
    )


@CLAIMS.states(
    "C7",
    "§ 3.5.6, table 3.10",
    "Correction by the slope makes SDPN the best predictor of waits, with a slope near 1; Hybrid gains, too",
)
def _correction_helps(evidence: Evidence) -> Statements:
    for load in SHARED:
        yield from _check_correction(evidence, load)


def _check_correction(evidence: Evidence, load: str) -> Iterator[Statement]:
    name = f"{CORRECTED} SDPN"
    yield _is_best(evidence, load, "wait", name, (*SIX, name))
    slope = evidence.statistic(load, "wait", name, SLOPE)
    yield within(f"{load}: its slope {mean_interval(slope).text()}", slope, (1 - UNEQUAL, 1 + UNEQUAL))
    for one in ("SDPN", "Hybrid"):
        better, raw = (_deviation(evidence, load, "wait", which) for which in (f"{CORRECTED} {one}", one))
        # Where raw forecasts are exact there is nothing to be better than.
        yield lower(
            (f"{load}: deviation of corrected {one}", "raw"), (better, np.where(raw > 0, raw, np.nan))
        )


@CLAIMS.states(
    "C8", "§ 3.6", "No estimator is the best for both execution and waits, so they should be combined"
)
def _nobody_wins_twice(evidence: Evidence) -> Statements:
    names = (*SIX, f"{CORRECTED} SDPN", f"{CORRECTED} Hybrid")
    for load in SHARED:
        run, wait = (next(iter(_deviations(evidence, load, kind, names))) for kind in ("run", "wait"))
        text = f"{load}: {run} for runs, {wait} for waits"
        open_ones = [name for name in names if not _is_beaten(evidence, load, name, (run, wait))]
        if open_ones and run != wait:
            text += f"; {' and '.join(open_ones)} may be the best of both"
        doubt = min(_best_of_both(evidence, load, name, names) for name in names) * len(names)
        yield Statement(text, not open_ones, min(1.0, doubt))


def _is_beaten(evidence: Evidence, load: str, name: str, best: tuple[str, str]) -> bool:
    """Return whether one is distinguished from the best for runs, or from the best for waits."""
    return any(
        mean_interval(gap).low > 0
        for kind, first in zip(_KINDS, best, strict=True)
        for gap in _leads(evidence, load, kind, (first,), (name,))
    )


def _best_of_both(evidence: Evidence, load: str, name: str, names: Sequence[str]) -> float:
    """Return the p-value at which one is said to be below all others for runs and for waits, too."""
    gaps = [gap for kind in _KINDS for gap in _leads(evidence, load, kind, (name,), names)]
    return max(against(-gap) for gap in gaps)


_KINDS: tuple[Predicted, Predicted] = ("run", "wait")


@CLAIMS.states(
    "C9",
    "§ 3.5.7, table 3.11",
    "Cost: Smith and Li below IBL, that below Hanzich and SDPN, those below Hybrid; simulation is "
    "dearer under sharing, and no dearer with owners",
)
def _cost_order(evidence: Evidence) -> Statements:
    for load in LOADS:
        yield _cost(evidence, load)
    yield from _jump(evidence)


def _cost(evidence: Evidence, load: str) -> Statement:
    cost = {name: 1000 * evidence.cost[load, name] for name in SIX}
    listing = ", ".join(f"{name} {float(values.mean()):.3g} ms" for name, values in cost.items())
    steps = (("Smith", "IBL"), ("Li", "IBL"), *((a, b) for b in _SIMULATORS for a in ("IBL",)))
    steps = (*steps, *((one, "Hybrid") for one in _SIMULATORS))
    return all_above_zero(f"{load}: {listing}", [cost[dearer] - cost[cheaper] for cheaper, dearer in steps])


_SIMULATORS = ("Hanzich", "SDPN")


def _jump(evidence: Evidence) -> Iterator[Statement]:
    for name in _SIMULATORS:
        alone, shared, owners = (1000 * evidence.cost[load, name] for load in LOADS)
        listing = " -> ".join(f"{float(one.mean()):.3g}" for one in (alone, shared, owners))
        yield above_zero(f"{name} is dearer by half under sharing, {listing} ms", shared - 1.5 * alone)
        ratio = owners / shared
        yield within(
            f"{name} is about as dear with owners, {mean_interval(ratio).text()} times", ratio, (2 / 3, 1.5)
        )
