"""Processor sharing: the share of the cores that each process on a time-shared machine gets."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class Service(NamedTuple):
    """The rate of a process: supply / demand of its rate alone.

    A ratio of two numbers and not one number, so that whole times stay whole: three processes on one core
    for 60 s each take 60 x 3 / 1 s.

    Attributes
    ----------
    supply, demand : float
        > 0, supply <= demand, in one unit.
    """

    supply: float
    demand: float


ALONE = Service(1.0, 1.0)
"""The factor of a process whose demand is satisfied."""


def time_alone(run_time: float, cpu_share: float, speed: float) -> float:
    """Return the time of a process that does not share its core, in seconds.

    Parameters
    ----------
    run_time : float
        On a core of speed 1, in seconds, > 0.
    cpu_share : float
        The part of it that it computes, in (0, 1]; the rest it waits for input and output, which a faster
        core does not speed up.
    speed : float
        Of the core, > 0.
    """
    return run_time * cpu_share / speed + run_time * (1 - cpu_share)


def cpu_demand(cpu_share: float, speed: float) -> float:
    """Return the demand of a process for a core, in (0, 1]; 1 if it is CPU-bound.

    Parameters
    ----------
    cpu_share : float
        The part of its run time on a core of speed 1 that it computes, in (0, 1].
    speed : float
        Of the core, > 0.
    """
    computing = cpu_share / speed
    return computing / (computing + (1 - cpu_share))


def services(demands: Sequence[float], processes: Sequence[int], cores: int) -> list[Service]:
    """Return the service of processes that share cores evenly, max-min fair by water filling.

    No process gets more than its demand, and all that get less get the same amount; no core idles while a
    process gets less than its demand.

    Parameters
    ----------
    demands : sequence of float
        Demand of a process of each kind, in cores, in (0, 1], ascending.
    processes : sequence of int
        Processes of each kind, >= 1.
    cores : int
        Of the machine, >= 1.

    Returns
    -------
    list of Service
        Of each kind.

    Notes
    -----
    **Cost**: O(kinds). **Source**: max-min fairness, Bertsekas & Gallager, Data Networks, 1992, 6.5.2; for
    CPU-bound processes it is egalitarian processor sharing, Kleinrock 1967, on several cores.
    """
    services: list[Service] = []
    left, cores_left = sum(processes), float(cores)
    for demand, count in zip(demands, processes, strict=True):
        if demand * left <= cores_left:
            services.append(ALONE)
            cores_left -= demand * count
            left -= count
        else:
            # The same holds for all further kinds: they share the rest evenly.
            services.append(Service(cores_left, left * demand))
    return services
