"""Gzip, undone with all its checks."""

from __future__ import annotations

import gzip
import zlib

from echelon.errors import InputError

_MAGIC = b"\x1f\x8b"


def decompressed(data: bytes, name: str) -> bytes:
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
    if not data.startswith(_MAGIC):
        if name.lower().endswith(".gz"):
            got = "an empty file" if not data else f"{data[:2]!r} as its first bytes"
            raise InputError(f"is named .gz but is not gzip: got {got}", file=name)
        return data
    try:
        return gzip.decompress(data)
    except EOFError as error:
        raise InputError(
            "is cut short: the gzip data end before their end mark; copy it again", file=name
        ) from error
    except gzip.BadGzipFile as error:
        what = (
            "is followed by bytes that are not gzip" if "Not a gzipped" in str(error) else "is damaged gzip"
        )
        raise InputError(f"{what} ({error}); copy it again", file=name) from error
    except zlib.error as error:
        raise InputError(f"is damaged gzip ({error}); copy it again", file=name) from error
    except MemoryError as error:
        raise InputError("does not fit into memory once decompressed", file=name) from error


def compressed(data: bytes) -> bytes:
    """Return `data` as gzip, the same bytes each time (no time stamp)."""
    return gzip.compress(data, compresslevel=6, mtime=0)
