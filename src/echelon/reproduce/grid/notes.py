"""What a reader must know of how the grid study is read, and which reading fits better."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce.grid.consistency import consistency
from echelon.reproduce.grid.load import implied_shares, wait_shares
from echelon.reproduce.grid.readings import LOAD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.reproduce.grid.experiments import Experiments
    from echelon.reproduce.grid.readings import Tried
    from echelon.reproduce.grid.settings import GridSettings

_MEANS = (
    "Degradations are of the means over the experiments. The text says that the degradations of each "
    "experiment "
    "are averaged; but every printed row has a best of 0, which that gives only if one strategy is best "
    "in all 30 "
    "experiments, and the printed degradations in WTA and WWT_s stand in one ratio on each grid, which "
    "only those "
    "of means do. The other way is among the readings."
)
_EXPECT = (
    "Digits are not expected to agree: the logs are later versions, which weeks were taken is not said, and "
    "ties are not defined. How like the orders are says more. The numbers of jobs in the study's tables "
    "1 and 2 are no difference: they are the MaxJobs of the cleaned logs' headers, which count the jobs "
    "before cleaning (HPC2N: 527,371, of which 202,871 are left)."
)


def notes(found: Experiments, settings: GridSettings) -> list[str]:
    """Return the notes, in the order of a reader's questions."""
    cases = found.evidence.cases
    return [
        *(f"{grid} is not testable: {case.missing}." for grid, case in cases.items() if case.missing),
        *(f"{grid} is {_clause(case.apart)}." for grid, case in cases.items() if case.apart),
        *([] if settings.weeks == 30 else [f"Only {settings.weeks} of 30 weekly experiments were run."]),
        _EXPECT,
        _MEANS,
        *_load(found),
        *_fits(found.readings),
        *(one.sentence() for one in consistency()),
    ]


def _load(found: Experiments) -> Iterator[str]:
    """Yield what is known of the load of Grid 1, which no reading of the text explains."""
    loaded = [(one, load) for one, load in found.loads if one.reading is LOAD and one.found is not None]
    for one, load in loaded:
        base, first = found.loads[0]
        assert base.found is not None
        assert one.found is not None
        ours, theirs, other = (
            share.jobs
            for share in (wait_shares(base.found), implied_shares("Grid 1"), wait_shares(one.found))
        )
        yield (
            f"Load of Grid 1: the printed ratios imply a best wait of {theirs:.1f} % of turnaround, ours is "
            f"{ours:.1f} % at a load of {first:.2f}. The text gives no load, and no reason for a lower one: "
            "no filter that it lists and no choice of days changes it by enough, and dropping jobs that did "
            "not complete, or counting nodes for processors, contradicts the numbers of jobs that its tables "
            f"8 and 9 imply. So the literal reading decides. With {LOAD.name}, a load of {load:.2f}, the "
            f"best wait is {other:.1f} %; claims of Grid 1 are judged at that load, too."
        )


def of_sizes(found: Experiments) -> str:
    """Say that the sizes of degradations on Grid 1 depend on a load, if ours is not like the printed one."""
    if not found.loads or (base := found.loads[0][0].found) is None:
        return ""
    if wait_shares(base).jobs < _BUSIER * implied_shares("Grid 1").jobs:
        return ""
    return (
        "By how much strategies differ on Grid 1 depends on the load, which is not printed and was lower "
        "than ours, as the printed ratios imply."
    )


_BUSIER = 2.0
"""From how many times the printed share of waiting on ours is said to be of another load."""


def _clause(apart: str) -> str:
    return apart if apart.startswith("without") else f"partly of a model: {apart}"


def _fits(readings: list[Tried]) -> Iterator[str]:
    """Yield a sentence a grid: which readings are nearer to what was printed than the default is."""
    for base in (one for one in readings if one.reading.name == "default"):
        others = [
            one for one in readings if one.grid == base.grid and one.found is not None and one is not base
        ]
        order = [one for one in others if one.agreement.kendall > base.agreement.kendall + 5e-4]
        size = [one for one in others if one.agreement.log_ratio < base.agreement.log_ratio - 5e-4]
        yield (
            f"{base.grid}, default: Kendall's tau {base.agreement.kendall:.3f}, log-ratio "
            f"{base.agreement.log_ratio:.3f}. Nearer in order: {_named(order, 0)}. Nearer in size: "
            f"{_named(size, 2)}."
        )


def _named(readings: list[Tried], number: int) -> str:
    found = [
        f"{one.reading.question}, {one.reading.name} ({one.agreement[number]:.3f})"
        for one in sorted(readings, key=lambda one: one.agreement[number], reverse=number == 0)
    ]
    return "; ".join(found) or "none"
