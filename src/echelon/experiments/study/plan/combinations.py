"""Combinations of axes: all of them, or samples of them drawn at random or by a Latin hypercube."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from echelon.experiments.study.file.axis import Choices
from echelon.model.streams import stream

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.experiments.study.file.axis import Axis, Value

MOST_DRAWS = 1000
"""Rows drawn at random for each one wanted: if so many bring nothing new, there is nothing new."""


def all_of(axes: Sequence[Choices]) -> Iterator[tuple[Value, ...]]:
    """Yield every combination of listed values, the last axis varying fastest."""
    return product(*(axis.values for axis in axes))


def random_samples(axes: Sequence[Axis], samples: int, *, seed: int) -> Iterator[tuple[Value, ...]]:
    """Yield combinations drawn at random, each axis by itself: uniform over its values or its range.

    Parameters
    ----------
    axes : sequence of Choices or Range
        At least one.
    samples : int
        How many are wanted, >= 1; more are yielded, as some may come twice or be excluded.
    seed : int
        >= 0. Each axis has a stream of its own, so that another axis does not change its values.

    Notes
    -----
    Ends after `MOST_DRAWS` rows for each sample. Source: Bergstra and Bengio, JMLR 13, 2012.
    """
    draws = [stream(seed, f"study/random/{axis.name}") for axis in axes]
    for _ in range(samples * MOST_DRAWS):
        yield tuple(axis.at(float(draw.random())) for axis, draw in zip(axes, draws, strict=True))


def latin_hypercube(axes: Sequence[Axis], samples: int, *, seed: int) -> Iterator[tuple[Value, ...]]:
    """Yield combinations of a Latin hypercube: each axis is cut in `samples` equal parts, each used once.

    Parameters
    ----------
    axes : sequence of Choices or Range
        At least one. Of listed values each occurs equally often, give or take one.
    samples : int
        How many, >= 1.
    seed : int
        >= 0. Each axis has a stream of its own.

    Notes
    -----
    Source: McKay, Beckman and Conover, Technometrics 21(2), 1979. Cost: O(samples) an axis.
    """
    columns = []
    for axis in axes:
        draw = stream(seed, f"study/latin-hypercube/{axis.name}")
        parts = draw.permutation(samples)
        if isinstance(axis, Choices):
            columns.append([axis.values[part * len(axis.values) // samples] for part in parts.tolist()])
        else:
            shares = (parts + draw.random(samples)) / samples
            columns.append([axis.at(share) for share in shares.tolist()])
    return zip(*columns, strict=True)
