"""Daly's study: the interval between checkpoints that wastes the least time on a machine that fails."""

from echelon.reproduce.daly.study import DALY

__all__ = ["DALY"]
