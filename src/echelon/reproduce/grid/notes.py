"""What a reader must know of how the grid study is read, and which reading fits better."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce.grid.consistency import consistency

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
    "Digits are not expected to agree: the logs are later versions (HPC2N has 202,871 jobs where the "
    "study had "
    "527,371), which weeks were taken is not said, and ties are not defined. How like the orders are "
    "says more."
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
        *_fits(found.readings),
        *(one.sentence() for one in consistency()),
    ]


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
