"""Where a service keeps its state, and where its clients look for it."""

from __future__ import annotations

import os
from pathlib import Path


def state_folder() -> Path:
    """Return the user's folder of the service's state; it need not exist.

    It is ``$ECHELON_STATE``, else ``$XDG_STATE_HOME/echelon``, else ``~/.local/state/echelon``.
    """
    if own := os.environ.get("ECHELON_STATE"):
        return Path(own).expanduser()
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "echelon"


def default_socket() -> Path:
    """Return the Unix socket of a service whose configuration names none."""
    return state_folder() / "echelon.sock"


def default_token_file() -> Path:
    """Return the file from which clients take their token for a service on TCP."""
    return state_folder() / "token"
