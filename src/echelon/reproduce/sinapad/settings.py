"""How much of the SINAPAD study is run."""

from __future__ import annotations

from dataclasses import dataclass

from echelon.reproduce.machinery.repetitions import check_count

SEEDS = 100
QUICK_SEEDS = 5
FEW_SEEDS = 30
FEW_QUICK_SEEDS = 3
TIMINGS = 20
QUICK_TIMINGS = 5
MOST_SEEDS = 10_000


@dataclass(frozen=True, slots=True)
class SinapadSettings:
    """How much of the study is run.

    Parameters
    ----------
    seeds : int, default 100
        Repetitions of each case, 2 to 10,000: two are the fewest that have an interval. The study had 5.
    quick : bool, default False
        Fewer cases of what is only set beside the study's own.

    Raises
    ------
    InputError
        If `seeds` is out of its bounds.
    """

    seeds: int = SEEDS
    quick: bool = False

    def __post_init__(self) -> None:
        check_count(self.seeds, least=2, most=MOST_SEEDS, field="seeds")

    @property
    def few(self) -> int:
        """Repetitions of readings, baselines and what the study's future work asks for."""
        return min(self.seeds, FEW_QUICK_SEEDS if self.quick else FEW_SEEDS)

    @property
    def timings(self) -> int:
        """How often decisions are timed."""
        return QUICK_TIMINGS if self.quick else TIMINGS
