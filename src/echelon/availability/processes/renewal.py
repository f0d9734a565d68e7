"""Renewal processes: when one thing goes down and comes back, from its laws and its random streams."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from echelon.availability.laws.law import Law
    from echelon.model.jobs.columns import FloatColumn

    Streams = Callable[[], np.random.Generator]
    """Asked for its stream when the first number is needed."""

BLOCK = 16
"""Times drawn at once, always as many: so what is drawn first does not depend on how far a process goes."""

_MOST_BLOCKS = 1 << 14
"""Blocks drawn of one part at most, or many times as many as its mean would need: then its law never ends."""


class Downtimes(NamedTuple):
    """When one thing goes down and comes back, in seconds, each of shape (n_failures,)."""

    down: FloatColumn
    up: FloatColumn


NEVER = Downtimes(np.zeros(0), np.zeros(0))


def draw_alternating(
    law: Law,
    repair: Law,
    horizon: float,
    *,
    stationary: bool,
    failures: np.random.Generator,
    repairs: Streams,
) -> Downtimes:
    """Return the failures of a thing that is up for a time of one law, then down for a time of another.

    Parameters
    ----------
    law, repair : Law
        Of the times up and down.
    horizon : float
        In seconds: failures before it are returned.
    stationary : bool
        Whether the process has been running forever at second 0, or the thing is up and new then. If it is
        down at second 0, its first failure is at 0.
    failures : Generator
        Random stream of the times up; also of what is found at second 0.
    repairs : callable () -> Generator
        Gives the random stream of the times down, if it is needed.

    Notes
    -----
    A longer horizon draws further numbers of the same streams and changes none before.
    Cost: O(failures).
    """
    first, left = None, None
    if stationary:
        share_up = law.mean / (law.mean + repair.mean)
        if failures.random() < share_up:
            first = float(law.remaining(failures, 1)[0])
        else:
            first, left = 0.0, 1
    elif horizon <= 0:
        return NEVER
    ups = _times(law, failures, first)
    up = next(ups)
    if up[0] >= horizon:
        return NEVER
    stream = repairs()
    downs = _times(repair, stream, float(repair.remaining(stream, 1)[0]) if left else None)
    pairs = zip(chain([up], ups), downs, strict=False)
    steps = (np.stack(pair, axis=1).ravel() for pair in pairs)
    times = _add_up(steps, horizon, law.mean + repair.mean)
    down, back = times[0::2], times[1::2]
    return Downtimes(down[down < horizon], back[down < horizon])


def draw_in_sequence(
    law: Law, horizon: float, *, stationary: bool, failures: np.random.Generator
) -> FloatColumn:
    """Return the times of failures that follow each other by one law, however long repairs take.

    Parameters
    ----------
    law, horizon, stationary, failures
        As of `draw_alternating`.
    """
    first = float(law.remaining(failures, 1)[0]) if stationary else None
    times = _add_up(_times(law, failures, first), horizon, law.mean)
    return times[times < horizon]


def _times(law: Law, rng: np.random.Generator, first: float | None) -> Iterator[FloatColumn]:
    """Yield times of a law, so many at once, the first of which is given if it is not None."""
    block = law.sample(rng, BLOCK)
    if first is not None:
        block = np.concatenate(([first], block[:-1]))
    while True:
        yield block
        block = law.sample(rng, BLOCK)


def _add_up(steps: Iterator[FloatColumn], horizon: float, mean: float) -> FloatColumn:
    """Return the sums of blocks of steps, until one is beyond the horizon.

    They are added up one by one, so that they are the same however far the process goes.
    """
    sums: list[FloatColumn] = []
    now = 0.0
    # Laws of clusters need many times the blocks of their mean.
    for block in islice(steps, max(_MOST_BLOCKS, int(64 * horizon / mean / BLOCK))):
        gaps = block.copy()
        gaps[0] += now
        sums.append(np.cumsum(gaps))
        now = float(sums[-1][-1])
        if not now < horizon:
            return np.concatenate(sums)
    raise InputError(
        f"draws many more failures of one part in {horizon:g} s than its mean says; give a law with longer "
        "times",
        field="failures",
    )
