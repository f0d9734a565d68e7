"""Workloads: where jobs come from. One file a format or a model, one list of all, names for known logs.

Names are loaded when first used, so that importing this package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from echelon.workloads import transform
    from echelon.workloads.datasets import DATASETS, Dataset, fetch, find
    from echelon.workloads.formats import Format
    from echelon.workloads.grid import GridRecipe, GridWorkload, SiteLog, grid_workload
    from echelon.workloads.known_formats import FORMATS
    from echelon.workloads.oddities import find_oddities
    from echelon.workloads.reading import read_swf, read_workload, write_swf, write_workload
    from echelon.workloads.synthetic import MODELS, FittedModel, fit_model, generate, read_fitted_model

_HOMES = {
    "DATASETS": "datasets",
    "Dataset": "datasets",
    "FORMATS": "known_formats",
    "FittedModel": "synthetic",
    "Format": "formats",
    "GridRecipe": "grid",
    "GridWorkload": "grid",
    "MODELS": "synthetic",
    "SiteLog": "grid",
    "fetch": "datasets",
    "find": "datasets",
    "find_oddities": "oddities",
    "fit_model": "synthetic",
    "generate": "synthetic",
    "grid_workload": "grid",
    "read_fitted_model": "synthetic",
    "read_swf": "reading",
    "read_workload": "reading",
    "write_swf": "reading",
    "write_workload": "reading",
}

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


def __getattr__(name: str) -> object:
    """Load a public name from its module."""
    if name == "transform":
        return import_module(f"{__name__}.transform")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
