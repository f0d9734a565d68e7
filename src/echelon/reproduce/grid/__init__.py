"""The grid study: nine broker strategies, with and without admissibility, and decentralized protocols."""

from echelon.reproduce.grid.study import GRID

__all__ = ["GRID"]
