"""Which machine code this processor runs: a baseline that all of its kind do, or that of newer ones."""

from __future__ import annotations

import platform
import sys
from functools import cache
from pathlib import Path

BASELINE, NEWER = "baseline", "newer"

TARGETS = {
    "x86_64": {BASELINE: "x86-64", NEWER: "x86-64-v3"},
    "amd64": {BASELINE: "x86-64", NEWER: "x86-64-v3"},
    "aarch64": {BASELINE: "generic"},
    "arm64": {BASELINE: "apple-m1" if sys.platform == "darwin" else "generic"},
}
"""What a compiler calls them, by machine. x86-64-v3 is Haswell and later, and all of AMD since Excavator."""

_NEWER_FLAGS = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"}
"""What x86-64-v3 adds, as Linux names it."""


def machine() -> str:
    """Return the kind of this machine's processor, ``x86_64`` and so on."""
    return platform.machine().lower()


def kinds() -> tuple[str, ...]:
    """Return the kinds of libraries for machines like this one; none if it is unknown."""
    return tuple(TARGETS.get(machine(), ()))


@cache
def runs_newer() -> bool:
    """Return whether this processor runs code built for newer ones; False if unknown."""
    if NEWER not in kinds() or not sys.platform.startswith("linux"):
        return False
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as lines:
            flags = next((line for line in lines if line.startswith("flags")), "")
    except OSError:
        return False
    return set(flags.split()) >= _NEWER_FLAGS


def preferred_kinds() -> tuple[str, ...]:
    """Return the kinds that this processor runs, the best first."""
    return tuple(kind for kind in (NEWER, BASELINE) if kind in kinds() and (kind != NEWER or runs_newer()))
