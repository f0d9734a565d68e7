"""Clusters under Slurm, driven by its own commands, on this machine or over ssh."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "backend": "SlurmBackend",
        "settings": "SlurmSettings",
    },
)
