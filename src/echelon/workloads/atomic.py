"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
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
        If the folder does not exist or may not be written, the disk is full, or `path` is a folder.
    """
    target = Path(path).resolve()
    if target.is_dir():
        raise InputError("is a folder, expected the name of a file to write", file=str(path))
    if target.exists() and not target.is_file():
        with target.open("wb") as device:
            yield device
        return
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        file = part.open("xb")
    except OSError as error:
        raise InputError(f"can not be written: {error.strerror}", file=str(path)) from error
    try:
        with file:
            yield file
        os.replace(part, target)  # noqa: PTH105  (the name every reader knows as atomic)
    except BaseException as error:
        part.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise InputError(f"could not be written: {error.strerror or error}", file=str(path)) from error
        raise
