"""Plan: what a study file says of its runs, before they are made."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from echelon.experiments.study.file.axis import Choices
from echelon.experiments.study.file.settings import PROBLEM
from echelon.experiments.study.file.template import gaps

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from echelon.experiments.study.file.axis import Axis, Exclusion, Value
    from echelon.metrics import Metric


@dataclass(frozen=True, slots=True)
class Plan:
    """What a study file says of its runs.

    Parameters
    ----------
    fixed : mapping of str to object
        What all runs share.
    axes : tuple of Choices or Range
        What varies, but for the seeds.
    listed : tuple of Value
        Runs in addition to those of the axes.
    parameters : frozenset of str
        Names that only templates use.
    exclusions : tuple of Exclusion
        What is not run.
    seeds : tuple of int
        Of the replications; empty if there is one.
    within : tuple of str or None
        Axes of which every combination is taken, whatever the search; None for those of `PROBLEM`.
    measures : tuple of str
        The metrics that tables show.
    metrics : mapping of str to Metric
        All that runs may have.
    folder : Path
        The file's.
    """

    fixed: Mapping[str, Any]
    axes: tuple[Axis, ...]
    listed: tuple[Value, ...]
    parameters: frozenset[str]
    exclusions: tuple[Exclusion, ...]
    seeds: tuple[int, ...]
    within: tuple[str, ...] | None
    measures: tuple[str, ...]
    metrics: Mapping[str, Metric]
    folder: Path

    @property
    def all_seeds(self) -> tuple[int | None, ...]:
        """What every point is run with: the seeds, else the one that all runs share, else none."""
        return self.seeds or (self.fixed.get("seed"),)

    @property
    def outer(self) -> list[Choices]:
        """The axes of which every combination is taken, whatever the search."""
        listed = [axis for axis in self.axes if isinstance(axis, Choices)]
        if self.within is not None:
            return [axis for axis in listed if axis.name in self.within]
        posing = axes_of_problem(self.fixed, self.axes)
        return [axis for axis in listed if axis.name in posing]

    @property
    def inner(self) -> list[Axis]:
        """The other axes, which are searched."""
        outer = {axis.name for axis in self.outer}
        return [axis for axis in self.axes if axis.name not in outer]

    def count(self, samples: int | None) -> int:
        """Return how many runs there are at most, if so many samples are drawn, or all combinations."""
        searched = [] if samples is not None else [a for a in self.inner if isinstance(a, Choices)]
        points = math.prod(len(axis.values) for axis in (*self.outer, *searched)) * (samples or 1)
        if self.listed and not self.axes:
            points = 0
        return (points + len(self.listed)) * len(self.all_seeds)


def axes_of_problem(fixed: Mapping[str, Any], axes: Sequence[Axis]) -> set[str]:
    """Return the axes that say what is to be scheduled and on what, themselves or by a gap of a template."""
    fixed_values = [*fixed.items()]
    for axis in axes:
        if isinstance(axis, Choices):
            fixed_values += [pair for value in axis.values for pair in value.settings.items()]
    asked = {name for key, value in fixed_values if key in PROBLEM for name in gaps(value)}
    return {axis.name for axis in axes if axis.keys & PROBLEM or axis.name in asked}
