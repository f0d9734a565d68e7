"""Workloads drawn from models, by name: ``generate("lublin", 5000, processors=256, seed=1)``."""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.workloads.synthetic.fitted import FittedModel, read_fitted_model
    from echelon.workloads.synthetic.fitting import fit_model
    from echelon.workloads.synthetic.generating import generate
    from echelon.workloads.synthetic.known_models import MODELS, model_named
    from echelon.workloads.synthetic.model import Model
    from echelon.workloads.synthetic.parameter import Parameter

__all__ = [
    "MODELS",
    "FittedModel",
    "Model",
    "Parameter",
    "fit_model",
    "generate",
    "model_named",
    "read_fitted_model",
]

lazily(
    __name__,
    {
        "fitted": ("FittedModel", "read_fitted_model"),
        "fitting": ("fit_model",),
        "generating": ("generate",),
        "known_models": ("MODELS", "model_named"),
        "model": ("Model",),
        "parameter": ("Parameter",),
    },
)
