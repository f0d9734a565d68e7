"""Platforms: files of grids and machines down to the core, ours and IRMASim's, and those known by name."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "irmasim_file": "read_irmasim_platform",
        "named": "PRESETS platform platform_named read_platform",
        "platform_file": "read_platform_file",
        "told": "machine_told platform_told",
        "writing": "write_platform",
    },
)
