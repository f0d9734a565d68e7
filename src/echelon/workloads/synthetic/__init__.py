"""Workloads drawn from models, by name: ``generate("lublin", 5000, processors=256, seed=1)``."""

from __future__ import annotations

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
