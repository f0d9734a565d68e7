"""SpanningRule: the base of all built-in co-allocations: interpretations, a longest T^e, results."""

from __future__ import annotations

import math
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from echelon.errors import InputError, UnknownNameError
from echelon.extras import Extra  # noqa: TC001  (the types of parameters are looked up when a spec is read)
from echelon.policies.coallocation.contract import Reading, Span

if TYPE_CHECKING:
    from echelon.model.jobs.columns import IntColumn
    from echelon.policies.coallocation.contract import SpanningProblem
    from echelon.policies.coallocation.loads import Loads


class Found(NamedTuple):
    """The result of a rule.

    Attributes
    ----------
    counts : IntColumn, shape (n_clusters,)
        Tasks in each cluster.
    bound : float
        Lower bound of T^e of solutions of the requested kind, in seconds.
    proved : bool
        Whether it is the requested solution: the least T^e, or any solution if that suffices.
    found_by : str
        See `Span`.
    """

    counts: IntColumn
    bound: float
    proved: bool
    found_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanningRule:
    """The base of all built-in co-allocations.

    Parameters
    ----------
    links : {"used", "all"}, default "used"
        Links that SC is the maximum of: those that the job crosses, or those of all clusters, each with what
        is consumed of it already.
    clamp : bool, default True
        SC is at least 1. Without, an idle link makes communication faster than on dedicated nodes, as the
        printed formulas do.
    at_most_longer : float, default infinity
        Refuse an answer whose T^e is more than this factor of T^p + T^c, the time on dedicated nodes, >= 1.
        1.25 is the limit up to which co-allocation pays, by Ernemann et al., CCGrid 2002.

    Attributes
    ----------
    extra : Extra or None
        The optional library that it needs, checked before a run starts.

    Raises
    ------
    InputError
        If a figure is out of its range.
    UnknownNameError
        If a word is unknown.
    """

    links: Literal["used", "all"] = "used"
    clamp: bool = True
    at_most_longer: float = math.inf

    name: ClassVar[str]
    source: ClassVar[str]
    extra: ClassVar[Extra | None] = None

    def __post_init__(self) -> None:
        if self.links not in ("used", "all"):
            raise UnknownNameError(f"reading of links for {self.name}", str(self.links), ("used", "all"))
        if not self.at_most_longer >= 1:
            raise InputError(
                f"must be a factor >= 1, got {self.at_most_longer!r}", field=f"{self.name}, at-most-longer"
            )

    @property
    def reading(self) -> Reading:
        """How equation 4.16 is read."""
        return Reading(self.links, self.clamp)

    @property
    def limit(self) -> float:
        """Largest SC allowed; 1 with constraint 4.19."""
        return math.inf

    def longest(self, problem: SpanningProblem) -> float:
        """Return the longest T^e that is not refused, in seconds."""
        dedicated = problem.compute_time + problem.communication_time
        return self.at_most_longer * dedicated if dedicated else math.inf

    def span(self, problem: SpanningProblem) -> Span | None:
        """Return the nodes for the job, or None if the rule has no answer."""
        began = perf_counter()
        from echelon.policies.coallocation.loads import Loads

        loads = Loads(problem, self.reading, self.limit)
        answer = self.find(loads) if len(loads.levels) and loads.floor <= self.limit else None
        if answer is None:
            return None
        nodes = loads.nodes(answer.counts)
        time = problem.time(nodes, self.reading)
        if time > self.longest(problem) * (1 + 1e-9):
            return None
        gap = _gap(time, answer)
        proved = answer.proved or gap == 0
        return Span(tuple(nodes.tolist()), time, gap, proved, perf_counter() - began, answer.found_by)

    def find(self, loads: Loads) -> Found | None:
        """Return how many tasks go to each cluster, or None; there are enough nodes."""
        raise NotImplementedError


class MaySaturate:
    """The base of rules with a parameter ``non_saturated``: whether links may not saturate."""

    __slots__ = ()

    non_saturated: bool

    @property
    def limit(self) -> float:
        """Largest SC allowed; 1 with constraint 4.19."""
        return 1.0 if self.non_saturated else math.inf


def _gap(time: float, answer: Found) -> float:
    if time <= answer.bound * (1 + 1e-9):
        return 0.0
    return time / answer.bound - 1 if answer.bound > 0 else math.nan
