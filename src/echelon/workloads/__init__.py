"""Workloads: where jobs come from. One file a format or a model, one list of all, names for known logs."""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.workloads import transform
    from echelon.workloads.files.datasets import DATASETS, Dataset, fetch, find
    from echelon.workloads.files.reading import read_swf, read_workload, write_swf, write_workload
    from echelon.workloads.formats.format import Format
    from echelon.workloads.formats.known_formats import FORMATS
    from echelon.workloads.grid import GridRecipe, GridWorkload, SiteLog, grid_workload
    from echelon.workloads.oddities import find_oddities
    from echelon.workloads.synthetic import MODELS, FittedModel, fit_model, generate, read_fitted_model

__all__ = [
    "DATASETS",
    "FORMATS",
    "MODELS",
    "Dataset",
    "FittedModel",
    "Format",
    "GridRecipe",
    "GridWorkload",
    "SiteLog",
    "fetch",
    "find",
    "find_oddities",
    "fit_model",
    "generate",
    "grid_workload",
    "read_fitted_model",
    "read_swf",
    "read_workload",
    "transform",
    "write_swf",
    "write_workload",
]

lazily(
    __name__,
    {
        "files.datasets": ("DATASETS", "Dataset", "fetch", "find"),
        "formats.format": ("Format",),
        "grid": ("GridRecipe", "GridWorkload", "SiteLog", "grid_workload"),
        "formats.known_formats": ("FORMATS",),
        "oddities": ("find_oddities",),
        "files.reading": ("read_swf", "read_workload", "write_swf", "write_workload"),
        "synthetic": ("FittedModel", "MODELS", "fit_model", "generate", "read_fitted_model"),
        "transform": (),
    },
)
