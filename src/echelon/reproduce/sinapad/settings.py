"""How much of the SINAPAD study is run."""

from __future__ import annotations

from dataclasses import dataclass

from echelon.errors import InputError

SEEDS = 100
QUICK_SEEDS = 5
FEW_SEEDS = 30
FEW_QUICK_SEEDS = 3
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
        whole = isinstance(self.seeds, int) and not isinstance(self.seeds, bool)
        if not whole or not 2 <= self.seeds <= MOST_SEEDS:
            raise InputError(
                f"must be a whole number from 2 to {MOST_SEEDS}, got {self.seeds!r}", field="seeds"
            )

    @property
    def few(self) -> int:
        """Repetitions of readings, baselines and what the study's future work asks for."""
        return min(self.seeds, FEW_QUICK_SEEDS if self.quick else FEW_SEEDS)
