"""What a run reads: a workload, and beside a wrong one what is wrong with its platform."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from echelon.errors import InputError, UnknownNameError
from echelon.workloads import read_workload

if TYPE_CHECKING:
    from echelon.model import Workload
    from echelon.workloads.files.datasets import Progress


def read_input(
    source: str | Path,
    platform: object = None,
    *,
    format: str | None = None,  # noqa: A002
    timezone: str | None = None,
    progress: Progress | None = None,
) -> Workload:
    """Return the jobs of `source`, as `echelon.read_workload` does.

    Raises
    ------
    InputError
        If they are wrong. If the platform is wrong, too, its mistakes are reported in the same sentence, so
        that both files can be corrected at once.
    UnknownNameError
        As `echelon.read_workload`.
    """
    try:
        return read_workload(source, format=format, timezone=timezone, progress=progress)
    except InputError as error:
        mistakes = _mistakes_of(platform)
        if mistakes is None:
            raise
        raise InputError(f"{error}; {mistakes}") from error


def _mistakes_of(platform: object) -> InputError | UnknownNameError | None:
    if not isinstance(platform, str | Path):
        return None
    from echelon.platforms import platform as as_platform

    try:
        as_platform(platform)
    except (InputError, UnknownNameError) as error:
        return error
    return None
