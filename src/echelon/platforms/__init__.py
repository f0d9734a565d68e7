"""Platforms: files of grids and machines down to the core, ours and IRMASim's, and those known by name."""

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
