"""Estimators: how long will a job run, and wait? One file a rule; the list of all that are built in."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "average": "Average",
        "baselines": "Exact Request",
        "corrected": "Corrected",
        "decisor": "Decisor",
        "experienced": "Names case_of names_of",
        "forecast": "ClusterView Forecaster ForecastingEstimator Slowdown",
        "hanzich": "Hanzich",
        "hybrid": "Hybrid",
        "ibl": "InstanceBased",
        "registry": "ESTIMATOR ESTIMATORS estimator estimator_named estimator_words names_estimator",
        "rule": "Estimator Memory QueueWatcher",
        "sdpn": "SlowdownModel",
        "templates": "Li Smith",
    },
)
