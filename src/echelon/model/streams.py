"""Random streams: one named generator a purpose, all from one seed."""

from __future__ import annotations

import hashlib

import numpy as np

from echelon.errors import InputError


def stream(seed: int, name: str) -> np.random.Generator:
    """Return the generator of the stream `name` under `seed`.

    A new stream changes no other: each is seeded by the seed and its own name alone.

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
    words = np.frombuffer(hashlib.sha256(name.encode()).digest()[:16], dtype=np.uint32)
    return np.random.default_rng(np.random.SeedSequence([seed, *words.tolist()]))
