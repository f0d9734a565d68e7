"""Exposure: how often failures hit a job, by the number of its nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.model.machines.outages import OutageKind
from echelon.model.machines.site_path import above

if TYPE_CHECKING:
    from echelon.availability.machine_nodes import MachineNodes
    from echelon.availability.processes.failure_process import FailureProcess
    from echelon.model.machines.outages import Outages


class Hits(NamedTuple):
    """Failures of a machine, each of which takes as many of its nodes.

    Parameters
    ----------
    rate : float
        Failures a second, anywhere on the machine.
    together : float
        Nodes that one of them takes, neighbors, >= 1.
    nodes : int
        Of the machine, >= 1.
    """

    rate: float
    together: float
    nodes: int


@dataclass(frozen=True, slots=True)
class Exposure:
    """How often failures hit a job, by the number of its nodes.

    A failure of one node hits a job in proportion to its nodes; one of the whole machine or site hits every
    job, however few nodes it has. In between, a failure of k neighbors hits a job on n neighbors of N nodes
    with probability (n + k - 1) / N, at most 1: as many places of the failure meet the job.

    Parameters
    ----------
    hits : tuple of Hits
        Those that come on top of each other.
    """

    hits: tuple[Hits, ...] = ()

    def __add__(self, other: Exposure) -> Exposure:
        """Return the exposure to the failures of both."""
        return Exposure((*self.hits, *other.hits))

    def rate(self, nodes: float) -> float:
        """Return how many failures a second hit a job on so many nodes, >= 1. Cost: O(hits)."""
        return sum(one.rate * min((nodes + one.together - 1) / one.nodes, 1.0) for one in self.hits)


UNEXPOSED = Exposure()


def exposure_to_process(process: FailureProcess, machine: MachineNodes) -> Exposure:
    """Return the exposure to failures by a law of a job that is in one site of a machine.

    Of several sites each counts by its nodes.
    """
    nodes, rate = sum(machine.counts), 1.0 / process.law.mean
    if process.of == "node":
        return Exposure((Hits(nodes * rate, process.burst, nodes),))
    if process.of == "machine":
        return Exposure((Hits(len(machine.counts) * rate, process.burst, nodes),))
    links = 1.0
    if process.of == "link":
        # A job loses its nodes by the link of its site and by each above that.
        paths = machine.paths or ("",)
        depths = (1 + sum(1 for path in above(one) if path) for one in paths)
        links = sum(depth * count for depth, count in zip(depths, machine.counts, strict=True)) / nodes
    return Exposure((Hits(links * rate, nodes, nodes),))


def measure_exposure(outages: Outages, nodes: int) -> Exposure:
    """Return the exposure to the failures of a trace, from its first one to its last.

    Parameters
    ----------
    outages : Outages
        Of which only failures count. What fails at one instant is one failure of so many nodes.
    nodes : int
        Of the machine.

    Returns
    -------
    Exposure
        `UNEXPOSED` if failures begin at fewer than two times.
    """
    failures = outages.of_kind(OutageKind.FAIL)
    times, incident = np.unique(failures.start, return_inverse=True)
    if len(times) < 2:
        return UNEXPOSED
    nodes_lost = np.bincount(incident, weights=np.diff(failures.first))
    # The first one only says when the measurement begins.
    together, counts = np.unique(nodes_lost[1:], return_counts=True)
    span = float(times[-1] - times[0])
    pairs = zip(together.tolist(), counts.tolist(), strict=True)
    return Exposure(tuple(Hits(count / span, some, nodes) for some, count in pairs))
