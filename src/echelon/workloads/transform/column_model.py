"""ColumnModel: what a log lacks, drawn by a model that a spec names: estimates, dependencies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from echelon.errors import UnknownNameError
from echelon.workloads.synthetic.parameter import settle_values
from echelon.workloads.synthetic.spec import parse_spec

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from echelon.model import Workload
    from echelon.workloads.synthetic.parameter import Parameter


@dataclass(frozen=True, slots=True)
class ColumnModel:
    """One model of something that jobs have, drawn for jobs that are there.

    Parameters
    ----------
    name : str
        As typed: ``popular``, ``chains``.
    summary : str
        One sentence.
    source : str
        The paper.
    parameters : tuple of Parameter
        All that can be set.
    draw : callable (workload: Workload, values: Mapping[str, float], seed: int) -> Workload
        Gives every job what it draws.
    """

    name: str
    summary: str
    source: str
    parameters: tuple[Parameter, ...]
    draw: Callable[[Workload, Mapping[str, float], int], Workload]


def model_and_values(
    spec: str, *, models: Sequence[ColumnModel], kind: str
) -> tuple[ColumnModel, dict[str, float]]:
    """Return the model that a spec names and its parameters; errors as of `draw_estimates`."""
    name, settings = parse_spec(spec)
    model_by_name = {model.name: model for model in models}
    if name not in model_by_name:
        raise UnknownNameError(kind, name, model_by_name)
    return model_by_name[name], settle_values(name, model_by_name[name].parameters, settings)


def draw_columns(
    workload: Workload, spec: str, *, models: Sequence[ColumnModel], kind: str, seed: int
) -> Workload:
    """Return the jobs with what the model that a spec names draws; errors as of `draw_estimates`."""
    model, values = model_and_values(spec, models=models, kind=kind)
    return model.draw(workload, values, seed)
