"""Bounded reading: a file or a stream whole, unless it is endless or larger than memory."""

from __future__ import annotations

import hashlib
import io
import os
import stat
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from echelon.errors import InputError
from echelon.quantities import quantity
from echelon.workloads.files.compression import is_gzip, unpack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BLOCK = 1 << 20
"""Bytes read at a time; a mistake in the first block is reported before the second is read."""

MOST_WITHOUT_LINE_END = 16 * BLOCK
"""Bytes of a text in lines in which one must end."""

UNTOLD = 4 << 30
"""Bytes that are taken for available where the system does not tell."""

_BINARY = (b"PAR1", b"SQLite format 3\0")
"""How files of binary formats begin: Parquet, databases of SQLite."""
_ONE_LINE = (b"{", b"[")
"""How JSON begins, which may be one line whatever its length."""


class Content(NamedTuple):
    """What was read.

    Attributes
    ----------
    data : bytes
        Decompressed.
    digest : str
        SHA-256, in hexadecimal, of the bytes as found.
    """

    data: bytes
    digest: str


def take(file: IO[bytes], shown: str, *, name: str, recognize: Callable[[bytes], object] = bool) -> Content:
    """Return all that `file` gives, decompressed.

    Parameters
    ----------
    file : binary file
        A regular file, a pipe or a device.
    shown : str
        What to call it in messages.
    name : str
        The file's name; an ending ``.gz`` demands compression.
    recognize : callable (head: bytes) -> object, optional
        Called with the first block of decompressed bytes if there is more than one; what it raises ends the
        reading.

    Raises
    ------
    InputError
        If a regular file is larger than the memory available; if a stream, or what is compressed, is larger
        than a quarter of it, as the jobs take several times the memory of their text; if there is more than
        one block and the first is binary, or a text has no line end in its first 16 MB; as by `is_gzip` and
        `unpack`.

    Notes
    -----
    Cost: O(bytes).
    """
    memory = available_memory()
    size = _regular_size(file)
    if size is not None and size > memory:
        problem = f"holds {quantity(size, 'B')}, more than the {quantity(memory, 'B')} of memory available"
        raise InputError(f"{problem}; read a part of it", file=shown)
    source = _Source(file, shown, memory // 4 if size is None else None)
    start = source.read(2)
    source.give_back(start)
    if not is_gzip(start, name):
        content = iter(lambda: source.read(BLOCK), b"")
        return Content(_join_checked_blocks(content, shown, recognize), source.digest)
    content = _limit_blocks(unpack(source, name), shown, memory // 4)
    return Content(_join_checked_blocks(content, shown, recognize), source.digest)


class _Source(io.RawIOBase):
    """The bytes of a file, counted and hashed as they are read."""

    def __init__(self, file: IO[bytes], shown: str, most: int | None) -> None:
        super().__init__()
        self._file, self._shown, self._most = file, shown, most
        self._hash, self._count, self._pending = hashlib.sha256(), 0, b""

    @property
    def digest(self) -> str:
        """SHA-256 of what was read so far, in hexadecimal."""
        return self._hash.hexdigest()

    def give_back(self, block: bytes) -> None:
        """Let the next read begin with `block`, which was read before."""
        self._pending = block

    def read(self, size: int = BLOCK) -> bytes:
        """Return up to `size` bytes, >= 1; none at the end."""
        head, self._pending = self._pending[:size], self._pending[size:]
        block = self._file.read(size - len(head)) if size > len(head) else b""
        self._hash.update(block)
        self._count += len(block)
        _check_count(self._count, self._most, self._shown, "gives")
        return head + block


def _limit_blocks(blocks: Iterator[bytes], shown: str, most: int) -> Iterator[bytes]:
    count = 0
    for block in blocks:
        count += len(block)
        _check_count(count, most, shown, "holds, once decompressed,")
        yield block


def _check_count(count: int, most: int | None, shown: str, gives: str) -> None:
    if most is not None and count > most:
        problem = f"{gives} more than {quantity(most, 'B')}, a quarter of the memory available"
        raise InputError(f"{problem}; it may be endless; read a part of it", file=shown)


def _join_checked_blocks(blocks: Iterator[bytes], shown: str, recognize: Callable[[bytes], object]) -> bytes:
    """Return the blocks together; what is no workload ends early, not when memory does."""
    content = io.BytesIO()
    first = next(blocks, b"")
    content.write(first)
    may_go_on = first.startswith(_BINARY) or first.lstrip()[:1] in _ONE_LINE or _ends_line(first)
    try:
        for block in blocks:
            if content.tell() == len(first):
                _check_first(first, shown, recognize)
            may_go_on = may_go_on or _ends_line(block)
            if not may_go_on and content.tell() > MOST_WITHOUT_LINE_END:
                raise InputError("has no line end in its first 16 MB, expected lines of text", file=shown)
            content.write(block)
    except MemoryError as error:
        raise InputError("does not fit into memory", file=shown) from error
    return content.getvalue()


def _ends_line(block: bytes) -> bool:
    return b"\n" in block or b"\r" in block


def _check_first(block: bytes, shown: str, recognize: Callable[[bytes], object]) -> None:
    """Refuse what cannot become a workload, whatever follows this block."""
    if block.startswith(_BINARY):
        return
    if b"\0" in block:
        raise InputError("is binary (a NUL byte in its first MB), expected text", file=shown)
    recognize(block)


def _regular_size(file: IO[bytes]) -> int | None:
    """Return the size of a regular file in bytes; None for a pipe, a device, or what is in memory."""
    try:
        about = os.fstat(file.fileno())
    except (OSError, ValueError):
        return None
    return about.st_size if stat.S_ISREG(about.st_mode) else None


def available_memory() -> int:
    """Return the bytes that this process may still take, by the system, its group and its own limit."""
    limits = [limit for limit in (_of_system(), _of_group(), _of_limit()) if limit is not None]
    return max(0, min(limits)) if limits else UNTOLD


def _of_system() -> int | None:
    """Return what Linux counts as available, without what is only cached."""
    for line in _read_text("/proc/meminfo").splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None


def _of_group() -> int | None:
    """Return what is left of the memory of a container, where there is such a limit."""
    limit, used = (_read_text(f"/sys/fs/cgroup/memory.{name}").strip() for name in ("max", "current"))
    return int(limit) - int(used) if limit.isdigit() and used.isdigit() else None


def _of_limit() -> int | None:
    """Return what is left of the process's own limit (``ulimit -v``)."""
    if sys.platform == "win32":
        return None
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    pages = _read_text("/proc/self/statm").split()
    if limit == resource.RLIM_INFINITY or not pages:
        return None
    return limit - int(pages[0]) * resource.getpagesize()


def _read_text(file: str) -> str:
    try:
        return Path(file).read_text(encoding="ascii")
    except (OSError, ValueError):
        return ""
