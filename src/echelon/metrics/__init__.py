"""Metrics: how good a schedule is. Pure functions of columns, each with formula, unit and source.

`METRICS` lists every metric of a whole schedule; `measure` computes them all. What figures draw
(distributions, arrivals, classes, users, differences) are pure functions, too: columns in, arrays out.
"""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "columns.run_tables.job_sites": "JobSites",
        "columns.measured_schedule": "Measured",
        "columns.job_values": (
            "bounded_slowdown grid_bounded_slowdown prediction_accuracy response_time slowdown "
            "turnaround_time wait_time"
        ),
        "columns.shared_nodes": "SharedNodes",
        "columns.steps": "Steps busy_processors queue_length",
        "columns.trace": "TRACED EndedJobs Trace job_traces trace traces",
        "power.energy": "Energy PowerTrace energy power_trace",
        "registry.known_metrics": "METRIC METRIC METRICS measure metric_in_file metric_named names_metric",
        "registry.metric": "Metric metric",
        "registry.own_metric": "own_metrics",
        "schedule.allocation_quality": "AllocationQuality",
        "schedule.availability_metrics": "AVAILABILITY_METRICS",
        "schedule.dependency_metrics": "DEPENDENCY_METRICS",
        "schedule.fairness": "UserMeans gini_coefficient jain_index lorenz_curve user_means",
        "schedule.grid_study": "GRID_STUDY GRID_STUDY_MAIN",
        "schedule.immediate_metrics": "IMMEDIATE_METRICS",
        "schedule.node_metrics": "INSIDE_METRICS",
        "schedule.multicluster_metrics": "MULTICLUSTER_METRICS",
        "schedule.steady": (
            "BLOCK_METRICS STEADY_METRICS block_metrics steady_jobs steady_metrics whole_blocks"
        ),
        "tables.arrivals": "Arrivals arrivals",
        "tables.cells": "Cells cells",
        "tables.distribution": "log_axis share_above share_at_most",
        "tables.forecast_table": (
            "ForecastAccuracy QUANTITIES accuracy_table corrected_accuracy forecast_accuracy forecast_table"
        ),
        "tables.job_set_table": "job_set_table",
        "tables.job_sizes": "SizeCounts jobs_per_power_of_two jobs_per_size",
        "tables.class_table": "ClassGrid class_grid per_class",
        "tables.nodes.node_table": "per_node per_shared_node",
        "tables.site_table": "per_site",
        "tables.log_waits": "LogWaits log_waits",
        "tables.code_table": "per_code per_user",
        "tables.site_flows": (
            "MeanMigration Migration SiteMeans mean_migration migration site_load site_means "
            "transfer_percentages transfers"
        ),
        "tables.start_differences": (
            "StartDifferences difference_edges difference_histogram start_differences"
        ),
    },
    aliases={"percent_taken": "transfer_percentages", "taken": "transfers"},
)
