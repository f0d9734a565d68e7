"""Figures of runs by matplotlib: PNG, SVG or PDF. One function a figure.

Each takes runs (a `Result`, or any table with the columns of ``jobs.csv``) and, if wanted, the axes to draw
into; none shows a window or changes a global style. They need the extra ``figures``, and raise a
`MissingExtraError` without it.
"""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "admissibility_bounds": "plot_bounds",
        "allocation_map": "plot_allocation_map",
        "arrivals": "plot_arrivals",
        "bars": "plot_bars",
        "canvas": "COLORS FILE_FORMATS FileFormat figure_bytes save_figure",
        "classes": "plot_classes",
        "core_gantt": "plot_core_gantt",
        "critical_difference": "plot_critical_difference",
        "curves": "plot_curves",
        "degradation": "plot_degradation",
        "differences": "plot_differences",
        "distribution": "plot_distribution",
        "fairness": "plot_fairness",
        "forecasts": "plot_forecasts",
        "gantt": "plot_gantt",
        "load": "plot_queue_length plot_utilization",
        "matrix": "plot_matrix",
        "metric": "plot_metric",
        "migration": "plot_migration",
        "node_load": "plot_node_load",
        "performance_profile": "plot_performance_profile",
        "power": "plot_power",
        "schedule": "plot_schedule",
        "shapes": "plot_shapes",
        "site_load": "plot_site_load",
        "sites": "plot_sites",
        "study.boxes": "plot_boxes",
        "study.front": "Point plot_front",
        "study.intervals": "Estimate plot_intervals",
        "study.style": "MetricStyle Style styled",
        "textbook.figure": "plot_textbook",
        "textbook.text": "text_gantt",
        "trace": "plot_trace",
    },
)
