"""How much memory this process may still take."""

from __future__ import annotations

import sys
from pathlib import Path

UNTOLD = 4 << 30
"""Bytes that are taken for available where the system does not tell."""


def available_memory() -> int:
    """Return the bytes that this process may still take, by the system, its group and its own limit."""
    limits = [limit for limit in (_of_system(), _of_group(), _of_limit()) if limit is not None]
    return max(0, min(limits)) if limits else UNTOLD


def _of_system() -> int | None:
    """Return what Linux counts as available, without what is only cached."""
    for line in _text("/proc/meminfo").splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None


def _of_group() -> int | None:
    """Return what is left of the memory of a container, where there is such a limit."""
    limit, used = (_text(f"/sys/fs/cgroup/memory.{name}").strip() for name in ("max", "current"))
    return int(limit) - int(used) if limit.isdigit() and used.isdigit() else None


def _of_limit() -> int | None:
    """Return what is left of the process's own limit (``ulimit -v``)."""
    if sys.platform == "win32":
        return None
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    pages = _text("/proc/self/statm").split()
    if limit == resource.RLIM_INFINITY or not pages:
        return None
    return limit - int(pages[0]) * resource.getpagesize()


def _text(file: str) -> str:
    try:
        return Path(file).read_text(encoding="ascii")
    except (OSError, ValueError):
        return ""
