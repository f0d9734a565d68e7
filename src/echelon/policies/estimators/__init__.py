"""Estimators: predictions of run times and waits. One file per rule; `registry` lists all."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "average": "Average",
        "baselines": "Exact Request",
        "corrected": "Corrected",
        "decisor": "Decisor",
        "experience_cases": "Names case_of names_of",
        "forecast": "ClusterView Forecaster ForecastingEstimator Slowdown",
        "hanzich": "Hanzich",
        "hybrid": "Hybrid",
        "ibl": "InstanceBased",
        "registry": "ESTIMATOR ESTIMATORS estimator estimator_named format_estimator names_estimator",
        "rule": "Estimator Memory QueueWatcher",
        "sdpn": "SlowdownModel",
        "templates": "Li Smith",
    },
    aliases={"estimator_words": "format_estimator"},
)
