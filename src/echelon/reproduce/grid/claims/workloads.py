"""What the grid study claims of its workloads: facts of the logs, which no chance enters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce.machinery.claims import Claims
from echelon.reproduce.machinery.statement import fact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.reproduce.grid.claims.evidence import Evidence
    from echelon.reproduce.machinery.statement import Statement

CLAIMS: Claims[Evidence] = Claims()


_SHARES = {1: 37, 2: 23, 4: 10, 8: 6, 32: 5}
"""Percent of Grid 3's jobs by their processors, as printed."""


@CLAIMS.states("T8", "figure 18", "Grid 1: most jobs arrive in North American day hours.", needs=("Grid 1",))
def _day_hours(evidence: Evidence) -> Iterator[Statement]:
    share = evidence.character["Grid 1"].daytime
    yield fact(f"{share:.1%} of Grid 1's jobs are submitted from 8 to 18 h, Pacific time", share > 0.5)


@CLAIMS.states("T9", "figure 19", "Grid 1: most jobs are small.", needs=("Grid 1",))
def _most_are_small(evidence: Evidence) -> Iterator[Statement]:
    by_site = evidence.character["Grid 1"].by_site
    share = by_site[0] / by_site.sum()
    yield fact(f"{share:.1%} of Grid 1's jobs fit the smallest site", share > 0.5)


@CLAIMS.states(
    "T10", "figure 20", "Grid 1: the smallest sites' jobs are most of the work.", needs=("Grid 1",)
)
def _small_sites_have_work(evidence: Evidence) -> Iterator[Statement]:
    work = evidence.character["Grid 1"].work_by_site
    shown = ", ".join(f"{share:.1%}" for share in work)
    yield fact(f"shares of the work by the smallest site that holds it: {shown}", float(work[:3].sum()) > 0.5)


@CLAIMS.states(
    "T11",
    "section 4.3",
    "Grid 1: by the choice of days the strategy and not a lone job decides when a schedule ends.",
    needs=("Grid 1",),
)
def _ends_by_strategy(evidence: Evidence) -> Iterator[Statement]:
    share = evidence.character["Grid 1"].lone_job
    text = f"in {share:.0%} of Grid 1's experiments the lower bound of C_max is the end of one job that"
    yield fact(f"{text} starts at once", share < 0.5)


@CLAIMS.states(
    "T12", "section 4.1", "Grid 2: 97 % of the jobs need at most 32 processors.", needs=("Grid 2",)
)
def _small_on_grid_2(evidence: Evidence) -> Iterator[Statement]:
    share = evidence.character["Grid 2"].small
    yield fact(f"{share:.1%} of Grid 2's jobs", round(100 * share) == 97)


@CLAIMS.states(
    "T13",
    "section 4.1",
    "Grid 3: 37 % of the jobs need 1 processor, 23 % 2, 10 % 4, 6 % 8, 5 % 32.",
    needs=("Grid 3",),
)
def _sizes_of_grid_3(evidence: Evidence) -> Iterator[Statement]:
    shares = evidence.character["Grid 3"].sizes
    for size, percent in _SHARES.items():
        text = f"{shares[size]:.1%} need {size} (printed: {percent} %)"
        yield fact(text, round(100 * shares[size]) == percent)


OF_LOGS = ("T12", "T13")
"""Those that only a workload all of logs can decide."""
