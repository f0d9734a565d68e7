"""Figures of runs by matplotlib: PNG, SVG or PDF. One function a figure.

Each takes runs (a `Result`, or any table with the columns of ``jobs.csv``) and, if wanted, the axes to draw
into; none shows a window or changes a global style. They need the extra ``figures``, and raise a
`MissingExtraError` without it.
"""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.plotting.admissibility_bounds import plot_bounds
    from echelon.plotting.allocation_map import plot_allocation_map
    from echelon.plotting.arrivals import plot_arrivals
    from echelon.plotting.bars import plot_bars
    from echelon.plotting.canvas import COLORS, FILE_FORMATS, FileFormat, figure_bytes, save_figure
    from echelon.plotting.classes import plot_classes
    from echelon.plotting.core_gantt import plot_core_gantt
    from echelon.plotting.critical_difference import plot_critical_difference
    from echelon.plotting.curves import plot_curves
    from echelon.plotting.degradation import plot_degradation
    from echelon.plotting.differences import plot_differences
    from echelon.plotting.distribution import plot_distribution
    from echelon.plotting.fairness import plot_fairness
    from echelon.plotting.forecasts import plot_forecasts
    from echelon.plotting.gantt import plot_gantt
    from echelon.plotting.load import plot_queue_length, plot_utilization
    from echelon.plotting.matrix import plot_matrix
    from echelon.plotting.metric import plot_metric
    from echelon.plotting.migration import plot_migration
    from echelon.plotting.node_load import plot_node_load
    from echelon.plotting.performance_profile import plot_performance_profile
    from echelon.plotting.power import plot_power
    from echelon.plotting.schedule import plot_schedule
    from echelon.plotting.shapes import plot_shapes
    from echelon.plotting.site_load import plot_site_load
    from echelon.plotting.sites import plot_sites
    from echelon.plotting.trace import plot_trace

__all__ = [
    "COLORS",
    "FILE_FORMATS",
    "FileFormat",
    "figure_bytes",
    "plot_allocation_map",
    "plot_arrivals",
    "plot_bars",
    "plot_bounds",
    "plot_classes",
    "plot_core_gantt",
    "plot_critical_difference",
    "plot_curves",
    "plot_degradation",
    "plot_differences",
    "plot_distribution",
    "plot_fairness",
    "plot_forecasts",
    "plot_gantt",
    "plot_matrix",
    "plot_metric",
    "plot_migration",
    "plot_node_load",
    "plot_performance_profile",
    "plot_power",
    "plot_queue_length",
    "plot_schedule",
    "plot_shapes",
    "plot_site_load",
    "plot_sites",
    "plot_trace",
    "plot_utilization",
    "save_figure",
]

lazily(
    __name__,
    {
        "admissibility_bounds": ("plot_bounds",),
        "allocation_map": ("plot_allocation_map",),
        "arrivals": ("plot_arrivals",),
        "bars": ("plot_bars",),
        "canvas": ("COLORS", "FILE_FORMATS", "FileFormat", "figure_bytes", "save_figure"),
        "classes": ("plot_classes",),
        "core_gantt": ("plot_core_gantt",),
        "critical_difference": ("plot_critical_difference",),
        "curves": ("plot_curves",),
        "degradation": ("plot_degradation",),
        "differences": ("plot_differences",),
        "distribution": ("plot_distribution",),
        "fairness": ("plot_fairness",),
        "forecasts": ("plot_forecasts",),
        "gantt": ("plot_gantt",),
        "load": ("plot_queue_length", "plot_utilization"),
        "matrix": ("plot_matrix",),
        "metric": ("plot_metric",),
        "migration": ("plot_migration",),
        "node_load": ("plot_node_load",),
        "performance_profile": ("plot_performance_profile",),
        "power": ("plot_power",),
        "schedule": ("plot_schedule",),
        "shapes": ("plot_shapes",),
        "site_load": ("plot_site_load",),
        "sites": ("plot_sites",),
        "trace": ("plot_trace",),
    },
)
