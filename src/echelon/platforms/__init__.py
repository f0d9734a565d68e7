"""Platforms: files that describe the sites of a grid, and the grids that are known by name."""

from echelon.platforms.named import PRESETS, platform, platform_named, read_platform
from echelon.platforms.platform_file import read_platform_file
from echelon.platforms.writing import write_platform

__all__ = [
    "PRESETS",
    "platform",
    "platform_named",
    "read_platform",
    "read_platform_file",
    "write_platform",
]
