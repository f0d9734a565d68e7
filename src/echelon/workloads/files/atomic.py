"""Files that appear whole or not at all."""

from __future__ import annotations

import errno
import os
import re
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def replacing(path: str | Path) -> Iterator[IO[bytes]]:
    """Open a file for writing that takes the place of `path` when the block ends well.

    Until then the bytes are in a hidden file of the same folder; if the block fails or is interrupted
    (Ctrl-C included) that file is removed and `path` stays as it was. A link is followed; a device or pipe is
    written to directly.

    Raises
    ------
    InputError
        If the folder does not exist or may not be written, the disk is full (whichever library found that
        out while it wrote), or `path` is a folder.
    """
    target = Path(path).resolve()
    if target.is_dir():
        raise InputError("is a folder, expected the name of a file to write", file=str(path))
    if target.exists() and not target.is_file():
        with _naming_problems(path), target.open("wb") as device:
            yield device
        return
    part = target.with_name(f".{target.name}.{os.urandom(4).hex()}.part")
    try:
        file = part.open("xb")
    except OSError as error:
        raise InputError(f"cannot be written: {write_problem(error)}", file=str(path)) from error
    with _naming_problems(path):
        try:
            with file:
                yield file
            os.replace(part, target)  # noqa: PTH105  (the name every reader knows as atomic)
        except BaseException:
            part.unlink(missing_ok=True)
            raise


@contextmanager
def _naming_problems(path: str | Path) -> Iterator[None]:
    """Raise `InputError` in place of what keeps a file from being written."""
    try:
        yield
    except BaseException as error:
        if (why := write_problem(error)) is None:
            raise
        raise InputError(f"could not be written: {why}", file=str(path)) from error


FULL = (errno.ENOSPC, errno.EDQUOT)
"""What the operating system says where there is no space left: on the disk, or in the user's share of it."""

NO_ROOM = "no space is left on its disk; free some, or write to another one"

_CODE = re.compile(r"\(os error (\d+)\)")
"""How libraries in Rust end their messages."""


def write_problem(error: BaseException) -> str | None:
    """Return a phrase that says why a file could not be written, or None if `error` is about something else.

    Libraries that write by themselves raise errors of their own where the disk is full: those are known by
    the operating system's message in them.
    """
    named = _CODE.search(str(error))
    code = error.errno if isinstance(error, OSError) else None
    code = int(named[1]) if code is None and named else code
    if code in FULL:
        return NO_ROOM
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return None if code is None else os.strerror(code)
