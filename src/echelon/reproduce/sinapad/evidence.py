"""Evidence: the numbers that the SINAPAD study's claims are judged by, over seeds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from echelon.reproduce.sinapad.setups import DEVIATION, EXECUTION, SIMULTANEOUS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.model.jobs.columns import FloatColumn
    from echelon.reproduce.machinery.experiments import FloatTable


class Case(NamedTuple):
    """A case of figures 3 and 4: scenario, way of submission and policy, by their names."""

    scenario: str
    mode: str
    policy: str


class Paced(NamedTuple):
    """A case of the authors' test: scenario, policy, seconds of a decision and way of submission."""

    scenario: str
    policy: str
    decision: float
    mode: str = SIMULTANEOUS


class Reading(NamedTuple):
    """A case read in another way, by its name."""

    reading: str
    case: Case


class Extended(NamedTuple):
    """A case that the study does not have: jobs, scenario, way of submission, rule."""

    jobs: str
    scenario: str
    mode: str
    rule: str


class DecisionCost(NamedTuple):
    """What a decision of ours costs: microseconds, one a repetition."""

    rule: FloatColumn
    selection: FloatColumn


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """Results; arrays have a row a seed and a column of `MEASURES`.

    Parameters
    ----------
    study : mapping of Case to array of shape (n_seeds, 6)
        Figures 3 and 4.
    paced : mapping of Paced to array of shape (n_seeds, 6)
        The test of decision times.
    orders : mapping of Reading to array of shape (n_seeds, 6)
        Figures 3 and 4 under other orders of machines, of the policies that break ties.
    readings : mapping of Reading to array of shape (few seeds, 6)
        Cases under other readings of what the study leaves open.
    extended : mapping of Extended to array of shape (few seeds, 6)
        Other rules, and the jobs of its future work.
    cost : mapping of str to DecisionCost
        By policy.
    """

    study: Mapping[Case, FloatTable]
    paced: Mapping[Paced, FloatTable]
    orders: Mapping[Reading, FloatTable]
    readings: Mapping[Reading, FloatTable]
    extended: Mapping[Extended, FloatTable]
    cost: Mapping[str, DecisionCost]

    def with_order(self, order: str) -> Evidence:
        """Return the evidence with figures 3 and 4 under one of `machine_orders.ORDERS`."""
        tables = {key.case: table for key, table in self.orders.items() if key.reading == order}
        return replace(self, study={**self.study, **tables})

    def execution(self, scenario: str, mode: str, policy: str) -> FloatColumn:
        """Return the mean execution times of a case by seed, in seconds."""
        return self.study[Case(scenario, mode, policy)][:, EXECUTION]

    def pair(self, scenario: str, mode: str, policies: tuple[str, str]) -> tuple[FloatColumn, FloatColumn]:
        """Return the mean execution times of two policies by seed, in seconds."""
        first, second = policies
        return self.execution(scenario, mode, first), self.execution(scenario, mode, second)

    def deviation(self, scenario: str, mode: str, policy: str) -> FloatColumn:
        """Return the standard deviations of execution times of a case by seed, in seconds."""
        return self.study[Case(scenario, mode, policy)][:, DEVIATION]
