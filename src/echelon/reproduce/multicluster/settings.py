"""How much of the multicluster study is run."""

from __future__ import annotations

from dataclasses import dataclass

from echelon.reproduce.machinery.repetitions import check_count
from echelon.reproduce.multicluster.fit import Candidate

SEEDS = 30
QUICK_SEEDS = 3
FEW_SEEDS = 4
OTHER_SEEDS = 6
MOST_SEEDS = 1000

_SHARING = (0.3, 0.4, 0.5)
_OWNERS = (2.0, 2.25, 2.5)
"""Interference and owners' cost among which the world was looked for."""


@dataclass(frozen=True, slots=True)
class MulticlusterSettings:
    """How much of the study is run.

    Parameters
    ----------
    seeds : int, default 30
        Of each experiment, 2 to 1000: two are the fewest that have an interval.
    quick : bool, default False
        Few jobs of E1, a short history, and few cases of E2 to E4.
    beside : bool, default False
        Few cases of E0, E2 and E3 and a shorter history: of what is only set beside the results.

    Raises
    ------
    InputError
        If `seeds` is out of its bounds.
    """

    seeds: int = SEEDS
    quick: bool = False
    beside: bool = False

    def __post_init__(self) -> None:
        check_count(self.seeds, least=2, most=MOST_SEEDS, field="seeds")

    @property
    def jobs(self) -> int:
        """Jobs of a run of E1: the thesis' number."""
        return 200 if self.quick else 700

    @property
    def jobs_of_choices(self) -> int:
        """Jobs of a run of all other experiments: the thesis' number."""
        return 60

    @property
    def history_runs(self) -> int:
        """Warm-up runs under each load of E1: 72 of 700 jobs are 50,400 experiences."""
        return 2 if self.quick else 8 if self.beside else 24

    @property
    def owners(self) -> tuple[int, ...]:
        """Percents of nodes with owners in E0, E2 and E3."""
        return (0, 60) if self.quick or self.beside else (0, 30, 60, 100)

    @property
    def owners_of_queues(self) -> tuple[int, ...]:
        """Percents of nodes with owners in E3, the dearest experiment; the thesis also has 30 and 100."""
        return (60,) if self.quick or self.beside else (0, 60)

    @property
    def bandwidths(self) -> tuple[int, ...]:
        """Bandwidths of a task in E4, in percent of a cluster's link."""
        return (25, 75) if self.quick else (25, 35, 45, 55, 65, 75)

    @property
    def clusters(self) -> tuple[int, ...]:
        """Clusters of eight nodes for which the program is timed."""
        return (2, 4, 8, 16) if self.quick else (2, 4, 8, 16, 32, 64)

    @property
    def nodes(self) -> tuple[int, ...]:
        """Nodes of each of two clusters for which the program is timed."""
        return (5, 10, 20) if self.quick else (5, 10, 20, 40, 80)

    @property
    def program_seeds(self) -> int:
        """Seeds of the program's study, which is timed in one process."""
        return min(self.seeds, 3 if self.quick else 5)

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """Worlds among which the study's was looked for."""
        if self.quick:
            return (Candidate("use", 0.4, 2.25), Candidate("count", 0.4, 2.25))
        grid = [Candidate("use", sharing, owners) for sharing in _SHARING for owners in _OWNERS]
        near = Candidate("use", 0.4, 2.25)
        others = [
            near._replace(decides=False),
            near._replace(owners=1.0),
            near._replace(interference=0.0),
            near._replace(cpu="count", interference=0.0),
            near._replace(cpu="count", interference=6.0, owners=1.0, decides=False),
        ]
        return (*grid, *others)

    @property
    def search_seeds(self) -> int:
        """Seeds of the search, which are those of the history."""
        return min(self.seeds, 2)

    @property
    def other(self) -> MulticlusterSettings:
        """The same with fewer seeds and cases, for the other world that is judged."""
        seeds = min(self.seeds, 2 if self.quick else OTHER_SEEDS)
        return MulticlusterSettings(seeds, quick=self.quick, beside=True)

    @property
    def few(self) -> MulticlusterSettings:
        """The same with few seeds and cases, for what is only set beside it."""
        seeds = min(self.seeds, 2 if self.quick else FEW_SEEDS)
        return MulticlusterSettings(seeds, quick=self.quick, beside=True)
