"""Words of workloads: whether they name one, without reading it, and where a seed goes in them."""

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


def check_workload(words: str) -> None:
    """Check the words of a workload without reading or drawing it.

    Raises
    ------
    InputError
        If there is no such file, or a model's value is out of its bounds.
    UnknownNameError
        If there is no such parameter.
    """
    if names_model(words):
        _check_model(words)
    elif names_grid(words):
        _check_grid(words)
    elif words.lower() not in DATASETS and not is_file(words):
        raise InputError(f"no such file, data set or model; {nearest_source(Path(words))}", file=words)


def check_estimates_model(words: str) -> None:
    """Check the words of a model of users' estimates; raises as `check_workload`."""
    model_and_values(words, models=ESTIMATES_MODELS, kind="model of estimates")


def check_dependencies_model(words: str) -> None:
    """Check the words of a model of what jobs wait for; raises as `check_workload`."""
    model_and_values(words, models=DEPENDENCIES_MODELS, kind="model of dependencies")


def is_drawn(words: str) -> bool:
    """Return whether the words of a workload name a model, whose jobs are other ones with another seed."""
    return names_model(words) or (names_grid(words) and "stand-ins" in words)


def has_draws(settings: Mapping[str, Any]) -> bool:
    """Return whether the jobs of a run depend on a seed: drawn, shaken, or given what models draw."""
    return not DRAWING.isdisjoint(settings) or is_drawn(settings["workload"])


def with_seed(words: str, seed: int) -> str:
    """Return the words of a drawn workload with its seed in them, unless they say one; others as they are.

    Examples
    --------
    >>> with_seed("lublin:jobs=5000", 7)
    'lublin:jobs=5000:seed=7'
    """
    if not is_drawn(words):
        return words
    keys = (part.partition("=")[0].strip().lower() for part in words.replace(",", ":").split(":")[1:])
    return words if "seed" in keys else f"{words}:seed={seed}"


def _check_model(words: str) -> None:
    name, values = parse_spec(words)
    model = model_named(name)
    for key, least in _COUNTS.items():
        value = values.pop(key, float(least))
        if isinstance(value, str) or not value.is_integer() or value < least:
            raise InputError(f"must be a whole number >= {least}, got {value}", field=f"{name}, {key}")
    settle_values(model.name, model.parameters, values, besides=_COUNTS)


def _check_grid(words: str) -> None:
    for part in words.split(":")[1:]:
        key, equals, _ = (text.strip() for text in part.partition("="))
        if not equals:
            raise InputError(f"must be key=value, got {part!r}", field="setting of a grid")
        if key not in SETTINGS:
            raise UnknownNameError("setting of a grid", key, SETTINGS)


def jobs_drawn(words: str) -> int | None:
    """Return how many jobs a drawn workload has; None if its words alone do not tell."""
    if not names_model(words):
        return None
    name, values = parse_spec(words)
    return int(values.get("jobs", model_named(name).jobs))
