"""The 18 NAS IS and MG applications of the M-CISNE thesis, as their runs on dedicated nodes show them.

Source: Lérida Monsó, UAB 2009, table D.1, whose CPU column (its head says percent) holds jiffies of 10 ms a
task: a hundredth of each figure is below the run time, and of programs that compute it is close to it.

The thesis does not print the bandwidth a task needs (PNBW). It is derived here: the bytes that a task sends
between nodes, by what the benchmarks exchange, over the time in which it communicates. NAS IS sends, in each
of 11 rankings (one to warm up, ten timed), all but one of its nodes' shares of its keys of 4 bytes: 2**23
keys of class A and 2**25 of class B. NAS MG exchanges the faces of a cube of 256 points of 8 bytes a side:
in each multigrid cycle 3 times at the finest level, 4/3 of that over all levels, both faces of every
dimension that the nodes part; 4 cycles of class A and 20 of class B, and one to warm up. Class AB is the
thesis' own. Memory that doubles from A to AB and from AB to B makes it 2**24 keys of IS; memory that stays,
and processor time between, make it 12 cycles of MG. Bailey et al., NASA Ames 1995, has the benchmarks.
"""

from __future__ import annotations

from typing import NamedTuple

from echelon.model.jobs.applications import Application

JIFFY = 0.01
"""Seconds of processor time."""

MEGABYTE = 1e6

_KEYS = {"A": 2**23, "AB": 2**24, "B": 2**25}
_KEY_BYTES = 4
_RANKINGS = 11
_CYCLES = {"A": 5, "AB": 13, "B": 21}
_SIDE = 256
_POINT_BYTES = 8
_EXCHANGES = 3 * 4 / 3
"""Of faces of the finest level in a multigrid cycle; each coarser level has a quarter of the face."""


class NasApplication(NamedTuple):
    """One row of the table.

    Attributes
    ----------
    benchmark : str
        ``"is"`` or ``"mg"``.
    problem : str
        Its class: ``"A"``, ``"AB"``, ``"B"``.
    nodes : int
        Tasks, one in each node.
    jiffies : int
        Processor time of a task, in 10 ms.
    megabytes : int
        Memory of a task.
    time : float
        On dedicated nodes, in seconds.
    """

    benchmark: str
    problem: str
    nodes: int
    jiffies: int
    megabytes: int
    time: float

    @property
    def name(self) -> str:
        """As the benchmark's makefile names the executable: ``is.B.4``."""
        return f"{self.benchmark}.{self.problem}.{self.nodes}"

    @property
    def compute_share(self) -> float:
        """Share of its time in which a task computes."""
        return self.jiffies * JIFFY / self.time

    @property
    def sent(self) -> float:
        """Bytes that a task sends to other nodes."""
        if self.benchmark == "is":
            ranking = _KEYS[self.problem] * _KEY_BYTES / self.nodes * (self.nodes - 1) / self.nodes
            return _RANKINGS * ranking
        parted = self.nodes.bit_length() - 1
        # Of a cube parted in k of its 3 dimensions, a task has 2 faces in each, halved by each other cut.
        face = _SIDE * _SIDE * _POINT_BYTES / (1 << (parted - 1))
        return _CYCLES[self.problem] * _EXCHANGES * 2 * parted * face

    @property
    def bandwidth(self) -> float:
        """What a task needs on its node's link while it communicates (PNBW), in bytes a second."""
        return self.sent / (self.time * (1 - self.compute_share))

    def application(self, library: str = "mpi", bandwidth: float | None = None) -> Application:
        """Return it as an application of a message-passing library, maybe with another bandwidth."""
        needed = self.bandwidth if bandwidth is None else bandwidth
        memory = self.megabytes * MEGABYTE
        return Application(self.name, self.compute_share, memory, needed, library)


NAS_APPLICATIONS: tuple[NasApplication, ...] = (
    NasApplication("is", "A", 2, 1015, 150, 19.0),
    NasApplication("is", "AB", 2, 2438, 297, 29.0),
    NasApplication("is", "B", 2, 5326, 593, 69.0),
    NasApplication("is", "A", 4, 695, 73, 19.0),
    NasApplication("is", "AB", 4, 1600, 144, 29.0),
    NasApplication("is", "B", 4, 3216, 285, 69.0),
    NasApplication("is", "A", 8, 602, 37, 19.0),
    NasApplication("is", "AB", 8, 1139, 74, 29.0),
    NasApplication("is", "B", 8, 2455, 152, 49.0),
    NasApplication("mg", "A", 2, 2133, 227, 29.0),
    NasApplication("mg", "AB", 2, 6746, 227, 79.0),
    NasApplication("mg", "B", 2, 11939, 227, 130.0),
    NasApplication("mg", "A", 4, 984, 117, 19.0),
    NasApplication("mg", "AB", 4, 3448, 117, 39.0),
    NasApplication("mg", "B", 4, 5961, 117, 69.0),
    NasApplication("mg", "A", 8, 120, 62, 9.0),
    NasApplication("mg", "AB", 8, 1294, 62, 19.0),
    NasApplication("mg", "B", 8, 1640, 62, 39.0),
)
"""In the table's order."""
