"""Platforms: files of grids and machines down to the core, ours and IRMASim's, and those known by name."""

from echelon.platforms.irmasim_file import read_irmasim_platform
from echelon.platforms.named import PRESETS, platform, platform_named, read_platform
from echelon.platforms.platform_file import platform_told, read_platform_file
from echelon.platforms.writing import write_platform

__all__ = [
    "PRESETS",
    "platform",
    "platform_named",
    "platform_told",
    "read_irmasim_platform",
    "read_platform",
    "read_platform_file",
    "write_platform",
]
