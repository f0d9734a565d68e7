"""Making: the back end of a cluster under Slurm, of what the configuration says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.backends.slurm.backend import SlurmBackend

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from echelon.backends.contract import Backend


def make(name: str, settings: Mapping[str, object], state: Path) -> Backend:
    """Return the back end of a cluster; see `SlurmSettings` for its settings.

    Raises
    ------
    UnknownNameError
        If there is no setting of a name.
    InputError
        If a setting is not what it must be.
    """
    return SlurmBackend(name, settings, state)
