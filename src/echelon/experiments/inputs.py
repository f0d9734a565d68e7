"""What a run reads: a workload, and beside a wrong one what is wrong with its platform."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError, UnknownNameError
from echelon.experiments.settings.jobs import READING, SOURCE
from echelon.model import Workload
from echelon.workloads import read_workload
from echelon.workloads.files.workload_reader import STANDARD_INPUT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from echelon.workloads.files.datasets import Progress


class Inputs:
    """The workloads of one run or several; each is read once.

    Parameters
    ----------
    progress : callable, optional
        Called with a phrase before a workload is read; returns the progress callable of that step, or None.
    """

    def __init__(self, progress: Callable[[str], Progress | None] | None = None) -> None:
        self._progress = progress
        self._read: dict[tuple[Any, ...], Workload] = {}

    def workload(self, settings: Mapping[str, Any]) -> Workload:
        """Return the jobs that a run's settings name.

        Parameters
        ----------
        settings : mapping of str to object
            With the ``workload``: jobs, or what `echelon.read_workload` takes.

        Raises
        ------
        InputError
            As `read_input` and `check_source`; if jobs that have been read are given a format or a time zone.
        UnknownNameError
            As `read_input`.
        """
        check_source(settings)
        source: Any = settings["workload"]
        choices = {name: settings.get(name) for name in READING[1:]}
        if isinstance(source, Workload):
            for name, value in choices.items():
                if value is not None:
                    raise InputError(
                        f"applies to a workload that is read, got jobs of {source.name!r}; give it to "
                        "echelon.read_workload",
                        field=name,
                    )
            return source
        key = (str(source), *choices.values())
        if key not in self._read:
            self._refuse_second_reading(source)
            step = self._progress and self._progress(f"reading {source}")
            self._read[key] = read_input(source, settings.get("platform"), **choices, progress=step)
        return self._read[key]

    def _refuse_second_reading(self, source: str | Path) -> None:
        if source == STANDARD_INPUT and any(read == source for read, *_ in self._read):
            raise InputError(
                "can be read only once, so that format and time zone cannot vary; save it to a file",
                file="standard input",
            )


def check_source(settings: Mapping[str, Any]) -> None:
    """Reject a workload, a format or a time zone of a type that none has."""
    for setting in SOURCE:
        value = settings.get(setting.name)
        is_jobs = setting.name == "workload"
        if not isinstance(value, str | Path | Workload if is_jobs else str | None):
            raise InputError(f"got {value!r:.60}, expected {setting.expected}", field=setting.name)


def read_jobs(
    workload: Workload | str | Path, settings: Mapping[str, Any]
) -> tuple[Workload, dict[str, Any]]:
    """Return the jobs of one run, and its settings without those that say how they are read."""
    jobs = Inputs().workload({**settings, "workload": workload})
    return jobs, {name: value for name, value in settings.items() if name not in READING}


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
