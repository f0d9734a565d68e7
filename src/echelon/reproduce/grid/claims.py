"""What the grid study claims of its two-level strategies and workloads, each judged by computation.

The texts are ours. A claim about several grids is judged on each, so that one whose logs are missing leaves
the others their verdict. Claims of sites without a broker are in `claims_one_level`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.analysis import approximation_factor, competitive_factor
from echelon.analysis.admissibility_bounds import SMALL_JOBS_APPROXIMATION, SMALL_JOBS_COMPETITIVE
from echelon.reproduce.claim import Claim
from echelon.reproduce.grid.claims_one_level import ONE_LEVEL
from echelon.reproduce.grid.strategies import EIGHTEEN, GRIDS, METRICS, NINE
from echelon.reproduce.grid.two_levels import MAIN_ROWS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from echelon.reproduce.claim import Verdict
    from echelon.reproduce.grid.evidence import Evidence

    Judged = tuple[bool | None, str]
    """Whether the claim holds (None: not testable), and our numbers or why not."""
    Check = Callable[[Evidence], Judged]
    Stated = tuple[str, str, str, tuple[str, ...], Check]
    """Name, where, text, the grids it needs, and the check."""

_INFORMED = ("MCT", "MWWT_S", "MWT", "MLB")
_HARDLY = 2.0
"""Percent of rho within which strategies hardly differ: what the study's table 3 shows of seven on Grid 1."""


def judged(evidence: Evidence) -> list[Claim]:
    """Return every claim with its verdict and our numbers."""
    claims = []
    for name, where, text, grids, check in (*_TWO_LEVELS, *ONE_LEVEL, *_WORKLOADS):
        lacking = [f"{grid}: {why}" for grid in grids if (why := evidence.cases[grid].missing)]
        holds, finding = (None, "; ".join(lacking)) if lacking else check(evidence)
        verdict: Verdict = "not testable" if holds is None else "holds" if holds else "does not hold"
        apart = [grid for grid in grids if evidence.cases[grid].apart]
        finding += (
            f" ({' and '.join(apart)}: not as in the study, see the notes)" if apart and not lacking else ""
        )
        claims.append(Claim(name, text, where, verdict, finding))
    return claims


def _means(evidence: Evidence, grid: str, which: str = "1") -> dict[str, float]:
    names = EIGHTEEN if which == "both" else NINE
    return dict(zip(names, evidence.two[grid].main(which).tolist(), strict=True))


def _ranked(values: Mapping[str, float]) -> list[str]:
    return sorted(values, key=values.__getitem__)


def _listed(values: Mapping[str, float], names: Iterable[str] | None = None) -> str:
    return ", ".join(f"{name} {values[name]:,.1f} %" for name in names or _ranked(values))


def _metric(evidence: Evidence, grid: str, symbol: str) -> dict[str, float]:
    return dict(zip(NINE, evidence.two[grid].percent()[METRICS.index(symbol)].tolist(), strict=True))


_SIMPLE = ("MPL", "LBal_S", "MST", "MLp")
"""Those that the study recommends, in its order over all grids."""


def _first_four(grid: str) -> Check:
    def check(evidence: Evidence) -> Judged:
        means = _means(evidence, grid)
        return set(_ranked(means)[:4]) == set(_SIMPLE), f"Mean degradations: {_listed(means)}"

    return check


def _mpl_best(grid: str) -> Check:
    def check(evidence: Evidence) -> Judged:
        order = _ranked(_means(evidence, grid))
        return order[0] == "MPL", f"The order: {', '.join(order)}"

    return check


def _over_all(evidence: Evidence) -> dict[str, float]:
    means = np.mean([evidence.two[grid].main() for grid in GRIDS], axis=0)
    return dict(zip(NINE, means.tolist(), strict=True))


def _first_four_of_all(evidence: Evidence) -> Judged:
    means = _over_all(evidence)
    return _ranked(means)[:4] == list(_SIMPLE), f"Mean degradations: {_listed(means)}"


def _informed_worst(grid: str) -> Check:
    def check(evidence: Evidence) -> Judged:
        means = _means(evidence, grid)
        behind = _ranked({name: value for name, value in means.items() if name != "Random"})[4:]
        return set(behind) == set(_INFORMED), f"Mean degradations: {_listed(means)}"

    return check


def _estimates_are_why(evidence: Evidence) -> Judged:
    """Judge whether, planned with run times, the four are no longer those behind all others but Random."""
    if not {"exact", "default"} <= set(evidence.readings):
        return None, "not run with exact estimates"
    before, after = (
        dict(zip(NINE, evidence.readings[name].main().tolist(), strict=True)) for name in ("default", "exact")
    )
    behind = _ranked({name: value for name, value in after.items() if name != "Random"})[4:]
    return set(behind) != set(_INFORMED), (
        f"Planned with run times: {_listed(after)}; with users' estimates: {_listed(before, _ranked(after))}"
    )


def _random_last(grid: str) -> Check:
    def check(evidence: Evidence) -> Judged:
        slowdown, wait = (_metric(evidence, grid, symbol) for symbol in ("SD_b", "t_w"))
        last = _ranked(_means(evidence, grid))[-1] == "Random"
        factors = [1 + one["Random"] / 100 for one in (slowdown, wait)]
        return last and min(factors) > 100, (
            f"{'Last' if last else 'Not last'}; {factors[0]:,.1f} times the best in SD_b, "
            f"{factors[1]:,.1f} in t_w"
        )

    return check


def _random_last_of_all(evidence: Evidence) -> Judged:
    means = _over_all(evidence)
    return _ranked(means)[-1] == "Random", f"Mean degradations: {_listed(means)}"


def _rho_alike(grid: str, most_apart: int) -> Check:
    def check(evidence: Evidence) -> Judged:
        rho = _metric(evidence, grid, "rho")
        apart = [name for name, value in rho.items() if round(value) > _HARDLY]
        return len(apart) <= most_apart, f"Degradations in rho: {_listed(rho)}"

    return check


def _rho_differs(evidence: Evidence) -> Judged:
    rho = _metric(evidence, "Grid 3", "rho")
    return sum(value > 10 for value in rho.values()) > len(rho) / 2, f"Degradations in rho: {_listed(rho)}"


def _mst_and_mct_lead(evidence: Evidence) -> Judged:
    means = _means(evidence, "Grid 3")
    return set(_ranked(means)[:2]) == {"MST", "MCT"}, f"Mean degradations: {_listed(means)}"


def _mlp_last(evidence: Evidence) -> Judged:
    means = _means(evidence, "Grid 3")
    return _ranked(means)[-1] == "MLp", f"Mean degradations: {_listed(means)}"


def _improvements(evidence: Evidence, grid: str) -> dict[str, float]:
    return dict(zip(NINE, evidence.two[grid].improvements.mean(axis=0).tolist(), strict=True))


def _improved(grid: str, most_worse: int) -> Check:
    def check(evidence: Evidence) -> Judged:
        found = _improvements(evidence, grid)
        worse = [name for name, value in found.items() if value < 0]
        return len(worse) <= most_worse, f"Improvements: {_listed(found, reversed(_ranked(found)))}"

    return check


def _mlp_gains_most(evidence: Evidence) -> Judged:
    found = _improvements(evidence, "Grid 3")
    order = _ranked(found)[::-1]
    return order[0] == "MLp", f"Improvements: {_listed(found, order)}"


def _mlp_a_best(evidence: Evidence) -> Judged:
    means = _means(evidence, "Grid 3", "both")
    order = _ranked(means)
    return order[0] == "MLp_a", f"The first six of eighteen: {_listed(means, order[:6])}"


def _bounds(_: Evidence) -> Judged:
    factors = np.linspace(0.01, 0.99, 99)
    offline, online = approximation_factor(factors), competitive_factor(factors)
    best = float(factors[online.argmin()])
    holds = (
        abs(best - 0.5) < 1e-9 and round(float(offline.min()), 9) == 9 and round(float(online.min()), 9) == 11
    )
    return holds and (SMALL_JOBS_APPROXIMATION, SMALL_JOBS_COMPETITIVE) == (3, 5), (
        f"The larger of both cases is least at a = {best:.2f}: {offline.min():.0f} off line and "
        f"{online.min():.0f} on line; {SMALL_JOBS_APPROXIMATION:.0f} and {SMALL_JOBS_COMPETITIVE:.0f} "
        "for small jobs"
    )


def _bounds_kept(evidence: Evidence) -> Judged:
    columns = [EIGHTEEN.index(f"{name}_a") for name in ("MCT", "MLB")]
    largest = {grid: float(found.both[0][:, columns].max()) for grid, found in evidence.two.items()}
    shown = ", ".join(f"{grid} {value:.3f}" for grid, value in largest.items())
    return max(largest.values()) <= 11, (
        f"The largest ratios to the lower bound of MCT_a and MLB_a: {shown}. EASY, which holds "
        "processors back "
        "for the head, is outside the theorems' conditions"
    )


def _waits_dominate(evidence: Evidence) -> Judged:
    rho, *others = evidence.two["Grid 3"].percent("both")[MAIN_ROWS].mean(axis=1).tolist()
    return min(others) >= 2 * rho, (
        f"Mean over eighteen strategies: rho {rho:.1f} %, SD_b {others[0]:.1f} %, t_w {others[1]:.1f} %"
    )


def _ten_like_three(evidence: Evidence) -> Judged:
    orders = {}
    for grid, found in evidence.two.items():
        three, ten = (
            _ranked(dict(zip(NINE, values.tolist(), strict=True)))
            for values in (found.main(), found.percent().mean(axis=0))
        )
        orders[grid] = (three == ten, f"{grid}: {' < '.join(ten)} by ten, {' < '.join(three)} by three")
    return all(same for same, _ in orders.values()), "; ".join(text for _, text in orders.values())


def _day_hours(evidence: Evidence) -> Judged:
    share = evidence.character["Grid 1"].daytime
    return share > 0.5, f"{share:.1%} of Grid 1's jobs are submitted from 8 to 18 h, Pacific time"


def _most_are_small(evidence: Evidence) -> Judged:
    by_site = evidence.character["Grid 1"].by_site
    return by_site[0] > by_site.sum() / 2, (
        f"{by_site[0] / by_site.sum():.1%} of Grid 1's jobs fit the smallest site"
    )


def _small_sites_have_work(evidence: Evidence) -> Judged:
    work = evidence.character["Grid 1"].work_by_site
    shown = ", ".join(f"{share:.1%}" for share in work)
    return float(work[:3].sum()) > 0.5, f"Shares of the work by the smallest site that holds it: {shown}"


def _ends_by_strategy(evidence: Evidence) -> Judged:
    share = evidence.character["Grid 1"].lone_job
    return share < 0.5, (
        f"In {share:.0%} of Grid 1's experiments the lower bound of C_max is when one job ends that "
        "starts at once"
    )


def _small_on_grid_2(evidence: Evidence) -> Judged:
    share = evidence.character["Grid 2"].small
    return _of_logs(evidence, "Grid 2", round(100 * share) == 97, f"{share:.1%} of Grid 2's jobs")


def _sizes_of_grid_3(evidence: Evidence) -> Judged:
    shares = evidence.character["Grid 3"].sizes
    printed = {1: 37, 2: 23, 4: 10, 8: 6, 32: 5}
    same = all(round(100 * shares[size]) == percent for size, percent in printed.items())
    shown = ", ".join(f"{size}: {shares[size]:.1%}" for size in printed)
    return _of_logs(evidence, "Grid 3", same, f"Shares by size: {shown}")


def _of_logs(evidence: Evidence, grid: str, holds: bool, finding: str) -> Judged:
    """Return a verdict on a workload only if it is all of logs."""
    apart = evidence.cases[grid].apart
    return (None, f"Ours: {finding}") if apart else (holds, finding)


_G1, _G2, _G3 = ("Grid 1",), ("Grid 2",), ("Grid 3",)

_TWO_LEVELS: tuple[Stated, ...] = (
    ("C1a", "table 4", "Grid 1: MPL, LBal_S, MST and MLp are the first four.", _G1, _first_four("Grid 1")),
    ("C1b", "table 4", "Grid 2: MPL, LBal_S, MLp and MST are the first four.", _G2, _first_four("Grid 2")),
    ("C1c", "table 4", "Grid 1: MPL is best.", _G1, _mpl_best("Grid 1")),
    ("C1d", "table 4", "Grid 2: MPL is best.", _G2, _mpl_best("Grid 2")),
    ("C1e", "table 4", "Over the three grids simple strategies by sizes win: MPL, then LBal_S, MST, "
                       "MLp.", GRIDS,
     _first_four_of_all),
    ("C2a", "section 4.5", "Grid 1: MCT, MWWT_S, MWT and MLB, which know most, are worst after Random.", _G1,
     _informed_worst("Grid 1")),
    ("C2b", "section 4.5", "Grid 2: MCT, MWWT_S, MWT and MLB, which know most, are worst after Random.", _G2,
     _informed_worst("Grid 2")),
    ("C2c", "section 4.5", "That is because users' estimates are wrong.", _G1, _estimates_are_why),
    ("C3a", "tables 3 and 4", "Grid 1: Random is last, by a factor above 100 in SD_b and t_w.", _G1,
     _random_last("Grid 1")),
    ("C3b", "tables 3 and 4", "Grid 2: Random is last, by a factor above 100 in SD_b and t_w.", _G2,
     _random_last("Grid 2")),
    ("C3c", "table 4", "Over the three grids Random is last.", GRIDS, _random_last_of_all),
    ("C4a", "table 3", "Grid 1: rho hardly differs, but for Random and one more.", _G1,
     _rho_alike("Grid 1", 2)),
    ("C4b", "table 3", "Grid 2: rho hardly differs.", _G2, _rho_alike("Grid 2", 0)),
    ("C4c", "table 3", "Grid 3: rho differs.", _G3, _rho_differs),
    ("C5a", "tables 4 and 7", "Grid 3: MST and MCT lead without admissibility.", _G3, _mst_and_mct_lead),
    ("C5b", "tables 4 and 7", "Grid 3: MLp is last without admissibility.", _G3, _mlp_last),
    ("C6a", "tables 5 to 7", "Grid 3: a = 0.5 improves nearly every strategy.", _G3, _improved("Grid 3", 1)),
    ("C6b", "table 5", "Grid 3: MLp gains most.", _G3, _mlp_gains_most),
    ("C6c", "tables 6 and 7", "Grid 3: MLp with a = 0.5 is the best of eighteen.", _G3, _mlp_a_best),
    ("C6d", "section 4.5", "Grid 1: admissibility improves the mean of the three metrics, too.", _G1,
     _improved("Grid 1", 0)),
    ("C6e", "section 4.5", "Grid 2: admissibility improves the mean of the three metrics, too.", _G2,
     _improved("Grid 2", 0)),
    ("C7a", "theorems 1 to 4", "MCT and MLB are worst-case bounded by 9 off line and 11 on line at a = "
                               "0.5, the "
     "best factor; by 3 and 5 if all jobs fit the smallest site.", (), _bounds),
    ("C7b", "theorem 3", "No run of MCT_a or MLB_a is worse than 11 times the optimum.", (), _bounds_kept),
    ("T1", "section 4.5", "Degradations in SD_b and t_w are several times those in rho.", _G3,
     _waits_dominate),
    ("T2", "table 10", "All ten metrics rank the strategies as the three do, on each "
                       "grid.", (), _ten_like_three),
)  # fmt: skip

_WORKLOADS: tuple[Stated, ...] = (
    ("T8", "figure 18", "Most jobs arrive in North American day hours.", _G1, _day_hours),
    ("T9", "figure 19", "Most jobs are small.", _G1, _most_are_small),
    ("T10", "figure 20", "Grid 1: the smallest sites' jobs are most of the work.", _G1,
     _small_sites_have_work),
    ("T11", "section 4.3", "Grid 1: by the choice of days the strategy and not a lone job decides when "
                           "a schedule "
     "ends.", _G1, _ends_by_strategy),
    ("T12", "section 4.1", "Grid 2: 97 % of the jobs need at most 32 processors.", _G2, _small_on_grid_2),
    ("T13", "section 4.1", "Grid 3: 37 % of the jobs need 1 processor, 23 % 2, 10 % 4, 6 % 8, 5 % 32.", _G3,
     _sizes_of_grid_3),
)  # fmt: skip
