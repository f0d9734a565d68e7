"""Specs of workloads: whether one names a workload, without reading it, and where a seed goes in it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError, UnknownNameError
from echelon.experiments.settings.changes import DRAWING
from echelon.user_file import is_file
from echelon.workloads import DATASETS
from echelon.workloads.files.workload_reader import nearest_source
from echelon.workloads.grid.spec import SETTINGS, names_grid
from echelon.workloads.synthetic.generation import names_model
from echelon.workloads.synthetic.known_models import model_named
from echelon.workloads.synthetic.parameter import settle_values
from echelon.workloads.synthetic.spec import parse_spec
from echelon.workloads.transform.column_model import model_and_values
from echelon.workloads.transform.dependency_models import MODELS as DEPENDENCIES_MODELS
from echelon.workloads.transform.estimate_models import MODELS as ESTIMATES_MODELS

if TYPE_CHECKING:
    from collections.abc import Mapping

_COUNTS = {"jobs": 1, "processors": 1, "seed": 0}
"""Settings that every model has, and their least values."""


def check_workload(spec: str) -> None:
    """Check the spec of a workload without reading or drawing it.

    Raises
    ------
    InputError
        If there is no such file, or a model's value is out of its bounds.
    UnknownNameError
        If there is no such parameter.
    """
    if names_model(spec):
        _check_model(spec)
    elif names_grid(spec):
        _check_grid(spec)
    elif spec.lower() not in DATASETS and not is_file(spec):
        raise InputError(f"no such file, data set or model; {nearest_source(Path(spec))}", file=spec)


def check_estimates_model(spec: str) -> None:
    """Check the spec of a model of users' estimates; raises as `check_workload`."""
    model_and_values(spec, models=ESTIMATES_MODELS, kind="model of estimates")


def check_dependencies_model(spec: str) -> None:
    """Check the spec of a model of what jobs wait for; raises as `check_workload`."""
    model_and_values(spec, models=DEPENDENCIES_MODELS, kind="model of dependencies")


def is_drawn(spec: str) -> bool:
    """Return whether the spec of a workload names a model, whose jobs are other ones with another seed."""
    return names_model(spec) or (names_grid(spec) and "stand-ins" in spec)


def has_draws(settings: Mapping[str, Any]) -> bool:
    """Return whether the jobs of a run depend on a seed: drawn, shaken, or given what models draw."""
    return not DRAWING.isdisjoint(settings) or is_drawn(settings["workload"])


def with_seed(spec: str, seed: int) -> str:
    """Return the spec of a drawn workload with its seed in it, unless it has one; others as they are.

    Examples
    --------
    >>> with_seed("lublin:jobs=5000", 7)
    'lublin:jobs=5000:seed=7'
    """
    if not is_drawn(spec):
        return spec
    keys = (part.partition("=")[0].strip().lower() for part in spec.replace(",", ":").split(":")[1:])
    return spec if "seed" in keys else f"{spec}:seed={seed}"


def _check_model(spec: str) -> None:
    name, values = parse_spec(spec)
    model = model_named(name)
    for key, least in _COUNTS.items():
        value = values.pop(key, float(least))
        if isinstance(value, str) or not value.is_integer() or value < least:
            raise InputError(f"must be a whole number >= {least}, got {value}", field=f"{name}, {key}")
    settle_values(model.name, model.parameters, values, besides=_COUNTS)


def _check_grid(spec: str) -> None:
    for part in spec.split(":")[1:]:
        key, equals, _ = (text.strip() for text in part.partition("="))
        if not equals:
            raise InputError(f"must be key=value, got {part!r}", field="setting of a grid")
        if key not in SETTINGS:
            raise UnknownNameError("setting of a grid", key, SETTINGS)


def jobs_drawn(spec: str) -> int | None:
    """Return how many jobs a drawn workload has; None if its spec alone does not tell."""
    if not names_model(spec):
        return None
    name, values = parse_spec(spec)
    return int(values.get("jobs", model_named(name).jobs))
