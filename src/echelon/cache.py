"""Where Echelon keeps what it can fetch or make again: downloaded logs, compiled kernels."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """Return the user's folder for such files, by ``XDG_CACHE_HOME``; it need not exist."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "echelon"
