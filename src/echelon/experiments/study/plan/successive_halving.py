"""Successive halving: many combinations are run a little, the best ones more and more."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.experiments.study.plan.point import Point
    from echelon.experiments.study.run.case import Case
    from echelon.experiments.study.run.outcome import Outcome

Resource: TypeAlias = Literal["seeds", "jobs"]


class Winner(NamedTuple):
    """The point that is left of a group.

    Attributes
    ----------
    point : Point
        Which one.
    mean : float
        Of the measure in the last round, in its unit.
    runs : int
        In the last round, those that it had run before included.
    """

    point: Point
    mean: float
    runs: int


@dataclass(frozen=True, slots=True)
class SuccessiveHalving:
    """A contest in rounds: after each the best of the points go on, with `eta` times as much of a resource.

    Parameters
    ----------
    groups : tuple of tuples of Point
        Each group has a contest of its own: one workload's points, say. At least one point each.
    seeds : tuple of int or None
        All that a point may be run with. With resource ``"seeds"`` round 0 takes the first few; all points
        of a round have the same ones, so that they schedule the same jobs.
    measure : str
        The metric by which it selects: its mean over the seeds.
    goal : {"min", "max"}
        Whether it should be low or high.
    eta : float
        Of n points ``floor(n / eta)`` go on, but at least one; > 1.
    rounds : int
        >= 1; the last one runs with all seeds, or all jobs.
    resource : {"seeds", "jobs"}
        What there is more of in each round: with ``"jobs"`` the jobs of the workload, up to what each point's
        ``first`` says.
    shown : bool, default True
        Whether the seeds are an axis, with a label.

    Notes
    -----
    A point that no chance enters is run once, with the first seed, however many a round has.

    **Ties** go to the point that comes first in the file. A point whose run failed, or whose measure is not a
    number, comes last. Source: Jamieson and Talwalkar, AISTATS 2016.
    """

    groups: tuple[tuple[Point, ...], ...]
    seeds: tuple[int | None, ...]
    measure: str
    goal: Literal["min", "max"]
    eta: float
    rounds: int
    resource: Resource = "seeds"
    shown: bool = True
    kind: str = "successive-halving"

    @property
    def size(self) -> int:
        """How many cases it runs in all if chance enters them: none again that an earlier round ran."""
        return sum(self._size_of(len(group)) for group in self.groups)

    @property
    def points(self) -> tuple[Point, ...]:
        """All points that it begins with."""
        return tuple(point for group in self.groups for point in group)

    def first(self) -> tuple[Case, ...]:
        """Return the cases of the first round, of points that chance may not enter those with one seed."""
        return self._cases(0, self.points, {})

    def next(self, outcomes: Sequence[Outcome]) -> tuple[Case, ...]:
        """Return the cases of the first round that is not complete; none when all are."""
        outcome_by_spec = {outcome.case.spec: outcome for outcome in outcomes}
        groups = self.groups
        for turn in range(self.rounds):
            cases = self._cases(turn, [point for group in groups for point in group], outcome_by_spec)
            if missing := tuple(case for case in cases if case.spec not in outcome_by_spec):
                return missing
            groups = tuple(self._best(group, turn, outcome_by_spec) for group in groups)
        return ()

    def left(self, outcomes: Sequence[Outcome]) -> tuple[tuple[Point, ...], ...]:
        """Return the points of each group that are still in the contest, best first."""
        outcome_by_spec = {outcome.case.spec: outcome for outcome in outcomes}
        groups = self.groups
        for turn in range(self.rounds):
            cases = [case for group in groups for case in self._cases(turn, group, outcome_by_spec)]
            if any(case.spec not in outcome_by_spec for case in cases):
                break
            groups = tuple(self._best(group, turn, outcome_by_spec) for group in groups)
        return groups

    def winners(self, outcomes: Sequence[Outcome]) -> tuple[Winner, ...]:
        """Return the best of each group, once all rounds are run; a group whose best has failed has none."""
        if self.next(outcomes):
            return ()
        outcome_by_spec = {outcome.case.spec: outcome for outcome in outcomes}
        turn = self.rounds - 1
        sign = 1 if self.goal == "min" else -1
        best = [(group[0], self._score(group[0], turn, outcome_by_spec)) for group in self.left(outcomes)]
        return tuple(
            Winner(point, sign * score, len(self._cases(turn, [point], outcome_by_spec)))
            for point, score in best
            if math.isfinite(score)
        )

    def count_alive(self, points: int, turn: int) -> int:
        """Return how many of so many points run in round `turn`, the first being 0."""
        for _ in range(turn):
            points = max(1, math.floor(points / self.eta * (1 + 1e-12)))
        return points

    def share(self, whole: int, turn: int) -> int:
        """Return how much of a resource round `turn` has, of `whole` in the last one; at least 1."""
        return max(1, math.floor(whole / self.eta ** (self.rounds - 1 - turn) * (1 + 1e-12)))

    def _size_of(self, points: int) -> int:
        seeds, before, runs = len(self.seeds), 0, 0
        for turn in range(self.rounds):
            alive = self.count_alive(points, turn)
            if self.resource == "jobs":
                runs += alive * seeds
            else:
                runs += alive * (self.share(seeds, turn) - before)
                before = self.share(seeds, turn)
        return runs

    def _cases(
        self, turn: int, points: Sequence[Point], outcome_by_spec: Mapping[str, Outcome]
    ) -> tuple[Case, ...]:
        """Return the cases of a round that are worth running by what is known, seed by seed."""
        seeds = self.seeds
        if self.resource == "seeds":
            seeds = seeds[: self.share(len(seeds), turn)]
        firsts = [outcome_by_spec.get(self._case(point, seeds[0], turn).spec) for point in points]
        wanted = [len(point.replications(seeds, first)) for point, first in zip(points, firsts, strict=True)]
        return tuple(
            self._case(point, seed, turn)
            for place, seed in enumerate(seeds)
            for point, count in zip(points, wanted, strict=True)
            if place < count
        )

    def _case(self, point: Point, seed: int | None, turn: int) -> Case:
        if self.resource == "seeds":
            return point.case(seed, shown=self.shown)
        return point.case(seed, shown=self.shown, first=self.share(point.settings["first"], turn))

    def _best(
        self, group: tuple[Point, ...], turn: int, outcome_by_spec: Mapping[str, Outcome]
    ) -> tuple[Point, ...]:
        """Return the points of a group that go on after a round, best first."""
        scores = [self._score(point, turn, outcome_by_spec) for point in group]
        order = sorted(range(len(group)), key=lambda place: scores[place])
        return tuple(group[place] for place in order[: self.count_alive(len(group), 1)])

    def _score(self, point: Point, turn: int, outcome_by_spec: Mapping[str, Outcome]) -> float:
        """Return the mean of the measure in a round, the less the better; infinity if there is none."""
        outcomes = [outcome_by_spec[case.spec] for case in self._cases(turn, [point], outcome_by_spec)]
        values = [outcome.metrics.get(self.measure) for outcome in outcomes if outcome.ending != "failed"]
        numbers = [value for value in values if value is not None and not math.isnan(value)]
        if len(numbers) < len(outcomes):
            return math.inf
        mean = math.fsum(numbers) / len(numbers)
        return mean if self.goal == "min" else -mean


def rounds_possible(points: int, whole: int, eta: float) -> int:
    """Return how many rounds bring something new: until one point is left, or the resource is one."""
    return 1 + min(_powers(points, eta), _powers(whole, eta))


def _powers(number: int, eta: float) -> int:
    """Return the greatest k with eta^k <= number."""
    k = 0
    while eta ** (k + 1) <= number * (1 + 1e-12):
        k += 1
    return k
