"""Gzip, undone with all its checks."""

from __future__ import annotations

import gzip
import io
import zlib
from typing import IO, TYPE_CHECKING

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAGIC = b"\x1f\x8b"
_BLOCK = 1 << 20


def decompress(data: bytes, name: str) -> bytes:
    """Return `data` with its gzip compression undone, or `data` itself if it has none.

    Parameters
    ----------
    data : bytes
        A whole file; several gzip members in a row count as one.
    name : str
        The file as the user gave it; an ending ``.gz`` demands compression.

    Raises
    ------
    InputError
        If the file is named ``.gz`` and is not gzip, is cut short, damaged, or followed by something else.
    """
    if not is_gzip(data[:2], name):
        return data
    try:
        return b"".join(unpack(io.BytesIO(data), name))
    except MemoryError as error:
        raise InputError("does not fit into memory once decompressed", file=name) from error


def is_gzip(start: bytes, name: str) -> bool:
    """Return whether a file that begins with the two bytes `start` is gzip.

    Raises
    ------
    InputError
        If it is not, but its name ends in ``.gz``.
    """
    if start.startswith(_MAGIC):
        return True
    if name.lower().endswith(".gz"):
        got = "an empty file" if not start else f"{start!r} as its first bytes"
        raise InputError(f"is named .gz but is not gzip: got {got}", file=name)
    return False


def unpack(file: io.RawIOBase | IO[bytes], name: str) -> Iterator[bytes]:
    """Yield what a gzip file holds, block by block.

    Raises
    ------
    InputError
        If the file is cut short, damaged, or followed by something else.
    """
    try:
        with gzip.GzipFile(fileobj=file) as content:
            while block := content.read(_BLOCK):
                yield block
    except EOFError as error:
        raise InputError(
            "is cut short: the gzip data end before their end; copy it again", file=name
        ) from error
    except gzip.BadGzipFile as error:
        what = (
            "is followed by bytes that are not gzip" if "Not a gzipped" in str(error) else "is damaged gzip"
        )
        raise InputError(f"{what} ({error}); copy it again", file=name) from error
    except zlib.error as error:
        raise InputError(f"is damaged gzip ({error}); copy it again", file=name) from error


def compress(data: bytes) -> bytes:
    """Return `data` as gzip, the same bytes each time (no time stamp)."""
    return gzip.compress(data, compresslevel=6, mtime=0)
