"""The traces of the study's first four experiments, job by job, and what is forced on each."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from echelon.reproduce.irmasim.jobs import StudyJob, mpi, sequential

if TYPE_CHECKING:
    from collections.abc import Mapping

MEGABYTE = 1e6
"""Bytes: the study's 4 pairs of 200 MB are 800,000,000 bytes."""

PAIR_VOLUME = 200 * MEGABYTE
"""Bytes exchanged between each pair of tasks in different nodes, in the experiments on communication."""

COMPUTE_SHARE = 0.9
PENALTY = 0.8
"""Factor of communication in a node with contention."""

WIDE = 1e12
"""Bytes a second of a node whose network is never in the way. The study does not say what it edited."""


class Trace(NamedTuple):
    """What one experiment runs.

    Attributes
    ----------
    title : str
        What it is for.
    figure : str
        The study's figure of its run.
    jobs : tuple of StudyJob
        In the order in which the study numbers them.
    cores : mapping of int to tuple of int
        Cores of each job, by its number, as the study's figure shows them; empty: the placement decides.
    wide : tuple of int
        Nodes whose network bandwidth is edited to be `WIDE`.
    """

    title: str
    figure: str
    jobs: tuple[StudyJob, ...]
    cores: Mapping[int, tuple[int, ...]] = MappingProxyType({})
    wide: tuple[int, ...] = ()


def _communicating(tasks: int) -> StudyJob:
    return mpi(tasks, volume=PAIR_VOLUME, compute_share=COMPUTE_SHARE)


TRACES: Mapping[str, Trace] = MappingProxyType(
    {
        "E1a": Trace("Planning, first trace", "figure 4.3", (sequential(6), sequential(4), mpi(6))),
        "E1b": Trace("Planning, second trace", "figure 4.5", (sequential(6), sequential(6), sequential(4))),
        "E1c": Trace("Planning, third trace", "figure 4.7", (sequential(2), mpi(12), mpi(4))),
        "E2a": Trace(
            "Communication and contention",
            "figures 4.9 and 4.11",
            (sequential(4), _communicating(4), _communicating(2)),
            # The text names the four of job 2; how the program came to them: `queue_order`.
            {1: (0, 1, 2, 3), 2: (5, 7, 8, 9), 3: (4, 6)},
        ),
        "E2b": Trace(
            "Communication within a node",
            "not drawn in the thesis",
            (sequential(2), _communicating(4), _communicating(2)),
        ),
        "E4": Trace(
            "Release",
            "figure 4.13",
            (_communicating(9),),
            wide=(0,),
        ),
        "E4 and one more": Trace(
            "Release, with a job that waits for a node",
            "not in the study",
            (_communicating(9), sequential(8)),
            wide=(0,),
        ),
    }
)
"""By the names that the reproduction gives them; E3 is the run of E2a, looked at for its times."""
