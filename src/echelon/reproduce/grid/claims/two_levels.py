"""What the grid study claims of its strategies over two levels, cut into statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.analysis import approximation_factor, competitive_factor
from echelon.reproduce.grid.claims.comparisons import (
    is_before,
    is_behind,
    is_less,
    rank_names,
    same_order,
    scores,
)
from echelon.reproduce.grid.claims.evidence import GridClaims
from echelon.reproduce.grid.data import EIGHTEEN, GRIDS, METRICS, NINE
from echelon.reproduce.grid.two_levels import MAIN_ROWS
from echelon.reproduce.machinery.statement import above_zero, all_above_zero, fact, mean_interval, within

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.reproduce.grid.claims.comparisons import Scores
    from echelon.reproduce.grid.claims.evidence import Evidence
    from echelon.reproduce.machinery.claims import Statements


CLAIMS = GridClaims()

SIMPLE = ("MPL", "LBal_S", "MST", "MLp")
"""Those that the study recommends, in its order over all grids."""
INFORMED = ("MCT", "MWWT_S", "MWT", "MLB")
"""Those that know most and that it finds worst but for Random."""
_HARDLY = 2.5
"""Percent of rho within which strategies hardly differ: of seven on Grid 1 table 3 has 2 at most, rounded."""
_APART_IN_RHO = {"Grid 1": ("Random", "MWWT_S")}
"""Those that the study says differ in rho."""
_DIFFERS = 10.0
"""Percent of rho that the nine must be worse than the best on average, for rho to differ."""
_FACTOR = 100
"""How many times the best's Random's waits are, by the study."""


def _main(evidence: Evidence, grid: str, which: str = "1") -> Scores:
    """Return the mean of the three metrics' degradations, week by week."""
    names = EIGHTEEN if which == "both" else NINE
    return scores(names, evidence.two[grid].weekly(which)[MAIN_ROWS].mean(axis=0))


def _metric(evidence: Evidence, grid: str, symbol: str) -> Scores:
    return scores(NINE, evidence.two[grid].weekly()[METRICS.index(symbol)])


def _over_all(evidence: Evidence) -> Scores:
    weekly = [evidence.two[grid].weekly()[MAIN_ROWS].mean(axis=0) for grid in GRIDS]
    return scores(NINE, np.mean(weekly, axis=0))


def _but(names: Iterable[str]) -> list[str]:
    left_out = set(names)
    return [name for name in NINE if name not in left_out]


@CLAIMS.on("Grid 1", "C1a", "table 4", "MPL, LBal_S, MST and MLp are the first four.")
@CLAIMS.on("Grid 2", "C1b", "table 4", "MPL, LBal_S, MLp and MST are the first four.")
def _first_four(evidence: Evidence, grid: str) -> Statements:
    means = _main(evidence, grid)
    return (is_before(means, name, _but(SIMPLE)) for name in SIMPLE)


@CLAIMS.on("Grid 1", "C1c", "table 4", "MPL is best.")
@CLAIMS.on("Grid 2", "C1d", "table 4", "MPL is best.")
def _mpl_best(evidence: Evidence, grid: str) -> Statements:
    return [is_before(_main(evidence, grid), "MPL", NINE)]


@CLAIMS.states(
    "C1e",
    "table 4",
    "Over the three grids simple strategies by sizes win: MPL, then LBal_S, MST, MLp.",
    needs=GRIDS,
)
def _first_four_of_all(evidence: Evidence) -> Statements:
    means = _over_all(evidence)
    for place, name in enumerate(SIMPLE):
        yield is_before(means, name, _but(SIMPLE[:place]))


@CLAIMS.on(
    "Grid 1", "C2a", "section 4.5", "MCT, MWWT_S, MWT and MLB, which know most, are worst after Random."
)
@CLAIMS.on(
    "Grid 2", "C2b", "section 4.5", "MCT, MWWT_S, MWT and MLB, which know most, are worst after Random."
)
def _informed_worst(evidence: Evidence, grid: str) -> Statements:
    means = _main(evidence, grid)
    return (is_behind(means, name, SIMPLE) for name in INFORMED)


@CLAIMS.on(
    "Grid 1",
    "C2c",
    "section 4.5",
    "users' estimates are why: planned with the run times, strategies that use them wait less.",
)
def _estimates_are_why(evidence: Evidence, grid: str) -> Statements:
    """Say of each strategy that uses estimates whether it waits less when planned with the run times."""
    if evidence.exact is None:
        return
    place = METRICS.index("t_w")
    before, after = (
        scores(NINE, experiment.without[place]) for experiment in (evidence.two[grid], evidence.exact)
    )
    for name in ("MST", *INFORMED):
        yield is_less(
            f"mean wait of {name} with exact times and as it is", after[name], before[name], " s", 0
        )


@CLAIMS.on("Grid 1", "C3a", "tables 3 and 4", "Random is last, by a factor above 100 in SD_b and t_w.")
@CLAIMS.on("Grid 2", "C3b", "tables 3 and 4", "Random is last, by a factor above 100 in SD_b and t_w.")
def _random_last(evidence: Evidence, grid: str) -> Statements:
    yield is_behind(_main(evidence, grid), "Random", NINE)
    for symbol in ("SD_b", "t_w"):
        values = scores(NINE, evidence.two[grid].without[METRICS.index(symbol)])
        best = values[rank_names(values)[0]]
        factor = values["Random"].mean() / best.mean()
        text = f"in {symbol} Random is {factor:,.1f} times the best, above {_FACTOR}"
        yield above_zero(text, values["Random"] - _FACTOR * best)


@CLAIMS.states("C3c", "table 4", "Over the three grids Random is last.", needs=GRIDS)
def _random_last_of_all(evidence: Evidence) -> Statements:
    return [is_behind(_over_all(evidence), "Random", NINE)]


@CLAIMS.on("Grid 1", "C4a", "table 3", "rho hardly differs, but for Random and MWWT_S.")
@CLAIMS.on("Grid 2", "C4b", "table 3", "rho hardly differs.")
def _rho_alike(evidence: Evidence, grid: str) -> Statements:
    rho = _metric(evidence, grid, "rho")
    best = rank_names(rho)[0]
    for name in _but((*_APART_IN_RHO.get(grid, ()), best)):
        worse = rho[name] - rho[best]
        text = f"rho of {name} is {mean_interval(worse).text(' %', 1)} above that of {best}, the best"
        yield within(f"{text}: within {_HARDLY:g} %", worse, (-_HARDLY, _HARDLY))


@CLAIMS.on("Grid 3", "C4c", "table 3", "rho differs.")
def _rho_differs(evidence: Evidence, grid: str) -> Statements:
    rho = _metric(evidence, grid, "rho")
    best = rho[rank_names(rho)[0]]
    worse = np.mean([values - best for values in rho.values()], axis=0)
    gap = mean_interval(worse).text(" %", 1)
    text = f"the nine are {gap} above the best on average, more than {_DIFFERS:g} %"
    yield above_zero(text, worse - _DIFFERS)


@CLAIMS.on("Grid 3", "C5a", "tables 4 and 7", "MST and MCT lead without admissibility.")
def _mst_and_mct_lead(evidence: Evidence, grid: str) -> Statements:
    means = _main(evidence, grid)
    return (is_before(means, name, _but(("MST", "MCT"))) for name in ("MST", "MCT"))


@CLAIMS.on("Grid 3", "C5b", "tables 4 and 7", "MLp is last without admissibility.")
def _mlp_last(evidence: Evidence, grid: str) -> Statements:
    return [is_behind(_main(evidence, grid), "MLp", NINE)]


def _gains(evidence: Evidence, grid: str) -> Scores:
    return scores(NINE, evidence.two[grid].weekly_improvements)


@CLAIMS.on("Grid 3", "C6a", "tables 5 to 7", "a = 0.5 improves every strategy.")
@CLAIMS.on("Grid 1", "C6d", "section 4.5", "admissibility improves the mean of the three metrics, too.")
@CLAIMS.on("Grid 2", "C6e", "section 4.5", "admissibility improves the mean of the three metrics, too.")
def _check_improvement(evidence: Evidence, grid: str) -> Statements:
    for name, gain in _gains(evidence, grid).items():
        yield above_zero(f"{name}: an improvement of {mean_interval(gain).text(' %', 1)}", gain)


@CLAIMS.on("Grid 3", "C6b", "table 5", "MLp gains most.")
def _mlp_gains_most(evidence: Evidence, grid: str) -> Statements:
    gains = _gains(evidence, grid)
    leads = {name: gains["MLp"] - gain for name, gain in gains.items() if name != "MLp"}
    nearest = min(leads, key=lambda name: float(leads[name].mean()))
    text = (
        f"MLp: an improvement of {gains['MLp'].mean():.1f} %, that of {nearest} is "
        f"{gains[nearest].mean():.1f} %, apart by {mean_interval(leads[nearest]).text(' points', 1)}"
    )
    return [all_above_zero(text, leads.values())]


@CLAIMS.on("Grid 3", "C6c", "tables 6 and 7", "MLp with a = 0.5 is the best of eighteen.")
def _mlp_a_best(evidence: Evidence, grid: str) -> Statements:
    return [is_before(_main(evidence, grid, "both"), "MLp_a", EIGHTEEN)]


@CLAIMS.states(
    "C7a",
    "theorems 1 to 4",
    "MCT and MLB are worst-case bounded by 9 off line and 11 on line at a = 0.5, the best factor.",
)
def _bounds(_: Evidence) -> Statements:
    factors = np.linspace(0.01, 0.99, 99)
    offline, online = approximation_factor(factors), competitive_factor(factors)
    best = float(factors[online.argmin()])
    text = f"the larger of both cases is least at a = {best:.2f}: {offline.min():.0f} off line"
    least = [round(float(values.min()), 9) for values in (offline, online)]
    yield fact(f"{text} and {online.min():.0f} on line", abs(best - 0.5) < 1e-9 and least == [9, 11])
    # What theorem 4 says of small jobs is a number and no formula: there is nothing to work out.


@CLAIMS.states(
    "C7b",
    "theorem 3",
    "No run of MCT_a or MLB_a is worse than 11 times the optimum (EASY, which holds processors back for "
    "the head, is outside the theorems' conditions).",
)
def _bounds_kept(evidence: Evidence) -> Statements:
    columns = [EIGHTEEN.index(f"{name}_a") for name in ("MCT", "MLB")]
    for grid, experiment in evidence.two.items():
        largest = float(experiment.both[0][:, columns].max())
        text = f"{grid}: the largest ratio to the lower bound of MCT_a and MLB_a is {largest:.3f}"
        yield fact(text, largest <= 11)


@CLAIMS.on("Grid 3", "T1", "section 4.5", "degradations in SD_b and t_w are several times those in rho.")
def _waits_dominate(evidence: Evidence, grid: str) -> Statements:
    weekly = evidence.two[grid].weekly("both").mean(axis=2)
    rho = weekly[METRICS.index("rho")]
    for symbol in ("SD_b", "t_w"):
        other = weekly[METRICS.index(symbol)]
        text = f"mean over eighteen strategies: {symbol} {other.mean():.1f} %, rho {rho.mean():.1f} %"
        yield above_zero(f"{text}, at least twice as much", other - 2 * rho)


@CLAIMS.states("T2", "table 10", "All ten metrics rank the strategies as the three do, on each grid.")
def _ten_like_three(evidence: Evidence) -> Statements:
    for grid, experiment in evidence.two.items():
        three, ten = (
            scores(NINE, experiment.weekly()[rows].mean(axis=0)) for rows in (MAIN_ROWS, slice(None))
        )
        text = f"{grid}: {' < '.join(rank_names(ten))} by ten, {' < '.join(rank_names(three))} by three"
        yield same_order(text, three, ten)
