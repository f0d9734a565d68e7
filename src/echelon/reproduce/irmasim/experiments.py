"""Experiments: all that the reproduction of the thesis simulates."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from echelon.experiments import simulate
from echelon.model import Cluster, Hardware, Platform, Site
from echelon.platforms import read_platform
from echelon.reproduce.irmasim.forced import Forced
from echelon.reproduce.irmasim.jobs import workload_of
from echelon.reproduce.irmasim.seen import Seen
from echelon.reproduce.irmasim.traces import PENALTY, TRACES, WIDE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.reproduce.irmasim.traces import Trace

SMALL, LARGE = "irmasim-a", "irmasim-b"
"""Presets of the platforms of the first four experiments and of the global one."""

NETWORK = f"constant:factor={PENALTY}"
SEEDS = 50
QUICK_SEEDS = 5


@dataclass(frozen=True, slots=True, eq=False)
class Experiments:
    """The runs of the first four experiments.

    Parameters
    ----------
    random : mapping of str to list of Seen
        The planning traces with cores chosen at random, by name, a run a seed.
    runs : mapping of str to Seen
        The others by name; ``E1c smallest first`` has another order, ``E2a alone`` no contention.
    """

    random: Mapping[str, list[Seen]]
    runs: Mapping[str, Seen]


def experiments(seeds: int = SEEDS) -> Experiments:
    """Run them, the random ones with so many seeds from 0."""
    planning = ("E1a", "E1b", "E1c")
    random = {name: [traced(name, place="random", seed=seed) for seed in range(seeds)] for name in planning}
    random["E1c smallest first"] = [
        traced("E1c", place="random", seed=seed, policy="smallest-first") for seed in range(seeds)
    ]
    runs = {name: traced(name) for name in TRACES if name not in planning}
    runs["E2a alone"] = traced("E2a", network="none")
    return Experiments(random, runs)


def traced(
    name: str,
    *,
    place: str = "first-fit",
    policy: str = "fcfs",
    network: str = NETWORK,
    seed: int = 0,
) -> Seen:
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
    return Seen(result)


def machine_of(trace: Trace) -> Platform:
    """Return the first platform, with the network of some nodes widened."""
    platform = read_platform(SMALL)
    hardware = platform.hardware
    assert hardware is not None
    nodes = tuple(
        replace(node, network_bandwidth=WIDE) if number in trace.wide else node
        for number, node in enumerate(hardware.nodes)
    )
    return platform_of(Hardware((Cluster(nodes),), name=hardware.name, source=hardware.source))


def platform_of(hardware: Hardware) -> Platform:
    """Return a platform of one site with these nodes."""
    return Platform((Site(hardware.name, hardware.cores, hardware=hardware),), name=hardware.name)
