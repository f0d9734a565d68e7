"""Metrics: how good a schedule is. Pure functions of columns, each with formula, unit and source.

`METRICS` lists every metric of a whole schedule; `measure` computes them all. What figures draw
(distributions, arrivals, classes, users, differences) are pure functions, too: columns in, arrays out.
"""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.metrics.allocation_quality import AllocationQuality
    from echelon.metrics.arrivals import Arrivals, arrivals
    from echelon.metrics.blocks import BLOCK_METRICS, block_metrics, whole_blocks
    from echelon.metrics.cells import Cells, cells
    from echelon.metrics.class_grid import ClassGrid, class_grid
    from echelon.metrics.dependency_metrics import DEPENDENCY_METRICS
    from echelon.metrics.distribution import log_axis, share_above, share_at_most
    from echelon.metrics.energy import Energy, energy
    from echelon.metrics.fairness import UserMeans, gini_coefficient, jain_index, lorenz_curve, user_means
    from echelon.metrics.forecast_accuracy import (
        ForecastAccuracy,
        corrected_accuracy,
        forecast_accuracy,
    )
    from echelon.metrics.forecast_table import QUANTITIES, accuracy_table, forecast_table
    from echelon.metrics.grid_study import GRID_STUDY, GRID_STUDY_MAIN
    from echelon.metrics.immediate_metrics import IMMEDIATE_METRICS
    from echelon.metrics.inside_metrics import INSIDE_METRICS
    from echelon.metrics.job_set_table import job_set_table
    from echelon.metrics.job_sites import JobSites
    from echelon.metrics.job_sizes import SizeCounts, jobs_per_power_of_two, jobs_per_size
    from echelon.metrics.known_metrics import (
        METRIC,
        METRICS,
        measure,
        metric_in_file,
        metric_named,
        names_metric,
    )
    from echelon.metrics.measured import Measured
    from echelon.metrics.metric import Metric, metric
    from echelon.metrics.migration_shares import MeanMigration, mean_migration, percent_taken, taken
    from echelon.metrics.multicluster_metrics import MULTICLUSTER_METRICS
    from echelon.metrics.own_metric import own_metrics
    from echelon.metrics.per_class import per_class
    from echelon.metrics.per_job import (
        bounded_slowdown,
        grid_bounded_slowdown,
        prediction_accuracy,
        response_time,
        slowdown,
        turnaround_time,
        wait_time,
    )
    from echelon.metrics.per_node import per_node
    from echelon.metrics.per_shared_node import per_shared_node
    from echelon.metrics.per_site import per_site
    from echelon.metrics.per_user import per_user
    from echelon.metrics.power_trace import PowerTrace, power_trace
    from echelon.metrics.shared_nodes import SharedNodes
    from echelon.metrics.site_flows import Migration, SiteMeans, migration, site_load, site_means
    from echelon.metrics.start_differences import (
        StartDifferences,
        difference_edges,
        difference_histogram,
        start_differences,
    )
    from echelon.metrics.steady import STEADY_METRICS, steady_jobs, steady_metrics
    from echelon.metrics.steps import Steps, busy_processors, queue_length
    from echelon.metrics.trace import TRACED, EndedJobs, Trace, job_traces, trace, traces

__all__ = [
    "BLOCK_METRICS",
    "DEPENDENCY_METRICS",
    "GRID_STUDY",
    "GRID_STUDY_MAIN",
    "IMMEDIATE_METRICS",
    "INSIDE_METRICS",
    "METRIC",
    "METRICS",
    "MULTICLUSTER_METRICS",
    "QUANTITIES",
    "STEADY_METRICS",
    "TRACED",
    "AllocationQuality",
    "Arrivals",
    "Cells",
    "ClassGrid",
    "EndedJobs",
    "Energy",
    "ForecastAccuracy",
    "JobSites",
    "MeanMigration",
    "Measured",
    "Metric",
    "Migration",
    "PowerTrace",
    "SharedNodes",
    "SiteMeans",
    "SizeCounts",
    "StartDifferences",
    "Steps",
    "Trace",
    "UserMeans",
    "accuracy_table",
    "arrivals",
    "block_metrics",
    "bounded_slowdown",
    "busy_processors",
    "cells",
    "class_grid",
    "corrected_accuracy",
    "difference_edges",
    "difference_histogram",
    "energy",
    "forecast_accuracy",
    "forecast_table",
    "gini_coefficient",
    "grid_bounded_slowdown",
    "jain_index",
    "job_set_table",
    "job_traces",
    "jobs_per_power_of_two",
    "jobs_per_size",
    "log_axis",
    "lorenz_curve",
    "mean_migration",
    "measure",
    "metric",
    "metric_in_file",
    "metric_named",
    "migration",
    "names_metric",
    "own_metrics",
    "per_class",
    "per_node",
    "per_shared_node",
    "per_site",
    "per_user",
    "percent_taken",
    "power_trace",
    "prediction_accuracy",
    "queue_length",
    "response_time",
    "share_above",
    "share_at_most",
    "site_load",
    "site_means",
    "slowdown",
    "start_differences",
    "steady_jobs",
    "steady_metrics",
    "taken",
    "trace",
    "traces",
    "turnaround_time",
    "user_means",
    "wait_time",
    "whole_blocks",
]

lazily(
    __name__,
    {
        "allocation_quality": ("AllocationQuality",),
        "arrivals": ("Arrivals", "arrivals"),
        "blocks": ("BLOCK_METRICS", "block_metrics", "whole_blocks"),
        "cells": ("Cells", "cells"),
        "class_grid": ("ClassGrid", "class_grid"),
        "dependency_metrics": ("DEPENDENCY_METRICS",),
        "distribution": ("log_axis", "share_above", "share_at_most"),
        "energy": ("Energy", "energy"),
        "fairness": ("UserMeans", "gini_coefficient", "jain_index", "lorenz_curve", "user_means"),
        "forecast_accuracy": ("ForecastAccuracy", "corrected_accuracy", "forecast_accuracy"),
        "forecast_table": ("QUANTITIES", "accuracy_table", "forecast_table"),
        "grid_study": ("GRID_STUDY", "GRID_STUDY_MAIN"),
        "immediate_metrics": ("IMMEDIATE_METRICS",),
        "inside_metrics": ("INSIDE_METRICS",),
        "job_set_table": ("job_set_table",),
        "job_sites": ("JobSites",),
        "job_sizes": ("SizeCounts", "jobs_per_power_of_two", "jobs_per_size"),
        "known_metrics": ("METRIC", "METRICS", "measure", "metric_in_file", "metric_named", "names_metric"),
        "measured": ("Measured",),
        "metric": ("Metric", "metric"),
        "migration_shares": ("MeanMigration", "mean_migration", "percent_taken", "taken"),
        "multicluster_metrics": ("MULTICLUSTER_METRICS",),
        "own_metric": ("own_metrics",),
        "per_class": ("per_class",),
        "per_job": (
            "bounded_slowdown",
            "grid_bounded_slowdown",
            "prediction_accuracy",
            "response_time",
            "slowdown",
            "turnaround_time",
            "wait_time",
        ),
        "per_node": ("per_node",),
        "per_shared_node": ("per_shared_node",),
        "per_site": ("per_site",),
        "per_user": ("per_user",),
        "power_trace": ("PowerTrace", "power_trace"),
        "shared_nodes": ("SharedNodes",),
        "site_flows": ("Migration", "SiteMeans", "migration", "site_load", "site_means"),
        "start_differences": (
            "StartDifferences",
            "difference_edges",
            "difference_histogram",
            "start_differences",
        ),
        "steady": ("STEADY_METRICS", "steady_jobs", "steady_metrics"),
        "steps": ("Steps", "busy_processors", "queue_length"),
        "trace": ("TRACED", "EndedJobs", "Trace", "job_traces", "trace", "traces"),
    },
)
