"""The M-CISNE thesis: predicting, choosing and co-allocating in non-dedicated multiclusters."""

from echelon.reproduce.multicluster.study import MULTICLUSTER

__all__ = ["MULTICLUSTER"]
