"""Named tiny grids, small enough to schedule by hand, and crowds of jobs for several sites."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import UnknownNameError
from echelon.model import Instance, Platform
from echelon.testing.workloads import Case, TinyJob, crowd

if TYPE_CHECKING:
    from echelon.model import Workload

_CROWDS = ((4, 8, 8, 20), (5, 5, 5), (1, 2, 30), (12, 3, 6))
"""Sites of the crowds on which rules are checked; the last platform lists the largest site first."""


@dataclass(frozen=True, slots=True)
class GridCase:
    """A tiny workload with its sites.

    Parameters
    ----------
    name : str
        Kebab-case.
    sites : tuple of int
        Processors of every site, in any order.
    jobs : tuple of TinyJob
        Numbered 1, 2, 3 ... in this order.
    homes : tuple of int
        The site at which each job was submitted, counted from 0; -1 if unknown.
    story : str
        What the case shows.
    """

    name: str
    sites: tuple[int, ...]
    jobs: tuple[TinyJob, ...]
    homes: tuple[int, ...]
    story: str

    @property
    def platform(self) -> Platform:
        """The sites, named ``site-1``, ``site-2`` ..."""
        return Platform.of_sizes(self.sites)

    @property
    def workload(self) -> Workload:
        """The jobs as a workload; a job's partition is named after its home."""
        jobs = Case(self.name, max(self.sites), self.jobs, self.story).workload
        # Codes count from 1; 0 would be a partition without a name.
        codes = [home + 1 if home >= 0 else -1 for home in self.homes]
        return replace(jobs.with_columns(partition=codes), names={"partition": self.platform.names})

    def instance(self, estimates: str = "raise") -> Instance:
        """Return the instance on this case's sites; `estimates` as in `Instance.of`."""
        return Instance.of(self.workload, self.platform, estimates=estimates)


def _grid(name: str, sites: tuple[int, ...], story: str, *rows: tuple[float, ...]) -> GridCase:
    """Return a case from rows of home, submit time, run time, processors and requested time."""
    homes = tuple(int(home) for home, *_ in rows)
    jobs = tuple(TinyJob(*job) for _, *job in rows)  # type: ignore[arg-type]
    return GridCase(name, sites, jobs, homes, story)


GRID_CASES: tuple[GridCase, ...] = (
    _grid(
        "one-site",
        (4,),
        "a grid of one site is a machine",
        (0, 0, 10, 3, 10),
        (0, 1, 10, 4, 10),
        (0, 2, 5, 1, 5),
    ),
    _grid(
        "equal-sites",
        (4, 4, 4),
        "sites and jobs are alike: only ties decide",
        (0, 0, 10, 2, 10),
        (1, 0, 10, 2, 10),
        (2, 0, 10, 2, 10),
        (0, 0, 10, 2, 10),
        (0, 5, 10, 4, 10),
        (0, 5, 10, 4, 10),
    ),
    _grid(
        "burst",
        (2, 4, 8),
        "eight jobs of one instant: each is assigned with those before it in view",
        (0, 0, 7, 1, 9),
        (0, 0, 5, 2, 5),
        (0, 0, 30, 1, 30),
        (1, 0, 4, 4, 4),
        (1, 0, 20, 1, 40),
        (1, 0, 8, 2, 8),
        (2, 0, 3, 8, 3),
        (2, 0, 6, 1, 6),
    ),
    _grid(
        "largest-only",
        (2, 4, 8),
        "two jobs fit only the largest site, which small jobs crowd",
        (2, 0, 20, 2, 20),
        (2, 0, 20, 2, 30),
        (2, 1, 10, 6, 10),
        (0, 2, 10, 1, 10),
        (1, 3, 5, 8, 5),
        (2, 4, 2, 2, 2),
    ),
    _grid(
        "idle-elsewhere",
        (4, 8),
        "all jobs are submitted at one site, the other is idle; one home is unknown",
        (0, 0, 50, 4, 50),
        (0, 1, 10, 2, 20),
        (0, 2, 10, 4, 10),
        (-1, 3, 10, 1, 10),
        (0, 50, 5, 4, 5),
    ),
    _grid(
        "ends-meet-submits",
        (2, 3),
        "jobs end at the instants at which others are submitted; one ends before its request",
        (0, 0, 7, 2, 7),
        (1, 0, 7, 3, 20),
        (0, 7, 3, 2, 3),
        (1, 7, 3, 3, 3),
        (1, 10, 3, 1, 3),
    ),
    _grid(
        "sites-without-estimates",
        (3, 5),
        "no job has a requested time, and times are fractions",
        (0, 0.1, 0.3, 3, -1),
        (0, 0.2, 0.1, 2, -1),
        (1, 0.2, 30.7, 5, -1),
        (1, 0.3, 0.1, 1, -1),
        (1, 0.4, 7.5, 4, -1),
    ),
)
"""All tiny grids of this file."""


def grid_case(name: str) -> GridCase:
    """Return the tiny grid of that name.

    Raises
    ------
    UnknownNameError
        If it does not exist.
    """
    by_name = {tiny.name: tiny for tiny in GRID_CASES}
    if name not in by_name:
        raise UnknownNameError("grid case", name, by_name)
    return by_name[name]


def grid_crowd(
    seed: int, n_jobs: int = 60, *, sites: tuple[int, ...] = (4, 8, 8, 20), load: float = 1.2
) -> GridCase:
    """Return a random crowd of jobs for several sites: bursts, ties, wrong and missing estimates and homes.

    Parameters
    ----------
    seed : int
        Equal seeds give equal crowds.
    n_jobs : int, default 60
        At least 1; each fits the largest site.
    sites : tuple of int, default (4, 8, 8, 20)
        Processors of every site.
    load : float, default 1.2
        Demand over capacity of all sites, in processor-seconds, while jobs arrive.
    """
    largest = max(sites)
    packed = crowd(seed, n_jobs, processors=largest, load=load * sum(sites) / largest)
    homes = np.random.default_rng([seed, 1]).integers(-1, len(sites), n_jobs)
    story = f"{n_jobs} jobs at offered load {load:g}"
    return GridCase(f"grid-crowd-{seed}", tuple(sites), packed.jobs, tuple(homes.tolist()), story)


def grid_instances(seed: int) -> list[Instance]:
    """Return the cases on which brokers and protocols are checked: the tiny grids, and random crowds."""
    crowds = [grid_crowd(3 * seed + k, sites=sites) for k, sites in enumerate(_CROWDS)]
    return [grid.instance() for grid in (*GRID_CASES, *crowds)]
