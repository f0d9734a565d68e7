"""All models of workloads, in the order in which they are listed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.errors import UnknownNameError
from echelon.workloads.synthetic import independent, lublin, nas, sinapad, task_mix

if TYPE_CHECKING:
    from echelon.workloads.synthetic.model import Model

MODELS: tuple[Model, ...] = (
    *lublin.MODELS,
    *independent.MODELS,
    *task_mix.MODELS,
    *nas.MODELS,
    *sinapad.MODELS,
)


def model_named(name: str) -> Model:
    """Return the model called `name`.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    for model in MODELS:
        if model.name == name.lower():
            return model
    raise UnknownNameError("model", name, [model.name for model in MODELS])
