"""Experiments: all that the reproduction of the thesis simulates, small runs and the global experiment."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.experiments import simulate
from echelon.model import Cluster, Hardware, Platform
from echelon.platforms import read_platform
from echelon.reproduce.irmasim.observed_run import ObservedRun
from echelon.reproduce.irmasim.public_examples import public_runs
from echelon.reproduce.irmasim.setups import PENALTY, TRACES, WIDE, Forced, Mix, platform_of, workload_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.model.jobs.columns import FloatColumn
    from echelon.reproduce.irmasim.setups import Trace
    from echelon.reproduce.machinery.experiments import Parts, Progress


SMALL, LARGE = "irmasim-a", "irmasim-b"
"""Presets of the platforms of the first four experiments and of the global one."""

NETWORK = f"constant:factor={PENALTY}"


@dataclass(frozen=True, slots=True, eq=False)
class Experiments:
    """The runs of the first four experiments.

    Parameters
    ----------
    random : mapping of str to list of ObservedRun
        The planning traces with cores chosen at random, by name, a run a seed.
    runs : mapping of str to ObservedRun
        The others by name; ``E1c smallest first`` has another order, ``E2a alone`` no contention.
    """

    random: Mapping[str, list[ObservedRun]]
    runs: Mapping[str, ObservedRun]


def small_experiments(seeds: int) -> Experiments:
    """Run them, the random ones with so many seeds from 0."""
    planning = ("E1a", "E1b", "E1c")
    random = {
        name: [run_trace(name, place="random", seed=seed) for seed in range(seeds)] for name in planning
    }
    random["E1c smallest first"] = [
        run_trace("E1c", place="random", seed=seed, policy="smallest-first") for seed in range(seeds)
    ]
    runs = {name: run_trace(name) for name in TRACES if name not in planning}
    runs["E2a alone"] = run_trace("E2a", network="none")
    return Experiments(random, runs)


def run_trace(
    name: str, *, place: str = "first-fit", policy: str = "fcfs", network: str = NETWORK, seed: int = 0
) -> ObservedRun:
    """Run one of `TRACES`; cores that it forces are forced."""
    trace = TRACES[name]
    result = simulate(
        workload_of(name, trace.jobs),
        platform=machine_of(trace),
        place=Forced(trace.cores) if trace.cores else place,
        execution="speed",
        network=network,
        policy=policy,
        seed=seed,
    )
    return ObservedRun(result)


def machine_of(trace: Trace) -> Platform:
    """Return the first platform, with the network of some nodes widened."""
    (hardware,) = read_platform(SMALL).node_level.values()
    nodes = tuple(
        replace(node, network_bandwidth=WIDE) if number in trace.wide else node
        for number, node in enumerate(hardware.nodes)
    )
    return platform_of(Hardware((Cluster(nodes),), name=hardware.name, source=hardware.source))


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


def global_experiment(seeds: int, progress: Progress | None = None) -> GlobalExperiment:
    """Run it, with so many seeds from 0 each."""
    mix = Mix()
    mixes: dict[object, Mix] = {"as drawn": mix}
    mixes |= {share: replace(mix, compute_share=(share, share)) for share in SHARES}
    mixes |= {volume: replace(mix, volume=volume) for volume in VOLUMES}
    # Without contention neither the share nor the volume matters: one run a seed does for all.
    without = [run_alone(mix, seed) for seed in range(seeds)]
    comparisons: dict[object, Compared] = {}
    for name, one in mixes.items():
        if progress:
            progress(len(comparisons), len(mixes))
        comparisons[name] = compare_contention(one, without)
    return GlobalExperiment(
        comparisons["as drawn"],
        {share: comparisons[share] for share in SHARES},
        {volume: comparisons[volume] for volume in VOLUMES},
    )


def run_alone(mix: Mix, seed: int) -> ObservedRun:
    """Run the mix of a seed without contention."""
    return _run(mix, seed, "none")


def compare_contention(mix: Mix, without: Sequence[ObservedRun]) -> Compared:
    """Run the mix with contention, a seed for each run of the same jobs without, and compare them."""
    with_it = [_run(mix, seed, NETWORK) for seed in range(len(without))]
    return Compared(
        mix,
        (_column(with_it, "makespan"), _column(without, "makespan")),
        (_column(with_it, "energy"), _column(without, "energy")),
        _column(with_it, "volume"),
    )


def _column(runs: Sequence[ObservedRun], name: str) -> FloatColumn:
    return np.array([getattr(run, name) for run in runs], dtype=np.float64)


def _run(mix: Mix, seed: int, network: str) -> ObservedRun:
    result = simulate(
        mix.draw(seed), platform=LARGE, execution="speed", network=network, policy=ORDER, seed=seed
    )
    return ObservedRun(result)


class Seeds(NamedTuple):
    """How many seeds there are: of the planning traces, and of the global experiment's mix."""

    planning: int
    mix: int


SEEDS = Seeds(50, 40)
QUICK_SEEDS = Seeds(5, 2)


class Evidence(NamedTuple):
    """What claims are judged by.

    Attributes
    ----------
    small : Experiments
        The first four experiments.
    public : mapping of str to ObservedRun
        The examples of the public code.
    whole : GlobalExperiment
        All of it together.
    """

    small: Experiments
    public: Mapping[str, ObservedRun]
    whole: GlobalExperiment


def experiments(seeds: Seeds, parts: Parts) -> Evidence:
    """Run everything, part by part."""
    small = parts(
        "planning, communication, contention and release", lambda _: small_experiments(seeds.planning)
    )
    return Evidence(
        small,
        parts("examples of the public code", lambda _: public_runs(small)),
        parts("global experiment", partial(global_experiment, seeds.mix)),
    )
