"""Random streams: one named generator for each purpose, all from one seed, and the record of their use."""

from __future__ import annotations

import hashlib
import re
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

_RECORD: ContextVar[set[str] | None] = ContextVar("streams drawn", default=None)
_ONE_EACH = re.compile(r"/\d+$")


def stream(seed: int, name: str) -> np.random.Generator:
    """Return the generator of the stream `name` under `seed`.

    A new stream changes no other: each is seeded by the seed and its own name alone. Ask for it when its
    numbers are needed, not before: `record_streams` takes a stream asked for as one drawn.

    Parameters
    ----------
    seed : int
        The seed of a scenario or of a generated workload, >= 0.
    name : str
        The purpose: ``"order"``, ``"lublin-batch/sizes"`` ...

    Raises
    ------
    InputError
        If the seed is negative.
    """
    if seed < 0:
        raise InputError(f"must be a whole number >= 0, got {seed}", field="seed")
    record = _RECORD.get()
    if record is not None:
        record.add(_ONE_EACH.sub("", name))
    digest = np.frombuffer(hashlib.sha256(name.encode()).digest()[:16], dtype=np.uint32)
    return np.random.default_rng(np.random.SeedSequence([seed, *digest.tolist()]))


@contextmanager
def record_streams() -> Iterator[set[str]]:
    """Record the names of the streams that are used inside the block, in this thread.

    Yields
    ------
    set of str
        Filled as the block continues. Streams of which there is one a job or a site, ``"placement/7"``, have
        one name, ``"placement"``. What an inner block records, the outer one records as well.

    Examples
    --------
    >>> with record_streams() as names:
    ...     number = stream(0, "order").random()
    >>> names
    {'order'}
    """
    names: set[str] = set()
    outer = _RECORD.get()
    token = _RECORD.set(names)
    try:
        yield names
    finally:
        _RECORD.reset(token)
        if outer is not None:
            outer |= names
