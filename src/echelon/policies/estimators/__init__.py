"""Estimators: predictions of run times and waits. One file per rule; `registry` lists all."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "average": "Average",
        "categories": "Li Smith",
        "corrected": "Corrected",
        "decisor": "Decisor",
        "forecast": "ClusterView Forecaster ForecastingEstimator Slowdown",
        "hybrid": "Hybrid",
        "ibl": "InstanceBased",
        "recollection": "Names case_of names_of",
        "registry": "ESTIMATOR ESTIMATORS estimator estimator_named format_estimator names_estimator",
        "rule": "Estimator Memory QueueWatcher",
        "simulation": "Exact Hanzich Request SlowdownModel",
    },
    aliases={"estimator_words": "format_estimator"},
)
