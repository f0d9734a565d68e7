"""Small platforms of time-shared machines, and jobs for them, to check rules on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.model import Instance, Platform, Site, TimeSharedMachine
from echelon.testing.grids import grid_case, grid_crowd

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model import Workload


_CROWDS: tuple[tuple[tuple[int, ...], tuple[float, ...]], ...] = (
    ((4, 8, 20), (2.0, 1.0, 0.5)),
    ((1, 1, 1, 1, 1), (1.0, 1.0, 0.5, 0.25, 0.125)),
)
"""Cores and speeds of the machines of the crowds."""


def machines(cores: Sequence[int], speeds: Sequence[float]) -> Platform:
    """Return time-shared machines, named ``m1``, ``m2`` ... in order.

    Parameters
    ----------
    cores : sequence of int
        Cores of each machine.
    speeds : sequence of float
        Speed of a core of each machine, > 0.
    """
    pairs = enumerate(zip(cores, speeds, strict=True), 1)
    sites = [Site(f"m{k}", TimeSharedMachine(size, speed)) for k, (size, speed) in pairs]
    return Platform(tuple(sites), name="machines")


def immediate_instances(seed: int) -> list[Instance]:
    """Return the cases on which rules for time-shared machines are checked: tiny ones, and random crowds."""
    cases = [
        Instance.of(_of_applications(case.workload, 0), machines(case.sites, speeds))
        for case, speeds in (
            (grid_case("equal-sites"), (1.0, 1.0, 1.0)),
            (grid_case("burst"), (1.0, 0.5, 0.25)),
            (grid_case("largest-only"), (2.0, 1.0, 0.5)),
            (grid_case("ends-meet-submits"), (1.0, 1.0)),
        )
    ]
    for k, (cores, speeds) in enumerate(_CROWDS):
        crowd = grid_crowd(2 * seed + k, sites=cores, load=0.8)
        cases.append(Instance.of(_of_applications(crowd.workload, seed), machines(cores, speeds)))
    return cases


def _of_applications(workload: Workload, seed: int) -> Workload:
    """Return the same jobs, each of one of three applications."""
    return workload.with_columns(executable=np.random.default_rng(seed).integers(1, 4, len(workload)))
