"""Claims of the grid study on decentralized protocols, as statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics import transfers
from echelon.reproduce.grid.claims.comparisons import every, is_before, rank_names, scores
from echelon.reproduce.grid.claims.evidence import GridClaims
from echelon.reproduce.grid.data import MAIN, read_printed
from echelon.reproduce.grid.one_level import ONE_QUEUE, ORDERS, RIVALS, THRESHOLDS
from echelon.reproduce.grid.two_levels import MAIN_ROWS
from echelon.reproduce.machinery.statement import above_zero, alike, all_above_zero, mean_interval, within

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from echelon.reproduce.grid.claims.evidence import Evidence
    from echelon.reproduce.grid.one_level import OneLevel
    from echelon.reproduce.machinery.claims import Statements
    from echelon.reproduce.machinery.statement import Statement

    Judge = Callable[[OneLevel], Statements]

_WITHIN = 0.5
"""Percent of mean rho, as the study says."""
_ALIKE = 5.0
"""Percent within which two variants of ST50 are alike."""
_OTHER_ORDERS = tuple(f"ST50 {order}" for order in ORDERS if order != "AHB")


CLAIMS = GridClaims()


def _on(grid: str, name: str, where: str, text: str) -> Callable[[Judge], Judge]:
    """Return a decorator: the function below it judges this claim on what one grid gave, if that was run."""

    def keep(judge: Judge) -> Judge:
        @CLAIMS.on(grid, name, where, text)
        def _check(evidence: Evidence, grid: str) -> Statements:
            return judge(evidence.one[grid]) if grid in evidence.one else []

        return judge

    return keep


def _on_both(name: str, where: str, text: str, *, letters: str = "ab") -> Callable[[Judge], Judge]:
    """Return a decorator: the function below it judges this claim of both grids as two."""

    def keep(judge: Judge) -> Judge:
        for grid, letter in zip(("Grid 1", "Grid 2"), letters, strict=True):
            _on(grid, f"{name}{letter}", where, text)(judge)
        return judge

    return keep


def _weekly(experiment: OneLevel, name: str = "ST50", *, what: str = "jobs") -> NDArray[np.float64]:
    """Return jobs, or work, by home and by the site that ran them, shape (n_weeks, n_sites, n_sites)."""
    return np.array([getattr(week, what) for week in experiment.weeks[name]])


@_on_both("C8", "section 4.6", "stealing balances the load among sites well.")
def _check_balance(experiment: OneLevel) -> Iterator[Statement]:
    """Say whether work by processor varies among sites less than half as much as before stealing."""
    work, sizes = _weekly(experiment, what="work"), np.array(experiment.sizes)
    before, after = (_variation(work.sum(axis=axis) / sizes) for axis in (2, 1))
    text = (
        f"the coefficient of variation over the sites of work by processor is {before.mean():.2f} at home, "
        f"{after.mean():.2f} where run, less than half"
    )
    yield above_zero(text, before / 2 - after)


def _variation(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the coefficient of variation of each week's row."""
    variation: NDArray[np.float64] = values.std(axis=1) / values.mean(axis=1)
    return variation


@_on_both(
    "C8",
    "chapter 5",
    "delaying the B jobs while there are A jobs hurts all metrics: ST50 is worse than one queue in each.",
    letters="cd",
)
def _blocking_hurts(experiment: OneLevel) -> Iterator[Statement]:
    for symbol in MAIN:
        values = scores(("ST50", *ONE_QUEUE), experiment.metric(symbol, ("ST50", *ONE_QUEUE)))
        shown = ", ".join(f"{name} {one.mean():,.4g}" for name, one in values.items())
        yield all_above_zero(f"{symbol}: {shown}", [values["ST50"] - values[name] for name in ONE_QUEUE])


@_on_both("C9", "chapter 5", "List Common Pool, ST0 and ST100, with one queue, are better than ST50.")
def _one_queue_wins(experiment: OneLevel) -> Iterator[Statement]:
    means = scores(RIVALS, experiment.weekly()[MAIN_ROWS].mean(axis=0))
    return (is_before(means, name, ["ST50"]) for name in ONE_QUEUE)


def _alike(experiment: OneLevel, name: str, other: str) -> Iterator[Statement]:
    """Say of each metric whether two variants are alike."""
    for symbol in MAIN:
        values = experiment.metric(symbol, (name, other))
        yield alike((f"{symbol} of {name}", f"that of {other}"), (values[:, 0], values[:, 1]), _ALIKE)


@_on_both("C10", "chapter 5", f"first fit and best fit are alike, within {_ALIKE:g} %.")
def _fits_alike(experiment: OneLevel) -> Iterator[Statement]:
    return _alike(experiment, "ST50 best-fit", "ST50")


@_on_both("C10", "chapter 5", f"orders of A, H and B are alike, within {_ALIKE:g} %.", letters="cd")
def _orders_alike(experiment: OneLevel) -> Iterator[Statement]:
    for name in _OTHER_ORDERS:
        apart = []
        for symbol in MAIN:
            values = experiment.metric(symbol, (name, "ST50"))
            share = 100 * (values[:, 0] - values[:, 1]) / values[:, 1].mean()
            apart.append(f"{symbol} {mean_interval(share).text(' %', 1)}")
        yield every(f"{name} less ST50: {', '.join(apart)}", _alike(experiment, name, "ST50"))


@_on_both("C11", "figure 31", "all protocols are within 0.5 % in mean rho.")
def _rho_within(experiment: OneLevel) -> Iterator[Statement]:
    rho = scores(RIVALS, experiment.metric("rho", RIVALS))
    first, *others = rank_names(rho)
    for name in others:
        apart = 100 * (rho[name] / rho[first].mean() - rho[first] / rho[first].mean())
        text = f"mean rho of {name} is {mean_interval(apart).text(' %')} above that of {first}, the best"
        yield within(text, apart, (-_WITHIN, _WITHIN))


@_on("Grid 1", "T3", "figure 27", "the larger the site, the more jobs it takes.")
def _larger_steal_more(experiment: OneLevel) -> Iterator[Statement]:
    weekly = _steals_of(_weekly(experiment)).sum(axis=1)
    stolen = weekly.mean(axis=0)
    theirs = list(read_printed("table8a").numbers("total").values())
    text = (
        f"jobs taken by sites 2 to {len(stolen)}: {', '.join(f'{jobs:,.0f}' for jobs in stolen[1:])}; the "
        f"study's own table 8: {', '.join(f'{jobs:,.0f}' for jobs in theirs[1:])}"
    )
    yield all_above_zero(text, np.diff(weekly[:, 1:], axis=1).T)


def _steals_of(moved: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return moves of each week without what stayed, shape (n_weeks, n_sites, n_sites)."""
    return np.array([transfers(week) for week in moved])


@_on_both("T4", "figure 28", "up to more than half of the work of the largest sites is others'.")
def _half_stolen(experiment: OneLevel) -> Iterator[Statement]:
    work = _weekly(experiment, what="work")
    shares = 100 * _steals_of(work).sum(axis=1) / np.maximum(work.sum(axis=1), 1.0)
    means = shares.mean(axis=0)
    largest = len(means) - 3 + int(means[-3:].argmax())
    shown = ", ".join(f"{share:.1f} %" for share in means)
    text = f"at site {largest + 1} most of the work was another's; share at each site: {shown}"
    yield above_zero(text, shares[:, largest] - 50)


@_on_both("T5", "table 8", "most jobs are taken from the smallest site (from the largest none can be).")
def _from_the_smallest(experiment: OneLevel) -> Iterator[Statement]:
    lost = _steals_of(_weekly(experiment)).sum(axis=2)
    shown = ", ".join(f"{jobs:,.0f}" for jobs in lost.mean(axis=0))
    # Sites steal from smaller ones, so that nothing can be taken from the largest: that tests nothing.
    yield all_above_zero(
        f"most are taken from site 1; jobs taken from each site: {shown}", (lost[:, :1] - lost[:, 1:]).T
    )


@_on("Grid 1", "T6", "section 4.6", "the share taken from a site does not fall steadily with its size.")
def _not_by_size(experiment: OneLevel) -> Iterator[Statement]:
    jobs = _weekly(experiment)
    shares = 100 * _steals_of(jobs).sum(axis=2) / np.maximum(jobs.sum(axis=2), 1.0)
    shown = ", ".join(f"{share:.1f} %" for share in shares.mean(axis=0))
    text = f"a larger share is taken from site 2 than from site 1; of each site's jobs: {shown}"
    yield above_zero(text, shares[:, 1] - shares[:, 0])


@_on_both("T7", "figure 31", "rho varies most where the threshold parts A and B evenly.")
def _even_parts_vary(experiment: OneLevel) -> Iterator[Statement]:
    rho = scores(THRESHOLDS, experiment.metric("rho", THRESHOLDS))
    apart = {name: np.abs(values - np.median(values)) for name, values in rho.items()}
    for name in ("ST25", "ST50", "ST75"):
        shown = ", ".join(f"{other} {rho[other].std():.5f}" for other in (name, "ST0", "ST100"))
        yield all_above_zero(
            f"standard deviation of rho: {shown}", [apart[name] - apart[other] for other in ("ST0", "ST100")]
        )


@_on(
    "Grid 2",
    "T14",
    "figure 30",
    "at the four equal sites the load of A jobs rises from the first to the last, that of B jobs falls.",
)
def _equal_sites_by_order(experiment: OneLevel) -> Iterator[Statement]:
    sizes = np.array(experiment.sizes)
    large = np.array([week.large for week in experiment.weeks["ST50"]]) / sizes / 3600
    small = _weekly(experiment, what="work").sum(axis=1) / sizes / 3600 - large
    for name, sets, sign, trend in (("A", large, 1, "rises"), ("B", small, -1, "falls")):
        shown = ", ".join(f"{value:.1f}" for value in sets.mean(axis=0)[:4])
        text = f"work of {name} {trend} over sites 1 to 4, hours by processor and week: {shown}"
        yield all_above_zero(text, sign * np.diff(sets[:, :4], axis=1).T)
