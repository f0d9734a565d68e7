"""Platforms: files of grids and machines down to the core, ours and IRMASim's, and those known by name."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "irmasim_file": "read_irmasim_platform",
        "presets": "PRESETS platform platform_named read_platform",
        "platform_file": "read_platform_file",
        "serialization": "machine_from_dict platform_from_dict",
        "platform_writer": "write_platform",
    },
    aliases={"machine_told": "machine_from_dict", "platform_told": "platform_from_dict"},
)
