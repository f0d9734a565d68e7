"""The grid study: nine strategies of a broker, with and without admissibility, and sites without a broker."""

from echelon.reproduce.grid.study import GRID

__all__ = ["GRID"]
