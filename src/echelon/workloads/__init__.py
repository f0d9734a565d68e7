"""Workloads: where jobs come from. One file a format or a model, one list of all, names for known logs."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "": "transform",
        "files.datasets": "DATASETS Dataset fetch find",
        "files.workload_reader": "read_swf read_workload write_swf write_workload",
        "formats.format": "Format",
        "formats.known_formats": "FORMATS",
        "grid": "GridRecipe GridWorkload SiteLog grid_workload",
        "anomalies": "find_anomalies",
        "synthetic": "MODELS FittedModel fit_model generate read_fitted_model",
    },
    aliases={"find_oddities": "find_anomalies"},
)
