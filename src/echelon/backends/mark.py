"""Mark: what tells the directory of a cluster's claims from another one in its place."""

from __future__ import annotations

import os
import uuid
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

NAME = "mark"
"""Of the file in the directory."""


class Mark:
    """What a service remembers of the directory of a cluster.

    A directory that is not mounted, or was emptied, has no claims: each job that has run there would seem not
    to have. So the directory has a mark, the service remembers it, and takes no other directory for it.

    Parameters
    ----------
    folder : Path, optional
        The service's own folder of this cluster; None: nothing is remembered.
    """

    def __init__(self, folder: Path | None) -> None:
        self._file = None if folder is None else folder / "directory"

    @property
    def known(self) -> str:
        """The mark that the directory has; empty: it was not used yet."""
        return "" if self._file is None else _text(self._file)

    def why_another(self, mark: str, directory: object) -> str:
        """Return why a directory with this `mark`, or none, is another one; empty: it is not."""
        if self.known in ("", mark):
            return ""
        return (
            f"{directory} is not the directory in which jobs of this cluster have claimed themselves: its "
            f"file {NAME!r} is missing, or another one; mount the right one, or, if it is lost for good, "
            f"remove {self._file}: jobs that ran there and are still open may then run again"
        )

    def remember(self, mark: str) -> None:
        """Keep the mark of the directory, unless it is known.

        Raises
        ------
        OSError
            If it cannot be kept.
        """
        if self._file is not None and self.known != mark:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            new = self._file.with_suffix(".new")
            new.write_text(f"{mark}\n", encoding="ascii")
            new.replace(self._file)


def new_mark() -> str:
    """Return a mark that no other directory has."""
    return uuid.uuid4().hex


def mark_of(directory: Path) -> str:
    """Return the mark of a directory; empty: it has none.

    Raises
    ------
    OSError
        If that cannot be read.
    """
    return _text(directory / NAME)


def ensure_mark(directory: Path) -> str:
    """Return the mark of a directory, which gets one if it has none; of two that give it one, one wins.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    new = directory / f"{NAME}.{os.getpid()}"
    if not mark_of(directory):
        new.write_text(f"{new_mark()}\n", encoding="ascii")
        try:
            os.link(new, directory / NAME)
        except FileExistsError:
            pass
        except OSError:
            # Not every file system has links.
            new.replace(directory / NAME)
        new.unlink(missing_ok=True)
    return mark_of(directory)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii", errors="replace").strip()
    except FileNotFoundError:
        return ""
