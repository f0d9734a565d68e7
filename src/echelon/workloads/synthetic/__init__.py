"""Workloads drawn from models, by name: ``generate("lublin", 5000, processors=256, seed=1)``."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "fitted_model": "FittedModel read_fitted_model",
        "fits.fit": "fit_model",
        "generation": "generate",
        "known_models": "MODELS model_named",
        "model": "Model",
        "parameter": "Parameter",
    },
)
