"""Making: a cluster of processes from its settings."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from echelon.backends.process.backend import ProcessBackend
from echelon.backends.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def make(name: str, settings: Mapping[str, object], state: Path) -> ProcessBackend:
    """Return a cluster of processes.

    Parameters
    ----------
    name : str
        Name of the cluster.
    settings : mapping of str to object
        ``slots`` (default: the processors that this process may use), ``directory`` (default:
        ``clusters/NAME`` in `state`), ``policy``, ``grace``, ``remembers``, ``depth``: see `ProcessBackend`.
    state : Path
        The service's own directory.

    Raises
    ------
    InputError, UnknownNameError
        If a setting is unknown, or not what it must be.
    """
    read = Settings(name, settings)
    slots = read.whole("slots", len(os.sched_getaffinity(0)))
    directory = read.directory("directory", state.absolute() / "clusters" / name)
    policy = read.text("policy", "easy")
    grace = read.seconds("grace", 10.0, least=1.0)
    remembers = read.seconds("remembers", 300.0)
    depth = read.whole("depth", 500)
    read.refuse_others()
    return ProcessBackend(
        directory, slots, policy=policy, grace=grace, remembers=remembers, depth=depth, folder=state
    )
