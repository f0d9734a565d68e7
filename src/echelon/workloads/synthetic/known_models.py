"""All models of workloads, in the order in which they are listed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.lazy import Rules

if TYPE_CHECKING:
    from echelon.workloads.synthetic.model import Model

MODELS: Rules[Model] = Rules(
    __package__,
    {
        "lublin": "lublin.BOTH",
        "lublin-batch": "lublin.BATCH_JOBS",
        "lublin-interactive": "lublin.INTERACTIVE_JOBS",
        "lublin-typeless": "lublin.TYPELESS_JOBS",
        "poisson": "independent.POISSON",
        "lognormal": "independent.LOGNORMAL",
        "irmasim-mix": "task_mix.MODEL",
        "nas": "nas.MODEL",
        "sinapad": "sinapad.MODEL",
    },
)


def model_named(name: str) -> Model:
    """Return the model called `name`; see `Family.parse`."""
    from echelon.workloads.families import MODEL

    return MODEL.parse(name)
