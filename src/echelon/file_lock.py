"""Locks of files: one process or thread at a time does what a file or a folder stands for."""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE = 2.0
"""Seconds in which a program being started has become itself and let go of what its parent held."""


def take(held: int) -> None:
    """Take the lock of an open file, which the file keeps until it is closed; not on Windows.

    A process that is killed while it starts a program leaves a copy of itself, which holds its locks until it
    has become that program. A lock is called taken only when it is so for `PATIENCE` seconds.

    Parameters
    ----------
    held : int
        Descriptor of the file.

    Raises
    ------
    OSError
        If another process holds the lock, or the file system has none.
    """
    import fcntl

    until = time.monotonic() + PATIENCE
    while True:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                raise
            time.sleep(0.01)
        else:
            return


@contextmanager
def alone(path: Path, *, makes: bool = False) -> Iterator[None]:
    """Run the block while no other process and no other thread holds the same lock; wait until then.

    Where the system or the file system has no such lock, no block waits: it must be right then, too, and at
    worst do twice what once would have been enough. The lock of a killed process is free.

    Parameters
    ----------
    path : Path
        A file or folder that is there.
    makes : bool, default False
        Whether `path` is a file that is made here, and removed when the block ends.

    Raises
    ------
    OSError
        If `path` cannot be opened or made.
    """
    if sys.platform == "win32":
        yield
        return
    import fcntl

    held = os.open(path, os.O_RDWR | os.O_CREAT, 0o666) if makes else os.open(path, os.O_RDONLY)
    try:
        with suppress(OSError):  # not on every file system
            fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        if makes:
            # Removed while it is held: a process that waits for it finds the work done.
            path.unlink(missing_ok=True)
        os.close(held)


def is_held(path: Path) -> bool:
    """Return whether the lock of a file is held; False where the system has no such lock."""
    if sys.platform == "win32":
        return False
    import fcntl

    try:
        asked = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(asked, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(asked)
    return False
