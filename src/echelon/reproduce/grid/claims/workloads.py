"""What the grid study claims of its workloads: facts of the logs, which no chance enters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce.grid.claims.evidence import GridClaims
from echelon.reproduce.machinery.statement import fact

if TYPE_CHECKING:
    from echelon.reproduce.grid.claims.evidence import Evidence
    from echelon.reproduce.machinery.claims import Statements

CLAIMS = GridClaims()


_SHARES = {1: 37, 2: 23, 4: 10, 8: 6, 32: 5}
"""Percent of {grid}'s jobs by their processors, as printed."""


@CLAIMS.on("Grid 1", "T8", "figure 18", "most jobs arrive in North American day hours.")
def _day_hours(evidence: Evidence, grid: str) -> Statements:
    share = evidence.character[grid].daytime
    yield fact(f"{share:.1%} of {grid}'s jobs are submitted from 8 to 18 h, Pacific time", share > 0.5)


@CLAIMS.on("Grid 1", "T9", "figure 19", "most jobs are small.")
def _most_are_small(evidence: Evidence, grid: str) -> Statements:
    by_site = evidence.character[grid].by_site
    share = by_site[0] / by_site.sum()
    yield fact(f"{share:.1%} of {grid}'s jobs fit the smallest site", share > 0.5)


@CLAIMS.on("Grid 1", "T10", "figure 20", "the smallest sites' jobs are most of the work.")
def _small_sites_have_work(evidence: Evidence, grid: str) -> Statements:
    work = evidence.character[grid].work_by_site
    shown = ", ".join(f"{share:.1%}" for share in work)
    yield fact(f"shares of the work by the smallest site that holds it: {shown}", float(work[:3].sum()) > 0.5)


@CLAIMS.on(
    "Grid 1",
    "T11",
    "section 4.3",
    "by the choice of days the strategy and not a lone job decides when a schedule ends.",
)
def _ends_by_strategy(evidence: Evidence, grid: str) -> Statements:
    share = evidence.character[grid].lone_job
    text = f"in {share:.0%} of {grid}'s experiments the lower bound of C_max is the end of one job that"
    yield fact(f"{text} starts at once", share < 0.5)


@CLAIMS.on("Grid 2", "T12", "section 4.1", "97 % of the jobs need at most 32 processors.")
def _small_on_grid_2(evidence: Evidence, grid: str) -> Statements:
    share = evidence.character[grid].small
    yield fact(f"{share:.1%} of {grid}'s jobs", round(100 * share) == 97)


@CLAIMS.on(
    "Grid 3", "T13", "section 4.1", "37 % of the jobs need 1 processor, 23 % 2, 10 % 4, 6 % 8, 5 % 32."
)
def _sizes_of_grid_3(evidence: Evidence, grid: str) -> Statements:
    shares = evidence.character[grid].sizes
    for size, percent in _SHARES.items():
        text = f"{shares[size]:.1%} need {size} (printed: {percent} %)"
        yield fact(text, round(100 * shares[size]) == percent)


OF_LOGS = ("T12", "T13")
"""Those that only a workload all of logs can decide."""
