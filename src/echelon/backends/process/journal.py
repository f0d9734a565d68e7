"""Journal: what happened to the jobs of a cluster of processes, line by line, on disk."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.file_lock import take

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

Line = dict[str, Any]
"""What happened, as JSON has it."""


class Journal:
    """A file of lines that is only ever added to, or replaced as a whole.

    Parameters
    ----------
    directory : Path
        It exists. One journal at a time has it.

    Raises
    ------
    InputError
        If another process uses the directory.
    OSError
        If its files cannot be used.

    Notes
    -----
    **Cost**: one ``fsync`` for all lines of a call.
    """

    def __init__(self, directory: Path) -> None:
        self._file, self._directory = directory / "journal", directory
        self._lock = os.open(directory / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            take(self._lock)
        except OSError as error:
            os.close(self._lock)
            problem = "is used by another process; stop it, or give this cluster another directory"
            raise InputError(problem, file=str(directory), field="directory") from error
        self._out = self._open()

    def _open(self) -> int:
        return os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)

    def read(self) -> list[Line]:
        """Return all lines. One that was cut off by a crash was never answered: it is removed."""
        content = self._file.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            os.ftruncate(self._out, whole)
        return [json.loads(line) for line in content[:whole].splitlines()]

    def add(self, lines: Iterable[Line], *, lasts: bool = True) -> None:
        """Add lines, all or none.

        Parameters
        ----------
        lines : iterable of dict
            What happened.
        lasts : bool, default True
            Whether they are there after a crash of the machine once this returns.

        Raises
        ------
        OSError
            If they cannot be written; then none is there.
        """
        text = _bytes(lines)
        before = os.fstat(self._out).st_size
        try:
            _write(self._out, text)
            if lasts:
                os.fdatasync(self._out)
        except OSError:
            os.ftruncate(self._out, before)
            raise

    def replace(self, lines: Iterable[Line]) -> None:
        """Replace all lines at once.

        Raises
        ------
        OSError
            If that fails; then all is as before.
        """
        new = self._file.with_suffix(".new")
        file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            _write(file, _bytes(lines))
            os.fsync(file)
        finally:
            os.close(file)
        new.rename(self._file)
        folder = os.open(self._directory, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
        os.close(self._out)
        self._out = self._open()

    def close(self) -> None:
        """Let others use the directory."""
        os.close(self._out)
        os.close(self._lock)


def _bytes(lines: Iterable[Line]) -> bytes:
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines).encode("ascii")


def _write(file: int, text: bytes) -> None:
    left = memoryview(text)
    while left:
        left = left[os.write(file, left) :]
