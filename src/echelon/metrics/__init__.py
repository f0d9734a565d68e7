"""Metrics: how good a schedule is. Pure functions of columns, each with formula, unit and source.

`METRICS` lists every metric of a whole schedule; `measure` computes them all. What figures draw
(distributions, arrivals, classes, users, differences) are pure functions, too: columns in, arrays out.
"""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.metrics.columns.blocks import BLOCK_METRICS, block_metrics, whole_blocks
    from echelon.metrics.columns.job_sites import JobSites
    from echelon.metrics.columns.measured import Measured
    from echelon.metrics.columns.per_job import (
        bounded_slowdown,
        grid_bounded_slowdown,
        prediction_accuracy,
        response_time,
        slowdown,
        turnaround_time,
        wait_time,
    )
    from echelon.metrics.columns.shared_nodes import SharedNodes
    from echelon.metrics.columns.steps import Steps, busy_processors, queue_length
    from echelon.metrics.columns.trace import TRACED, EndedJobs, Trace, job_traces, trace, traces
    from echelon.metrics.power.energy import Energy, energy
    from echelon.metrics.power.power_trace import PowerTrace, power_trace
    from echelon.metrics.registry.known_metrics import METRICS, measure, metric_named
    from echelon.metrics.registry.metric import Metric, metric
    from echelon.metrics.registry.own_metric import metric_in_file, names_metric, own_metrics
    from echelon.metrics.schedule.allocation_quality import AllocationQuality
    from echelon.metrics.schedule.dependency_metrics import DEPENDENCY_METRICS
    from echelon.metrics.schedule.fairness import (
        UserMeans,
        gini_coefficient,
        jain_index,
        lorenz_curve,
        user_means,
    )
    from echelon.metrics.schedule.forecast_accuracy import (
        ForecastAccuracy,
        corrected_accuracy,
        forecast_accuracy,
    )
    from echelon.metrics.schedule.grid_study import GRID_STUDY, GRID_STUDY_MAIN
    from echelon.metrics.schedule.immediate_metrics import IMMEDIATE_METRICS
    from echelon.metrics.schedule.inside_metrics import INSIDE_METRICS
    from echelon.metrics.schedule.multicluster_metrics import MULTICLUSTER_METRICS
    from echelon.metrics.schedule.steady import STEADY_METRICS, steady_jobs, steady_metrics
    from echelon.metrics.tables.arrivals import Arrivals, arrivals
    from echelon.metrics.tables.cells import Cells, cells
    from echelon.metrics.tables.class_grid import ClassGrid, class_grid
    from echelon.metrics.tables.distribution import log_axis, share_above, share_at_most
    from echelon.metrics.tables.forecast_table import QUANTITIES, accuracy_table, forecast_table
    from echelon.metrics.tables.job_set_table import job_set_table
    from echelon.metrics.tables.job_sizes import SizeCounts, jobs_per_power_of_two, jobs_per_size
    from echelon.metrics.tables.migration_shares import MeanMigration, mean_migration, percent_taken, taken
    from echelon.metrics.tables.per_class import per_class
    from echelon.metrics.tables.per_node import per_node
    from echelon.metrics.tables.per_shared_node import per_shared_node
    from echelon.metrics.tables.per_site import per_site
    from echelon.metrics.tables.per_user import per_user
    from echelon.metrics.tables.site_flows import Migration, SiteMeans, migration, site_load, site_means
    from echelon.metrics.tables.start_differences import (
        StartDifferences,
        difference_edges,
        difference_histogram,
        start_differences,
    )

__all__ = [
    "BLOCK_METRICS",
    "DEPENDENCY_METRICS",
    "GRID_STUDY",
    "GRID_STUDY_MAIN",
    "IMMEDIATE_METRICS",
    "INSIDE_METRICS",
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
        "schedule.allocation_quality": ("AllocationQuality",),
        "tables.arrivals": ("Arrivals", "arrivals"),
        "columns.blocks": ("BLOCK_METRICS", "block_metrics", "whole_blocks"),
        "tables.cells": ("Cells", "cells"),
        "tables.class_grid": ("ClassGrid", "class_grid"),
        "schedule.dependency_metrics": ("DEPENDENCY_METRICS",),
        "tables.distribution": ("log_axis", "share_above", "share_at_most"),
        "power.energy": ("Energy", "energy"),
        "schedule.fairness": ("UserMeans", "gini_coefficient", "jain_index", "lorenz_curve", "user_means"),
        "schedule.forecast_accuracy": ("ForecastAccuracy", "corrected_accuracy", "forecast_accuracy"),
        "tables.forecast_table": ("QUANTITIES", "accuracy_table", "forecast_table"),
        "schedule.grid_study": ("GRID_STUDY", "GRID_STUDY_MAIN"),
        "schedule.immediate_metrics": ("IMMEDIATE_METRICS",),
        "schedule.inside_metrics": ("INSIDE_METRICS",),
        "tables.job_set_table": ("job_set_table",),
        "columns.job_sites": ("JobSites",),
        "tables.job_sizes": ("SizeCounts", "jobs_per_power_of_two", "jobs_per_size"),
        "registry.known_metrics": ("METRICS", "measure", "metric_named"),
        "columns.measured": ("Measured",),
        "registry.metric": ("Metric", "metric"),
        "tables.migration_shares": ("MeanMigration", "mean_migration", "percent_taken", "taken"),
        "schedule.multicluster_metrics": ("MULTICLUSTER_METRICS",),
        "registry.own_metric": ("metric_in_file", "names_metric", "own_metrics"),
        "tables.per_class": ("per_class",),
        "columns.per_job": (
            "bounded_slowdown",
            "grid_bounded_slowdown",
            "prediction_accuracy",
            "response_time",
            "slowdown",
            "turnaround_time",
            "wait_time",
        ),
        "tables.per_node": ("per_node",),
        "tables.per_shared_node": ("per_shared_node",),
        "tables.per_site": ("per_site",),
        "tables.per_user": ("per_user",),
        "power.power_trace": ("PowerTrace", "power_trace"),
        "columns.shared_nodes": ("SharedNodes",),
        "tables.site_flows": ("Migration", "SiteMeans", "migration", "site_load", "site_means"),
        "tables.start_differences": (
            "StartDifferences",
            "difference_edges",
            "difference_histogram",
            "start_differences",
        ),
        "schedule.steady": ("STEADY_METRICS", "steady_jobs", "steady_metrics"),
        "columns.steps": ("Steps", "busy_processors", "queue_length"),
        "columns.trace": ("TRACED", "EndedJobs", "Trace", "job_traces", "trace", "traces"),
    },
)
