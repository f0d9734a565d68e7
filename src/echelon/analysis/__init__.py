"""Analysis: what measured values of several strategies say. Pure functions of arrays.

Everywhere a table of values has one row an experiment and one column a strategy. What needs distributions
of statistics (intervals, tests) takes them from scipy, the extra ``stats``.
"""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "admissibility_bounds": (
            "SMALL_JOBS_APPROXIMATION SMALL_JOBS_COMPETITIVE Case approximation_factor bound_case "
            "competitive_factor grid_lower_bound"
        ),
        "degradation": "DegradationTable degradation find_comparable improvement mean_degradation",
        "friedman": "Friedman critical_difference friedman_test",
        "interval": "Interval bootstrap_interval needed_replications relative_half_width t_interval",
        "main_effects": "MainEffect main_effects",
        "multiple_tests": "adjusted_p_values",
        "paired_comparison": "PairedComparison Wilcoxon exact_difference paired_comparison wilcoxon_test",
        "pareto": "pareto_front",
        "performance_profile": "PerformanceProfile performance_profile",
        "ranking": "mean_ranks ranks",
        "steady_state": (
            "batch_means_interval lag_one_autocorrelation moving_average mser5 neighbors_depend"
        ),
    },
    aliases={"comparable": "find_comparable"},
)
