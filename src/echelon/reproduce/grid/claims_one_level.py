"""What the grid study claims of sites without a broker, each judged by computation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.analysis import friedman_test, wilcoxon_test
from echelon.metrics import percent_taken, taken
from echelon.reproduce.grid.one_level import ONE_QUEUE, ORDERS, RIVALS, THRESHOLDS
from echelon.reproduce.grid.printed import printed
from echelon.reproduce.grid.strategies import MAIN

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from echelon.reproduce.grid.evidence import Evidence
    from echelon.reproduce.grid.one_level import OneLevel

    Judged = tuple[bool | None, str]
    Check = Callable[[Evidence], Judged]
    Judge = Callable[[OneLevel], Judged]

_LEVEL = 0.05
"""Of significance, over the three metrics together (Bonferroni)."""
_LEAST_WEEKS, _TOO_FEW = 2, "A test of differences needs at least two experiments"
_WITHIN = 0.5
"""Percent of mean rho."""
_ST50_ORDERS = ("ST50", *(f"ST50 {order}" for order in ORDERS if order != "AHB"))


def _on(grid: str, judge: Judge) -> Check:
    """Return a check of what one grid gave; not testable where nothing was run there."""

    def check(evidence: Evidence) -> Judged:
        found = evidence.one.get(grid)
        return (None, f"{grid} was not run without a broker") if found is None else judge(found)

    return check


def _balanced(found: OneLevel) -> Judged:
    """Judge whether work by processor varies among sites less than half as much as before stealing."""
    work, sizes = found.moved(what="work"), np.array(found.sizes)
    before, after = (_variation(work.sum(axis=axis) / sizes) for axis in (1, 0))
    return after < before / 2, (
        f"Coefficient of variation over the sites of work by processor: {before:.2f} at home, "
        f"{after:.2f} where run"
    )


def _variation(values: NDArray[np.float64]) -> float:
    return float(values.std() / values.mean())


def _blocking_hurts(found: OneLevel) -> Judged:
    means = {symbol: found.metric(symbol, ("ST50", *ONE_QUEUE)).mean(axis=0) for symbol in MAIN}
    worse = all((row[0] > row[1:]).all() for row in means.values())
    heads = ("ST50", *ONE_QUEUE)
    shown = "; ".join(
        f"{symbol}: {', '.join(f'{name} {value:,.4g}' for name, value in zip(heads, row, strict=True))}"
        for symbol, row in means.items()
    )
    return worse, shown


def _one_queue_wins(found: OneLevel) -> Judged:
    means = dict(zip(RIVALS, found.main().tolist(), strict=True))
    shown = ", ".join(f"{name} {means[name]:,.1f} %" for name in sorted(means, key=means.__getitem__))
    return all(means[name] < means["ST50"] for name in ONE_QUEUE), f"Mean degradations: {shown}"


def _fits_alike(found: OneLevel) -> Judged:
    if len(found.weeks["ST50"]) < _LEAST_WEEKS:
        return None, _TOO_FEW
    chances = {}
    for symbol in MAIN:
        values = found.metric(symbol, ("ST50", "ST50 best-fit"))
        chances[symbol] = wilcoxon_test(values[:, 0], values[:, 1]).p_value
    return min(chances.values()) >= _LEVEL / len(MAIN), _chances(
        "Wilcoxon's test of first fit and best fit", chances
    )


def _orders_alike(found: OneLevel) -> Judged:
    if len(found.weeks["ST50"]) < _LEAST_WEEKS:
        return None, _TOO_FEW
    chances = {symbol: friedman_test(found.metric(symbol, _ST50_ORDERS)).p_value for symbol in MAIN}
    return min(chances.values()) >= _LEVEL / len(MAIN), _chances("Friedman's test of the six orders", chances)


def _chances(test: str, chances: dict[str, float]) -> str:
    return (
        f"{test}: "
        + ", ".join(f"p = {value:.3g} in {symbol}" for symbol, value in chances.items())
        + (f"; significant below {_LEVEL / len(MAIN):.3g}")
    )


def _rho_within(found: OneLevel) -> Judged:
    means = dict(zip(RIVALS, found.metric("rho", RIVALS).mean(axis=0).tolist(), strict=True))
    spread = 100 * (max(means.values()) / min(means.values()) - 1)
    shown = ", ".join(f"{name} {means[name]:.4f}" for name in sorted(means, key=means.__getitem__))
    return spread <= _WITHIN, f"Mean rho within {spread:.2f} %: {shown}"


def _larger_steal_more(found: OneLevel) -> Judged:
    stolen = taken(found.moved()).sum(axis=0)
    theirs = printed("table8a").numbers("total")
    return bool((np.diff(stolen[1:]) >= 0).all()), (
        f"Jobs taken by sites 2 to {len(stolen)}: {', '.join(f'{jobs:,.0f}' for jobs in stolen[1:])}; the "
        f"study's own table 8: {', '.join(f'{jobs:,.0f}' for jobs in list(theirs.values())[1:])}"
    )


def _half_stolen(found: OneLevel) -> Judged:
    work = found.moved(what="work")
    shares = 100 * taken(work).sum(axis=0) / np.maximum(work.sum(axis=0), 1.0)
    shown = ", ".join(f"{share:.1f} %" for share in shares)
    return float(shares[-3:].max()) > 50, f"Share of each site's work that was another's: {shown}"


def _from_the_smallest(found: OneLevel) -> Judged:
    lost = taken(found.moved()).sum(axis=1)
    holds = lost[-1] == 0 and lost.argmax() == 0
    return bool(holds), f"Jobs taken from each site: {', '.join(f'{jobs:,.0f}' for jobs in lost)}"


def _not_by_size(found: OneLevel) -> Judged:
    shares = percent_taken(found.moved()).sum(axis=1)
    shown = ", ".join(f"{share:.1f} %" for share in shares)
    return bool((np.diff(shares[:-1]) > 0).any()), f"Share of each site's jobs that others took: {shown}"


def _even_parts_vary(found: OneLevel) -> Judged:
    spread = dict(zip(THRESHOLDS, found.metric("rho", THRESHOLDS).std(axis=0).tolist(), strict=True))
    inner = min(spread[name] for name in ("ST25", "ST50", "ST75"))
    shown = ", ".join(f"{name} {value:.5f}" for name, value in spread.items())
    return inner > max(spread["ST0"], spread["ST100"]), f"Standard deviation of rho: {shown}"


def _equal_sites_by_order(found: OneLevel) -> Judged:
    large, small = (sets[:4] / 3600 for sets in found.sets)
    shown = "; ".join(
        f"{name}: {', '.join(f'{value:.1f}' for value in sets)} h"
        for name, sets in (("A", large), ("B", small))
    )
    holds = bool((np.diff(large) > 0).all() and (np.diff(small) < 0).all())
    return holds, f"Work by processor and week at sites 1 to 4, {shown}"


_G1, _G2 = ("Grid 1",), ("Grid 2",)


def _both(
    name: str, where: str, text: str, judge: Judge, *, letters: str = "ab"
) -> tuple[tuple[str, str, str, tuple[str, ...], Check], ...]:
    """Return a claim of both grids as two."""
    return (
        (f"{name}{letters[0]}", where, f"Grid 1: {text}", _G1, _on("Grid 1", judge)),
        (f"{name}{letters[1]}", where, f"Grid 2: {text}", _G2, _on("Grid 2", judge)),
    )


ONE_LEVEL = (
    *_both("C8", "section 4.6", "stealing balances the load among sites well.", _balanced),
    *_both(
        "C8", "chapter 5", "delaying the B jobs while there are A jobs hurts all metrics: ST50 is worse "
                           "than one "
        "queue in each.", _blocking_hurts, letters="cd",
    ),
    *_both("C9", "chapter 5", "List Common Pool, ST0 and ST100, with one queue, are better than "
                              "ST50.", _one_queue_wins),
    *_both("C10", "chapter 5", "first fit and best fit do not differ significantly.", _fits_alike),
    *_both("C10", "chapter 5", "orders of A, H and B do not differ significantly.", _orders_alike,
           letters="cd"),
    *_both("C11", "figure 31", "all arrangements are within 0.5 % in mean rho.", _rho_within),
    ("T3", "figure 27", "Grid 1: the larger the site, the more jobs it takes.", _G1, _on("Grid "
    "1", _larger_steal_more)),
    *_both("T4", "figure 28", "more than half of the work of the largest sites is others'.", _half_stolen),
    *_both("T5", "table 8", "most jobs are taken from the smallest site, none from the "
                            "largest.", _from_the_smallest),
    ("T6", "section 4.6", "Grid 1: the share taken from a site does not fall steadily with its size.", _G1,
     _on("Grid 1", _not_by_size)),
    *_both("T7", "figure 31", "rho varies most where the threshold parts A and B evenly.", _even_parts_vary),
    ("T14", "figure 30", "Grid 2: at the four equal sites the load of A jobs rises from the first to "
                         "the last, that "
     "of B jobs falls.", _G2, _on("Grid 2", _equal_sites_by_order)),
)  # fmt: skip
"""Name, where, text, the grids it needs, and the check."""
