"""Random streams: one named generator a purpose, all from the scenario's seed."""

from __future__ import annotations

import hashlib

import numpy as np


def stream(seed: int, name: str) -> np.random.Generator:
    """Return the generator of the stream `name` under `seed`.

    A new stream changes no other: each is seeded by the seed and its own name alone.

    Parameters
    ----------
    seed : int
        The scenario's seed, >= 0.
    name : str
        The purpose: ``"order"`` ...
    """
    words = np.frombuffer(hashlib.sha256(name.encode()).digest()[:16], dtype=np.uint32)
    return np.random.default_rng(np.random.SeedSequence([seed, *words.tolist()]))
