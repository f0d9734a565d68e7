"""What the figures were measured on, without naming the machine."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import version
from pathlib import Path


def description() -> str:
    """Return processor family, cores, memory and versions in one sentence."""
    versions = ", ".join(f"{name} {version(name)}" for name in ("numpy", "polars", "simpy"))
    return (
        f"{_processor()}, {os.cpu_count()} cores (each measurement uses one), {_memory()}, "
        f"{platform.system()}, Python {platform.python_version()}, {versions}"
    )


def busy() -> float:
    """Return how many processes wanted a core on average over the last minute; 0.0 where unknown."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def _processor() -> str:
    found = {}
    if (cpuinfo := Path("/proc/cpuinfo")).exists():
        for line in cpuinfo.read_text().splitlines():
            key, _, value = line.partition(":")
            found.setdefault(key.strip(), value.strip())
    if "model name" not in found:
        return platform.processor() or platform.machine()
    return (
        f"{found['model name']} (family {found.get('cpu family', '?')}, model {found.get('model', '?')}, "
        f"{platform.machine()})"
    )


def _memory() -> str:
    if sys.platform == "win32":
        return "memory unknown"
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return f"{total / 2**30:.0f} GiB"
