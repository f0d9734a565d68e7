"""Compressed files: gzip and xz, by their first bytes."""

from __future__ import annotations

import lzma
import zlib
from typing import IO, cast

from echelon.errors import InputError

MOST_BYTES = 1 << 30
"""Bytes of a trace, decompressed; what is longer is no list of outages, and may be endless."""

DAMAGES = (EOFError, OSError, lzma.LZMAError, zlib.error)
"""What reading a damaged file raises."""

_GZIP, _XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"


def unpack(file: IO[bytes], name: str, most: int = MOST_BYTES) -> bytes:
    """Return what a file holds, decompressed if it begins as gzip or xz does.

    Parameters
    ----------
    file : binary file
        Open for reading, and one in which to seek.
    name : str
        For messages.
    most : int, default 1 GiB
        Bytes to return at most.

    Raises
    ------
    InputError
        If it is damaged or cut short, or holds more.
    """
    try:
        data = decompress(file).read(most + 1)
    except DAMAGES as error:
        raise InputError(f"cannot be read or decompressed ({error}); copy it again", file=name) from error
    if len(data) > most:
        raise InputError(f"holds more than {most >> 20} MiB, expected a table", file=name)
    return data


def decompress(file: IO[bytes]) -> IO[bytes]:
    """Return what reads a file decompressed: as gzip or xz if it begins so, else as it is."""
    start = file.read(len(_XZ))
    file.seek(0)
    if start.startswith(_XZ):
        return lzma.open(file)
    if start.startswith(_GZIP):
        import gzip

        return cast("IO[bytes]", gzip.open(file))
    return file
