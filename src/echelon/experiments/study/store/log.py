"""Log: what became of cases, a line each, in the order in which they ended."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from echelon.experiments.study.run.case import Case
from echelon.experiments.study.store.store_error import StoreError
from echelon.workloads.files.json_object import parse_object

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import TracebackType

    from echelon.experiments.study.run.outcome import Ending, Outcome


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of a log.

    Parameters
    ----------
    settings, labels : mapping
        Of the case.
    key : str
        Of its run; empty if it failed before that was known.
    ending : {"done", "kept", "failed"}
        What became of it.
    seconds, engine_seconds : float
        As of `Outcome`.
    problem : str
        Of a case that failed: why.
    chance : bool, optional
        As of `Outcome`.
    """

    settings: dict[str, Any]
    labels: dict[str, str]
    key: str
    ending: Ending
    seconds: float = 0.0
    engine_seconds: float = 0.0
    problem: str = ""
    chance: bool | None = None

    @property
    def case(self) -> Case:
        """The case."""
        return Case(self.settings, self.labels)


_BINARY: int = getattr(os, "O_BINARY", 0)
"""Asks Windows to leave the ends of lines alone."""


class Log:
    """A file to which outcomes are added; a context manager.

    Each line is written in one piece as soon as it is known, so that a killed process leaves at most one torn
    line, at the end. `read_log` leaves it out, and the next to add to the log begins a new line.

    Parameters
    ----------
    path : Path
        Made if need be.

    Raises
    ------
    StoreError
        If it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._file = os.open(
                path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666
            )
            if os.fstat(self._file).st_size:
                os.lseek(self._file, -1, os.SEEK_END)
                if os.read(self._file, 1) != b"\n":
                    os.write(self._file, b"\n")
        except OSError as error:
            raise StoreError(path, error) from error

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        """Close the file."""
        self.close()

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def add(self, outcome: Outcome) -> None:
        """Add a line.

        Raises
        ------
        StoreError
            If it cannot be written.
        """
        entry: dict[str, Any] = {
            "ending": outcome.ending,
            "key": outcome.key,
            "labels": dict(outcome.case.labels),
            "settings": dict(outcome.case.settings),
            "seconds": round(outcome.seconds, 6),
            "engine_seconds": round(outcome.engine_seconds, 6),
        }
        if outcome.chance is not None:
            entry["chance"] = outcome.chance
        if outcome.problem:
            entry["problem"] = outcome.problem
        try:
            os.write(self._file, json.dumps(entry).encode() + b"\n")
        except OSError as error:
            raise StoreError(self._path, error) from error


def read_log(path: Path) -> Iterator[LogEntry]:
    """Yield the entries of a log, the oldest first; lines that were torn or damaged are left out.

    A log that is not there has none.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError:
        return
    for line in lines:
        try:
            entry = LogEntry(**parse_object(line))
        except (ValueError, TypeError):
            continue
        if _is_whole(entry):
            yield entry


def _is_whole(entry: LogEntry) -> bool:
    """Return whether the values of a line are of the kinds that a log has."""
    texts = (*entry.labels.values(), entry.key, entry.problem) if isinstance(entry.labels, dict) else (None,)
    return (
        isinstance(entry.settings, dict)
        and all(isinstance(text, str) for text in texts)
        and entry.ending in ("done", "kept", "failed")
        and all(isinstance(seconds, int | float) for seconds in (entry.seconds, entry.engine_seconds))
        and isinstance(entry.chance, bool | None)
    )
