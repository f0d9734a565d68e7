"""Tables of the grid study about its load: what was printed implies one, and each reading gives another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce.grid.claims.all_claims import loaded_claims
from echelon.reproduce.grid.data import METRICS, NINE, read_printed
from echelon.reproduce.grid.load import WaitShares, implied_jobs, implied_shares, mean_run, wait_shares
from echelon.reproduce.grid.readings import LOAD
from echelon.reproduce.machinery.listing import Listing, listing
from echelon.workloads.grid import GRID1

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from echelon.reproduce.grid.claims.evidence import Evidence
    from echelon.reproduce.grid.experiments import Experiments
    from echelon.reproduce.grid.load import Offered
    from echelon.reproduce.grid.readings import Tried
    from echelon.reproduce.grid.two_levels import TwoLevels
    from echelon.reproduce.machinery.listing import Row

_SHOWN = ("MCT", "Random")
"""Strategies whose mean degradations are shown beside each load."""
_LOGS = GRID1.site_names
_COUNTED = 6
"""Sites from which tables 8 and 9 say how many jobs there were; no site takes from the seventh."""


def load_listings(experiments: Experiments) -> list[Listing]:
    """Return all of them, in the order in which they are shown."""
    if not experiments.loads:
        return []
    return [
        shares_listing(experiments.evidence.two),
        loads_listing(experiments.loads),
        offered_listing(experiments.offered),
        verdicts_listing(experiments.evidence),
    ]


@listing(
    "wait-shares",
    "Load as table 10 shows it: the best wait in percent of the best turnaround",
    ("Grid", "Printed", "Ours", "Printed, by size", "Ours, by size"),
    "Turnaround is wait plus a constant, so that degradations in TA and t_w, and in WTA and WWT_s, "
    "stand in this ratio. The study prints no load, no mean wait and no mean turnaround.",
)
def shares_listing(two: Mapping[str, TwoLevels]) -> Iterator[Row]:
    """Return how much of the best turnaround is waiting, in print and with us."""
    for grid in ("Grid 1", "Grid 2", "Grid 3"):
        theirs = implied_shares(grid)
        ours = wait_shares(two[grid]) if grid in two else WaitShares(float("nan"), float("nan"))
        yield (grid, theirs.jobs, ours.jobs, theirs.sizes, ours.sizes)


@listing(
    "loads",
    "Grid 1 with other loads, and the printed values",
    (
        "Reading",
        f"rho, % worse: {', '.join(NINE)}",
        "Load",
        "Mean run, s",
        "Best wait, % of turnaround",
        "By size, %",
        "Kendall's tau",
        *(f"{name}, %" for name in _SHOWN),
    ),
    "Of all weeks, without admissibility; tau is of table 10, mean over the ten metrics; the last "
    "columns are mean degradations by three metrics, as in table 4.",
    labels=2,
)
def loads_listing(loads: Sequence[tuple[Tried, float]]) -> Iterator[Row]:
    """Return what Grid 1 gives with each load, beside what was printed."""
    yield _printed_row()
    for one, load in loads:
        means = dict(zip(NINE, one.means.main().tolist(), strict=True))
        yield (
            "by default" if one.reading.name == "default" else one.reading.name,
            _format_percents(one.means.percent()[METRICS.index("rho")].tolist()),
            load,
            mean_run(one.means),
            *wait_shares(one.means),
            one.agreement.kendall,
            *(means[name] for name in _SHOWN),
        )


def _printed_row() -> Row:
    means = read_printed("table4").numbers("average", "Grid 1")
    rho = _format_percents(read_printed("table10").numbers("rho", "Grid 1").values())
    nothing = float("nan")
    shares = implied_shares("Grid 1")
    return ("printed", rho, nothing, nothing, *shares, 1.0, *(means[name] for name in _SHOWN))


def _format_percents(percent: Iterable[float]) -> str:
    return " ".join(f"{value + 0.0:.0f}" for value in percent)


@listing(
    "offered-load",
    "Grid 1: the offered load under each reading of the workload, and its jobs in an experiment",
    (
        "Reading",
        "In the text",
        "Load",
        *(f"of {log}" for log in _LOGS),
        *(f"Jobs of site {place}" for place in range(1, _COUNTED + 1)),
    ),
    "Load is work over the processor time of the days taken, and what the jobs of each log add to it. "
    "Jobs are counted by the smallest site that holds them. Nothing is simulated.",
    labels=2,
)
def offered_listing(offered: Sequence[Offered]) -> Iterator[Row]:
    """Return how much work each reading of Grid 1's workload offers, and how many jobs of which sizes."""
    for one in offered:
        jobs = one.by_site[:_COUNTED]
        yield (one.reading, one.quotation, one.load, *map(float, one.by_log), *map(float, jobs))
    nothing = [float("nan")] * (1 + len(_LOGS))
    yield ("implied by tables 8 and 9", "", *nothing, *implied_jobs("a")[:_COUNTED])


@listing(
    "verdicts-by-load",
    f"Claims about Grid 1, as it is read and with {LOAD.name}",
    ("Claim", "The study says", "As read", f"With {LOAD.name}", f"Numbers with {LOAD.name}"),
    "The text gives no reason for a lower load, so only the verdicts of the literal reading count.",
    labels=5,
)
def verdicts_listing(evidence: Evidence) -> Iterable[Row]:
    """Return the verdicts on claims about Grid 1 as it is read, and at the load that its ratios imply."""
    return [
        (
            claim.name,
            claim.text,
            claim.verdict,
            other.verdict if other.verdict != claim.verdict else "the same",
            other.finding,
        )
        for claim, other in loaded_claims(evidence)
    ]
