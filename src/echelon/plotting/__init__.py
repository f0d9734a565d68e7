"""Figures of runs by matplotlib: PNG, SVG or PDF. One function a figure.

Each takes runs (a `Result`, or any table with the columns of ``jobs.csv``) and, if wanted, the axes to draw
into; none shows a window or changes a global style. They need the extra ``figures``, and raise a
`MissingExtraError` without it.
"""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "canvas": "COLORS FILE_FORMATS FileFormat figure_bytes save_figure",
        "jobs.arrivals": "plot_arrivals",
        "jobs.classes": "plot_classes",
        "jobs.distribution": "plot_distribution",
        "jobs.fairness": "plot_fairness",
        "jobs.forecasts": "plot_forecasts",
        "jobs.shapes": "plot_shapes",
        "loads.busy_rows": "plot_node_load plot_site_load",
        "loads.load": "plot_queue_length plot_utilization",
        "loads.power": "plot_power",
        "migration": "plot_migration",
        "policies.admissibility_bounds": "plot_bounds",
        "policies.bars": "plot_bars plot_metric",
        "policies.critical_difference": "plot_critical_difference",
        "policies.curves": "plot_curves",
        "policies.degradation": "plot_degradation",
        "policies.matrix": "plot_matrix",
        "policies.performance_profile": "plot_performance_profile",
        "schedules.allocation_map": "plot_allocation_map",
        "schedules.core_gantt": "plot_core_gantt",
        "schedules.differences": "plot_differences",
        "schedules.gantt": "plot_gantt",
        "schedules.schedule": "plot_schedule",
        "sites": "plot_sites",
        "study.boxes": "plot_boxes",
        "study.front": "Point plot_front",
        "study.intervals": "Estimate plot_intervals",
        "study.style": "MetricStyle Style apply_style",
        "textbook.figure": "plot_textbook",
        "textbook.text": "text_gantt",
        "trace": "plot_trace",
    },
    aliases={"styled": "apply_style"},
)
