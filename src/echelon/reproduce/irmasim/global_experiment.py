"""The global experiment: the same mix of jobs with and without contention of communication."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.experiments import simulate
from echelon.reproduce.irmasim.experiments import LARGE, NETWORK
from echelon.reproduce.irmasim.mix import Mix
from echelon.reproduce.irmasim.seen import Seen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from echelon.model.columns import FloatColumn

    Progress = Callable[[int, int | None], None]

SEEDS = 40
QUICK_SEEDS = 2
ORDER = "random"
"""The thesis says that jobs run in no set order."""

SHARES = (0.9, 0.75, 0.5, 0.0)
VOLUMES = ((0.03, 3.0), (0.3, 30.0), (10.0, 1_000.0))
"""Compute shares of all MPI jobs, and bounds of volumes in MB, that are tried beside the mix's own."""


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """One mix with and without contention, over seeds; columns have shape (n_seeds,).

    Parameters
    ----------
    mix : Mix
        What is drawn.
    makespan, energy : pair of FloatColumn
        With, then without contention, in seconds and in joules.
    volume : FloatColumn
        Bytes between nodes, of the runs with contention.
    """

    mix: Mix
    makespan: tuple[FloatColumn, FloatColumn]
    energy: tuple[FloatColumn, FloatColumn]
    volume: FloatColumn

    @property
    def longer(self) -> FloatColumn:
        """By how many percent contention makes each run longer."""
        return 100 * (self.makespan[0] / self.makespan[1] - 1)

    @property
    def dearer(self) -> FloatColumn:
        """By how many percent contention raises the energy of each run."""
        return 100 * (self.energy[0] / self.energy[1] - 1)


class GlobalExperiment(NamedTuple):
    """The mix as drawn by default, and with other ranges.

    Attributes
    ----------
    mix : Compared
        The default.
    by_share : mapping of float to Compared
        Every MPI job with this compute share.
    by_volume : mapping of (float, float) to Compared
        Volumes between these bounds, in MB.
    """

    mix: Compared
    by_share: Mapping[float, Compared]
    by_volume: Mapping[tuple[float, float], Compared]


def global_experiment(seeds: int = SEEDS, progress: Progress | None = None) -> GlobalExperiment:
    """Run it, with so many seeds from 0 each."""
    mix = Mix()
    shares = {share: replace(mix, compute_share=(share, share)) for share in SHARES}
    volumes = {volume: replace(mix, volume=volume) for volume in VOLUMES}
    # Without contention neither the share nor the volume matters: one run a seed does for all.
    without = [alone(mix, seed) for seed in range(seeds)]
    found: list[Compared] = []
    for done, one in enumerate((mix, *shares.values(), *volumes.values())):
        if progress:
            progress(done, 1 + len(shares) + len(volumes))
        found.append(compared(one, without))
    first, last = found[1 : len(shares) + 1], found[len(shares) + 1 :]
    return GlobalExperiment(
        found[0], dict(zip(shares, first, strict=True)), dict(zip(volumes, last, strict=True))
    )


def alone(mix: Mix, seed: int) -> Seen:
    """Run the mix of a seed without contention."""
    return _run(mix, seed, "none")


def compared(mix: Mix, without: Sequence[Seen]) -> Compared:
    """Run the mix with contention, a seed for each run of the same jobs without, and compare them."""
    with_it = [_run(mix, seed, NETWORK) for seed in range(len(without))]
    return Compared(
        mix,
        (_column(with_it, "makespan"), _column(without, "makespan")),
        (_column(with_it, "energy"), _column(without, "energy")),
        _column(with_it, "volume"),
    )


def _column(runs: Sequence[Seen], name: str) -> FloatColumn:
    return np.array([getattr(run, name) for run in runs], dtype=np.float64)


def _run(mix: Mix, seed: int, network: str) -> Seen:
    result = simulate(
        mix.drawn(seed), platform=LARGE, execution="speed", network=network, policy=ORDER, seed=seed
    )
    return Seen(result)
