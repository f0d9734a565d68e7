"""How much of the grid study is run."""

from __future__ import annotations

from dataclasses import dataclass

from echelon.reproduce.machinery.repetitions import check_count

WEEKS = 30
QUICK_WEEKS = 2
FEW_WEEKS = 5
SWEEP = (0.2, 0.4, 0.5, 0.6, 0.8, 1.0)
QUICK_SWEEP = (0.5, 1.0)


@dataclass(frozen=True, slots=True)
class GridSettings:
    """How much of the study is run.

    Parameters
    ----------
    weeks : int, default 30
        Weekly experiments of each grid, 1 to 30, the study's number.
    quick : bool, default False
        Few factors of admissibility, and other readings only on Grid 3, the fastest.
    stand_ins : bool, default False
        Let jobs of a model stand in for the logs that are not to be had.

    Raises
    ------
    InputError
        If `weeks` is out of its bounds.
    """

    weeks: int = WEEKS
    quick: bool = False
    stand_ins: bool = False

    def __post_init__(self) -> None:
        check_count(self.weeks, least=1, most=WEEKS, field="weeks")

    @property
    def few_weeks(self) -> int:
        """Weeks of the sweep and of readings tried: the first ones."""
        return min(self.weeks, FEW_WEEKS)

    @property
    def sweep(self) -> tuple[float, ...]:
        """Factors of admissibility of the sweep, ascending; 1 is the last."""
        return QUICK_SWEEP if self.quick else SWEEP
