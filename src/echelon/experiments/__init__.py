"""Experiments: from a workload and policies to results and the files they leave."""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.experiments.comparison import Comparison, compare
    from echelon.experiments.manifest import manifest
    from echelon.experiments.result import Result
    from echelon.experiments.run_folder import make_folder, without_nan, write_json, write_run
    from echelon.experiments.simulation import ENGINES, run_scenario, simulate

__all__ = [
    "ENGINES",
    "Comparison",
    "Result",
    "compare",
    "make_folder",
    "manifest",
    "run_scenario",
    "simulate",
    "without_nan",
    "write_json",
    "write_run",
]

lazily(
    __name__,
    {
        "comparison": ("Comparison", "compare"),
        "manifest": ("manifest",),
        "result": ("Result",),
        "run_folder": ("make_folder", "without_nan", "write_json", "write_run"),
        "simulation": ("ENGINES", "run_scenario", "simulate"),
    },
)
