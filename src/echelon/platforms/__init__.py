"""Platforms: files of grids and machines down to the core, ours and IRMASim's, and those known by name."""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.platforms.irmasim_file import read_irmasim_platform
    from echelon.platforms.named import PRESETS, platform, platform_named, read_platform
    from echelon.platforms.platform_file import read_platform_file
    from echelon.platforms.told import machine_told, platform_told
    from echelon.platforms.writing import write_platform

__all__ = [
    "PRESETS",
    "machine_told",
    "platform",
    "platform_named",
    "platform_told",
    "read_irmasim_platform",
    "read_platform",
    "read_platform_file",
    "write_platform",
]

lazily(
    __name__,
    {
        "irmasim_file": ("read_irmasim_platform",),
        "named": ("PRESETS", "platform", "platform_named", "read_platform"),
        "platform_file": ("read_platform_file",),
        "told": ("machine_told", "platform_told"),
        "writing": ("write_platform",),
    },
)
