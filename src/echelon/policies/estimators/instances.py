"""Instances: experiences in columns, for fast search of those nearest to a job."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from echelon.model import Forecast
from echelon.policies.estimators.heom import NOMINAL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model import Experience
    from echelon.model.jobs.columns import FloatColumn, IntColumn

_UNKNOWN, _UNSEEN = -1, -2


class Instances:
    """An experience base: results are exactly those of `echelon.policies.estimators.heom.nearest`.

    Jobs of the same user, queue and application stand together. Every other job is at least 1 away, so the
    whole base is looked through only if none of those together is near enough.

    Parameters
    ----------
    numeric : sequence of str
        Numeric attributes of `Experience` that count.
    radius : float, default 0
        How much farther than the nearest an experience may be to count.
    most : int, optional
        Experiences that count at most: the nearest, of equals the newest.

    Attributes
    ----------
    settled : bool
        Whether the last answer stays as it is until a job of the same names ends, or `version` changes.
    version : int
        How often a job that ended has changed the distances between others.
    """

    settled = False
    version = 0

    def __init__(self, numeric: Sequence[str], *, radius: float = 0.0, most: int | None = None) -> None:
        self._numeric = tuple(numeric)
        self._radius = radius
        self._most = most
        # Rows: the numeric attributes, then wait and run.
        self._all = _Columns(len(self._numeric) + 2)
        self._names = _Columns(len(NOMINAL))
        self._together: dict[tuple[str, ...], _Columns] = {}
        self._codes: list[dict[str, int]] = [{} for _ in NOMINAL]
        self._lowest = [math.inf] * len(self._numeric)
        self._highest = [-math.inf] * len(self._numeric)
        self._gaps = [False] * len(self._numeric)

    def add(self, experience: Experience) -> None:
        """Remember a job that has ended."""
        values = [float(getattr(experience, attribute)) for attribute in self._numeric]
        names = _names(experience)
        self._measure(names, values)
        row = (*values, experience.wait, experience.run)
        self._all.append(row)
        self._names.append(
            [codes.setdefault(name, len(codes)) if name else _UNKNOWN
             for codes, name in zip(self._codes, names, strict=True)]
        )  # fmt: skip
        if names not in self._together:
            self._together[names] = _Columns(len(row))
        self._together[names].append(row)

    def _measure(self, names: tuple[str, ...], values: Sequence[float]) -> None:
        """Widen the ranges, and note what was known of no experience before."""
        changed = any(name and not codes for codes, name in zip(self._codes, names, strict=True))
        for a, value in enumerate(values):
            if not value >= 0:
                self._gaps[a] = True
            elif not self._lowest[a] <= value <= self._highest[a]:
                self._lowest[a] = min(self._lowest[a], value)
                self._highest[a] = max(self._highest[a], value)
                changed = True
        self.version += changed

    def recall(self, case: Experience) -> Forecast | None:
        """Return the mean wait and run of the experiences nearest to `case`; None if there are none."""
        if not self._all.length:
            return None
        values = [float(getattr(case, attribute)) for attribute in self._numeric]
        names = _names(case)
        settled = self._answer_by_equals(names, values)
        self.settled = settled is not None
        return self._answer_by_all(names, values) if settled is None else settled

    def _answer_by_equals(self, names: tuple[str, ...], values: Sequence[float]) -> Forecast | None:
        """Return the answer of the jobs of these very names, None if others might be as near."""
        together = self._together.get(names)
        unknown = names.count("")
        if together is None or any(
            codes and not name for codes, name in zip(self._codes, names, strict=True)
        ):
            return None
        far = np.sqrt(self._squares(together.rows, values, np.full(together.length, float(unknown))))
        others = math.sqrt(unknown + 1 + sum(not value >= 0 for value in values))
        if far.min() + self._radius >= others:
            return None
        return self._answer(together.rows, far)

    def _answer_by_all(self, names: tuple[str, ...], values: Sequence[float]) -> Forecast:
        start = np.zeros(self._all.length)
        for row, codes, name in zip(self._names.rows, self._codes, names, strict=True):
            start += row != codes.get(name, _UNSEEN) if name else 1.0
        return self._answer(self._all.rows, np.sqrt(self._squares(self._all.rows, values, start)))

    def _squares(self, rows: FloatColumn, values: Sequence[float], squares: FloatColumn) -> FloatColumn:
        """Add the squares of how far apart the numeric attributes are, one after the other."""
        for a, value in enumerate(values):
            width = self._highest[a] - self._lowest[a]
            if not value >= 0:
                squares += 1.0
            elif width > 0:
                apart = np.abs(rows[a] - value)
                apart /= width
                if self._gaps[a]:
                    apart[~(rows[a] >= 0)] = 1.0
                apart *= apart
                squares += apart
            else:
                squares += rows[a] != value
        return squares

    def _answer(self, rows: FloatColumn, far: FloatColumn) -> Forecast:
        chosen: IntColumn = np.flatnonzero(far <= far.min() + self._radius)
        if self._most is not None and len(chosen) > self._most:
            chosen = chosen[np.lexsort((-chosen, far[chosen]))[: self._most]]
        wait, run = rows[-2:, chosen].tolist()
        # Exactly rounded sums depend on no order.
        return Forecast(math.fsum(wait) / len(wait), math.fsum(run) / len(run))


def _names(experience: Experience) -> tuple[str, ...]:
    return experience.user, experience.queue, experience.application


class _Columns:
    """A table that grows: `rows` has a row for each column of it."""

    def __init__(self, width: int) -> None:
        self._room = np.empty((width, 4))
        self.length = 0

    @property
    def rows(self) -> FloatColumn:
        return self._room[:, : self.length]

    def append(self, values: Sequence[float]) -> None:
        if self.length == self._room.shape[1]:
            self._room = np.concatenate((self._room, np.empty_like(self._room)), axis=1)
        self._room[:, self.length] = values
        self.length += 1
