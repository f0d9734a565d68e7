"""Analysis: what measured values of several strategies say. Pure functions of arrays.

Everywhere a table of values has one row an experiment and one column a strategy. What needs distributions
of statistics (intervals, tests) takes them from scipy, the extra ``stats``.
"""

from echelon.analysis.admissibility_bounds import (
    SMALL_JOBS_APPROXIMATION,
    SMALL_JOBS_COMPETITIVE,
    Case,
    approximation_factor,
    bound_case,
    competitive_factor,
    grid_lower_bound,
)
from echelon.analysis.degradation import comparable, degradation, improvement, mean_degradation
from echelon.analysis.degradation_table import DegradationTable
from echelon.analysis.friedman import Friedman, critical_difference, friedman_test
from echelon.analysis.interval import Interval, bootstrap_interval, t_interval
from echelon.analysis.performance_profile import PerformanceProfile, performance_profile
from echelon.analysis.ranking import mean_ranks, ranks
from echelon.analysis.wilcoxon import Wilcoxon, wilcoxon_test

__all__ = [
    "SMALL_JOBS_APPROXIMATION",
    "SMALL_JOBS_COMPETITIVE",
    "Case",
    "DegradationTable",
    "Friedman",
    "Interval",
    "PerformanceProfile",
    "Wilcoxon",
    "approximation_factor",
    "bootstrap_interval",
    "bound_case",
    "comparable",
    "competitive_factor",
    "critical_difference",
    "degradation",
    "friedman_test",
    "grid_lower_bound",
    "improvement",
    "mean_degradation",
    "mean_ranks",
    "performance_profile",
    "ranks",
    "t_interval",
    "wilcoxon_test",
]
