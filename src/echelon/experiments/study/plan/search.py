"""Searches over the axes of a study: each names the first runs, and, seeing outcomes, the next."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Protocol

from echelon.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from echelon.experiments.study.plan.point import Point
    from echelon.experiments.study.plan.study import Study
    from echelon.experiments.study.run.case import Case
    from echelon.experiments.study.run.outcome import Outcome


class Search(Protocol):
    """Says which cases are run.

    A search remembers nothing: what comes next depends on the outcomes shown alone, not on their order, so
    that a study that was interrupted resumes as if it had not been.
    """

    @property
    def kind(self) -> str:
        """Its name in study files."""

    @property
    def size(self) -> int:
        """How many cases it runs in all."""

    def first(self) -> tuple[Case, ...]:
        """Return the cases to begin with."""

    def next(self, outcomes: Sequence[Outcome]) -> tuple[Case, ...]:
        """Return the cases to run now, given the outcomes of all so far; none when the search is over."""


@dataclass(frozen=True, slots=True)
class AllCases:
    """Every point with every seed that gives another run.

    Parameters
    ----------
    kind : str
        ``"product"``, ``"list"``, ``"random"`` or ``"latin-hypercube"``: how the points were found.
    points : tuple of Point
        All different.
    seeds : tuple of int or None
        At least one. Every point is run with the first before any is with the second: an interrupted study
        can compare what it has. A point that no chance enters is run with the first alone.
    shown : bool, default True
        Whether the seeds are an axis, with a label.
    """

    kind: str
    points: tuple[Point, ...]
    seeds: tuple[int | None, ...] = (None,)
    shown: bool = True

    @property
    def size(self) -> int:
        """How many cases there are if chance enters every point; else there are fewer."""
        return len(self.points) * len(self.seeds)

    def first(self) -> tuple[Case, ...]:
        """Return the cases with the first seed, and all those whose jobs are drawn by their seed."""
        return self._cases({})

    def next(self, outcomes: Sequence[Outcome]) -> tuple[Case, ...]:
        """Return the cases with other seeds of points that chance has turned out to enter."""
        outcome_by_spec = {outcome.case.spec: outcome for outcome in outcomes}
        before = outcome_by_spec.keys() | {case.spec for case in self.first()}
        return tuple(case for case in self._cases(outcome_by_spec) if case.spec not in before)

    def plan(self, free: Callable[[Point], bool]) -> tuple[Case, ...]:
        """Return all cases there will be if these points are free of chance, and no others."""
        points = dict.fromkeys(self.seeds[:1], self.points)
        points |= dict.fromkeys(self.seeds[1:], tuple(point for point in self.points if not free(point)))
        return tuple(point.case(seed, shown=self.shown) for seed in self.seeds for point in points[seed])

    def _cases(self, outcome_by_spec: Mapping[str, Outcome]) -> tuple[Case, ...]:
        """Return the cases that are worth running by what is known, seed by seed."""
        firsts = [outcome_by_spec.get(point.case(self.seeds[0]).spec) for point in self.points]
        wanted = [
            len(point.replications(self.seeds, first))
            for point, first in zip(self.points, firsts, strict=True)
        ]
        return tuple(
            point.case(seed, shown=self.shown)
            for place, seed in enumerate(self.seeds)
            for point, count in zip(self.points, wanted, strict=True)
            if place < count
        )


@dataclass(frozen=True, slots=True)
class ListedCases:
    """Cases as they are.

    Parameters
    ----------
    cases : tuple of Case
        In the order in which outcomes are reported.
    """

    cases: tuple[Case, ...]

    @property
    def kind(self) -> str:
        """Its name."""
        return "list"

    @property
    def size(self) -> int:
        """How many cases there are."""
        return len(self.cases)

    def first(self) -> tuple[Case, ...]:
        """Return all cases."""
        return self.cases

    def next(self, outcomes: Sequence[Outcome]) -> tuple[Case, ...]:
        """Return no case: all were there at first."""
        return ()


def select_cases(study: Study, labels: Sequence[str]) -> Study:
    """Return the study with those of its cases alone that all axes named say.

    Parameters
    ----------
    study : Study
        Any but a contest in rounds.
    labels : sequence of str
        Each ``AXIS=LABEL``, where ``*`` and ``?`` in the label stand for anything; of one axis named twice
        either label will do. ``seed`` is an axis as well.

    Raises
    ------
    InputError
        If one is not ``AXIS=LABEL``, nothing is left, or the study is a contest.
    UnknownNameError
        If there is no such axis.
    """
    search = study.search
    if not isinstance(search, AllCases):
        raise InputError(
            "selects among cases that are known in advance, unlike those of a search of kind "
            f"{search.kind!r}",
            field="--only-case",
        )
    wanted = _parse_labels(labels)
    seeds = tuple(seed for seed in search.seeds if _fits({"seed": str(seed)}, wanted, {"seed"}))
    axes = {axis for point in search.points for axis in point.labels}
    for axis in wanted:
        if axis not in axes | {"seed"}:
            raise UnknownNameError("axis", axis, axes | {"seed"})
    points = tuple(point for point in search.points if _fits(point.labels, wanted, wanted.keys() - {"seed"}))
    if not points or not seeds:
        raise InputError(f"leaves no case: {', '.join(labels)}", field="--only-case")
    return replace(study, search=replace(search, points=points, seeds=seeds))


def _parse_labels(labels: Sequence[str]) -> dict[str, list[str]]:
    labels_by_axis: dict[str, list[str]] = {}
    for text in labels:
        axis, equals, label = text.partition("=")
        if not equals or not axis.strip() or not label.strip():
            raise InputError(f"must be AXIS=LABEL, got {text!r}", field="--only-case")
        labels_by_axis.setdefault(axis.strip(), []).append(label.strip())
    return labels_by_axis


def _fits(labels: Mapping[str, str], wanted: Mapping[str, list[str]], axes: set[str]) -> bool:
    return all(
        axis in labels and any(fnmatchcase(labels[axis], label) for label in wanted[axis])
        for axis in axes & wanted.keys()
    )
