"""Analysis: what measured values of several strategies say. Pure functions of arrays.

Everywhere a table of values has one row an experiment and one column a strategy. What needs distributions
of statistics (intervals, tests) takes them from scipy, the extra ``stats``.
"""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.analysis.admissibility_bounds import (
        SMALL_JOBS_APPROXIMATION,
        SMALL_JOBS_COMPETITIVE,
        Case,
        approximation_factor,
        bound_case,
        competitive_factor,
        grid_lower_bound,
    )
    from echelon.analysis.batch_means import batch_means_interval, lag_one_autocorrelation, neighbors_depend
    from echelon.analysis.degradation import comparable, degradation, improvement, mean_degradation
    from echelon.analysis.degradation_table import DegradationTable
    from echelon.analysis.friedman import Friedman, critical_difference, friedman_test
    from echelon.analysis.interval import Interval, bootstrap_interval, t_interval
    from echelon.analysis.main_effects import MainEffect, main_effects
    from echelon.analysis.multiple_tests import adjusted_p_values
    from echelon.analysis.paired import PairedComparison, exact_difference, paired_comparison
    from echelon.analysis.pareto import pareto_front
    from echelon.analysis.performance_profile import PerformanceProfile, performance_profile
    from echelon.analysis.ranking import mean_ranks, ranks
    from echelon.analysis.replications import needed_replications, relative_half_width
    from echelon.analysis.truncation import moving_average, mser5
    from echelon.analysis.wilcoxon import Wilcoxon, wilcoxon_test

__all__ = [
    "SMALL_JOBS_APPROXIMATION",
    "SMALL_JOBS_COMPETITIVE",
    "Case",
    "DegradationTable",
    "Friedman",
    "Interval",
    "MainEffect",
    "PairedComparison",
    "PerformanceProfile",
    "Wilcoxon",
    "adjusted_p_values",
    "approximation_factor",
    "batch_means_interval",
    "bootstrap_interval",
    "bound_case",
    "comparable",
    "competitive_factor",
    "critical_difference",
    "degradation",
    "exact_difference",
    "friedman_test",
    "grid_lower_bound",
    "improvement",
    "lag_one_autocorrelation",
    "main_effects",
    "mean_degradation",
    "mean_ranks",
    "moving_average",
    "mser5",
    "needed_replications",
    "neighbors_depend",
    "paired_comparison",
    "pareto_front",
    "performance_profile",
    "ranks",
    "relative_half_width",
    "t_interval",
    "wilcoxon_test",
]

lazily(
    __name__,
    {
        "admissibility_bounds": (
            "SMALL_JOBS_APPROXIMATION",
            "SMALL_JOBS_COMPETITIVE",
            "Case",
            "approximation_factor",
            "bound_case",
            "competitive_factor",
            "grid_lower_bound",
        ),
        "batch_means": ("batch_means_interval", "lag_one_autocorrelation", "neighbors_depend"),
        "degradation": ("comparable", "degradation", "improvement", "mean_degradation"),
        "degradation_table": ("DegradationTable",),
        "friedman": ("Friedman", "critical_difference", "friedman_test"),
        "interval": ("Interval", "bootstrap_interval", "t_interval"),
        "main_effects": ("MainEffect", "main_effects"),
        "multiple_tests": ("adjusted_p_values",),
        "paired": ("PairedComparison", "exact_difference", "paired_comparison"),
        "pareto": ("pareto_front",),
        "performance_profile": ("PerformanceProfile", "performance_profile"),
        "ranking": ("mean_ranks", "ranks"),
        "replications": ("needed_replications", "relative_half_width"),
        "truncation": ("moving_average", "mser5"),
        "wilcoxon": ("Wilcoxon", "wilcoxon_test"),
    },
)
