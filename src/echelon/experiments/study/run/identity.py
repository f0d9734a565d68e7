"""Identity: what makes two runs the same one, as hashes of jobs, of files and of resolved scenarios."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.errors import InputError
from echelon.model import FIELD_NAMES

if TYPE_CHECKING:
    from hashlib import _Hash

    from echelon.model import Workload

KEY_LENGTH = 64
"""Hexadecimal digits of a key."""


def key_of(resolved: Mapping[str, Any]) -> str:
    """Return the key of a run: the SHA-256, in hexadecimal, of the bytes of its ``scenario.json``."""
    return hashlib.sha256(canonical_json(resolved)).hexdigest()


def canonical_json(content: Mapping[str, Any], *, ordered: bool = True) -> bytes:
    """Return plain values as JSON, a line a key, the same bytes for the same values.

    Parameters
    ----------
    content : mapping
        Of plain values; NaN and infinities cannot be represented.
    ordered : bool, default True
        By key, at every depth; else in the mapping's own order.
    """
    keys = sorted(content) if ordered else list(content)
    lines = [
        f"{json.dumps(key)}: {json.dumps(content[key], sort_keys=ordered, allow_nan=False)}" for key in keys
    ]
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def jobs_digest(workload: Workload) -> str:
    """Return the SHA-256 of all that a simulation, its tables and its metrics can see of the jobs.

    Every column, the log's names of jobs, users and queues, what tasks ask for, applications, dependencies,
    and when the log began. What the workload is called, where it was found and what was done to it are not
    among them: jobs that are equal have equal digests, however one came by them.

    Notes
    -----
    Cost: O(n), about 0.4 ms for 5,000 jobs.
    """
    digest = hashlib.sha256()
    for name in FIELD_NAMES:
        _feed(digest, workload.columns[name])
    names = {column: texts for column, texts in workload.names.items() if texts}
    header = workload.header
    for part in (workload.labels, names, workload.demands, workload.applications, workload.dependencies):
        _feed(digest, part)
    if workload.accounting:
        _feed(digest, workload.accounting)
    _feed(digest, (header.unix_start_time, header.time_zone))
    return digest.hexdigest()


def file_digest(path: str | Path) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal; read again only if it was written again.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    stamp = file_stamp(path)
    if stamp is None:
        raise InputError("no such file", file=str(path))
    return _digest(str(path), stamp)


def file_stamp(path: str | Path) -> tuple[int, int] | None:
    """Return when a file was last written, in nanoseconds, and its size in bytes; None if there is none."""
    try:
        about = Path(path).stat()
    except (OSError, ValueError):
        return None
    return about.st_mtime_ns, about.st_size


@lru_cache(maxsize=1024)
def _digest(path: str, stamp: tuple[int, int]) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from error


def _feed(digest: _Hash, value: object) -> None:
    """Add a value to a hash, with its kind and length, so that no two different ones give the same bytes."""
    if isinstance(value, np.ndarray):
        digest.update(f"{value.dtype.str}{value.shape}".encode())
        digest.update(value.tobytes())
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        _feed(digest, {field.name: getattr(value, field.name) for field in dataclasses.fields(value)})
    elif isinstance(value, Mapping):
        _feed(digest, [(key, value[key]) for key in sorted(value)])
    elif isinstance(value, tuple | list) and value and not all(isinstance(part, str) for part in value):
        digest.update(f"[{len(value)}]".encode())
        for part in value:
            _feed(digest, part)
    elif value is None or isinstance(value, str | bool | int | float | tuple | list | np.generic):
        digest.update(f"{type(value).__name__}{value!r};".encode())
    else:
        raise TypeError(f"{type(value).__name__} has no digest")
