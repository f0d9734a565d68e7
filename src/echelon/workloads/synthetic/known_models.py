"""All models of workloads, in the order in which they are listed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.lazy import Rules
from echelon.rules.family import Family

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

MODEL: Family[Model] = Family(
    "model",
    [MODELS],
    example="lublin",
    is_rule=lambda thing: hasattr(thing, "draw") and hasattr(thing, "scaled"),
    must="be a Model",
    groups=["echelon.workload_models"],
)
model_named = MODEL.parse
