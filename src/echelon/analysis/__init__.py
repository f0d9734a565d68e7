"""Analysis: what measured values of several strategies say. Pure functions of arrays.

Everywhere a table of values has one row an experiment and one column a strategy. What needs distributions
of statistics (intervals, tests) is of scipy, the extra ``stats``.
"""

from echelon.analysis.degradation import comparable, degradation, improvement, mean_degradation
from echelon.analysis.degradation_table import DegradationTable
from echelon.analysis.ranking import mean_ranks, ranks

__all__ = [
    "DegradationTable",
    "comparable",
    "degradation",
    "improvement",
    "mean_degradation",
    "mean_ranks",
    "ranks",
]
