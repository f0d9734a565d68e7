"""One level: decentralized protocols, the results of each variant, and the migration of jobs."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.analysis import ranks
from echelon.metrics import migration
from echelon.model.schedules.features import there
from echelon.policies.decentralized.sets import JobSets
from echelon.reproduce.grid.data import METRICS
from echelon.reproduce.grid.setups import Setup, ten_metrics
from echelon.reproduce.grid.two_levels import MAIN_ROWS, degradations, weekly_degradations

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from echelon.model import Schedule
    from echelon.reproduce.grid.setups import Laboratory
    from echelon.reproduce.machinery.experiments import Progress

    Values = NDArray[np.float64]

THRESHOLDS = ("ST0", "ST25", "ST50", "ST75", "ST100")
ORDERS = ("AHB", "ABH", "HAB", "HBA", "BAH", "BHA")
ONE_QUEUE = ("List Common Pool", "ST0", "ST100")
"""Those that the study counts as having one queue."""

VARIANTS: Mapping[str, str] = MappingProxyType(
    {
        **{name: f"stealing:{name.removeprefix('ST')}" for name in THRESHOLDS},
        "ST50 best-fit": "stealing:50:fit=best-fit",
        **{f"ST50 {order}": f"stealing:50:sets={order}" for order in ORDERS if order != "AHB"},
        "ST50 first list": "stealing:50:steals=first-list",
        "Exchange FCFS": "exchange:fcfs",
        "Exchange EASY": "exchange:easy",
        "Exchange LIST": "exchange:list",
        "List Common Pool": "common-pool",
    }
)
"""The study's name of each variant, and our spec; ST50 is first-fit, its sets in the order A, H, B.

``first list`` is the other reading of the algorithm: a thief waits for the first list that is not empty.
"""

RIVALS = (*THRESHOLDS, "Exchange FCFS", "Exchange EASY", "Exchange LIST", "List Common Pool")
"""Those whose degradations and ranks are compared; the rest are variants of ST50."""


class Week(NamedTuple):
    """What one variant did in one week.

    Attributes
    ----------
    metrics : list of float
        In the order of `METRICS`.
    jobs, work : ndarray of float, shape (n_sites, n_sites)
        Jobs, and processor-seconds, by home and by the site that ran them.
    large : ndarray of float, shape (n_sites,)
        Processor-seconds that each site ran of jobs larger than half of their home.
    """

    metrics: list[float]
    jobs: Values
    work: Values
    large: Values


@dataclass(frozen=True, slots=True, eq=False)
class OneLevel:
    """What the variants did on one grid, week by week.

    Parameters
    ----------
    weeks : mapping of str to list of Week
        By the names of `VARIANTS`.
    sizes : tuple of int
        Processors of the sites.
    """

    weeks: Mapping[str, list[Week]]
    sizes: tuple[int, ...]

    def values(self, names: tuple[str, ...]) -> Values:
        """Return metrics of these variants, shape (10, n_weeks, n_variants)."""
        table = np.array([[week.metrics for week in self.weeks[name]] for name in names])
        return table.transpose(2, 1, 0)

    def metric(self, symbol: str, names: tuple[str, ...]) -> Values:
        """Return one metric of these variants, shape (n_weeks, n_variants)."""
        metric_values: Values = self.values(names)[METRICS.index(symbol)]
        return metric_values

    def main(self, names: tuple[str, ...] = RIVALS) -> Values:
        """Return the mean degradation by the three main metrics, in percent."""
        means: Values = degradations(self.values(names))[MAIN_ROWS].mean(axis=0)
        return means

    def weekly(self, names: tuple[str, ...] = RIVALS) -> Values:
        """Return what each week adds to the degradations, shape (10, n_weeks, n_variants)."""
        return weekly_degradations(self.values(names))

    def ranks(self, names: tuple[str, ...] = RIVALS) -> Values:
        """Return the ranks by `main`, 1 the best."""
        return ranks(self.main(names))

    def mean_moves(self, name: str = "ST50", *, what: str = "jobs") -> Values:
        """Return the mean over the weeks of jobs, or work, by home and by the site that ran them."""
        means: Values = np.mean([getattr(week, what) for week in self.weeks[name]], axis=0)
        return means

    @property
    def sets(self) -> tuple[Values, Values]:
        """Work of A and of B jobs by processor of the sites that ran them under ST50, in seconds a week."""
        large = np.mean([week.large for week in self.weeks["ST50"]], axis=0)
        small = self.mean_moves(what="work").sum(axis=0) - large
        return large / self.sizes, small / self.sizes


def one_level(laboratory: Laboratory, grid: str, progress: Progress | None = None) -> OneLevel:
    """Run all variants on one grid."""
    setups = {name: Setup(grid, spec) for name, spec in VARIANTS.items()}
    seen = laboratory.map_schedules(list(setups.values()), _week, progress=progress)
    sizes = tuple(laboratory.grids[grid].platform.sizes.tolist())
    return OneLevel({name: seen[setup] for name, setup in setups.items()}, sizes)


def _week(schedule: Schedule) -> Week:
    platform, site, home = schedule.instance.sites, there(schedule.site), there(schedule.home_site)
    work = schedule.instance.run_time * schedule.instance.size
    # A home that is unknown is where the job ran.
    moves = migration(np.where(home >= 0, home, site), site, area=work, sites=len(platform))
    large = np.bincount(site, np.where(_is_large(schedule), work, 0.0), len(platform)).astype(np.float64)
    return Week(ten_metrics(schedule), moves.jobs.astype(np.float64), moves.area, large)


def _is_large(schedule: Schedule) -> NDArray[np.bool_]:
    """Return whether each job is in the set A of ST50."""
    sizes = schedule.instance.sites.sizes.tolist()
    large: NDArray[np.bool_] = JobSets(sizes).in_a(schedule.instance.size)
    return large
