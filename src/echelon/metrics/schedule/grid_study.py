"""The ten measures by which a grid study compares strategies, by the symbols that its tables print."""

from __future__ import annotations

from types import MappingProxyType

GRID_STUDY = MappingProxyType(
    {
        "rho": "competitive_ratio",
        "SD": "mean_slowdown",
        "SD_b": "mean_grid_bounded_slowdown",
        "Th": "grid_throughput",
        "TA": "mean_turnaround",
        "U": "grid_utilization",
        "t_w": "mean_wait",
        "WTA": "size_weighted_mean_turnaround",
        "WTA_w": "work_weighted_mean_turnaround",
        "WWT_s": "size_weighted_mean_wait",
    }
)
"""Symbol to name in `METRICS`, in the order of the study's complete tables.

The direction of each is its `Metric.better`. The study leaves the weight of its WTA open. Its tables tell: if
``WTA = mean(size * turnaround)``, it is ``WWT_s`` plus the constant mean(size * run), so that on one grid the
degradations of the two stand in one ratio for all strategies; and they do, 3.8 on its first grid, 5.2 on its
second, 1.0 on its third. The weight of WTA_w is taken to be the work, size * run. The sum of waits, SWT, is
``total_wait``.

Source: Quezada Pina, CICESE 2012, section 2.2 and appendix B.
"""

GRID_STUDY_MAIN = ("rho", "SD_b", "t_w")
"""The three by which the study ranks."""
