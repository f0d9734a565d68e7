"""Evidence: the numbers that the M-CISNE thesis' claims are judged by, over seeds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np

from echelon.reproduce.machinery.experiments import tables_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.model.jobs.columns import FloatColumn
    from echelon.reproduce.machinery.experiments import FloatTable

STATISTICAL = ("Smith", "Li", "IBL")
ANALYTIC = ("Hanzich", "SDPN", "Hybrid")
SIX = (*STATISTICAL, *ANALYTIC)
"""Estimators in the order of the thesis' tables."""

LOADS = ("dedicated", "shared", "high load")
"""Conditions of E1: one task a node; up to four; up to four beside owners on half of the nodes."""

SLOPE, SCATTER, DEVIATION = range(3)
"""Columns of an accuracy: slope of the line through the origin, Ra, deviation."""

CORRECTED = "corrected"
"""Word before an estimator whose estimates are divided by the slope it has had."""

Predicted: TypeAlias = Literal["run", "wait"]
"""What an estimator says of a job: how long it runs, or waits."""

RANDOM_BROKERS = ("FFIT", "RR")
PREDICTIVE_BROKERS = ("TAT", "PTT w = 0", "PTT w = 0.5", "PTT w = 1")
BROKERS = (*RANDOM_BROKERS, *PREDICTIVE_BROKERS)
"""Ways to choose a cluster, those without and those with predictions."""

MEASURES = (
    "mean_turnaround_from_delivery",
    "mean_turnaround",
    "makespan",
    "local_slowdown",
    "turnaround_deviation",
    "co_allocated_share",
)
"""Metrics of every run of E0, E2 and E3; nan where a run has none."""

DELIVERED, TURNAROUND, MAKESPAN, OWNERS, MISSED, SPANNED = range(len(MEASURES))
"""Columns of them."""

VARIANTS = ("optimal", "non-saturated", "first-feasible")
"""The thesis' three variants by the spec for ``--co-allocate``; it calls the last Non-Optimal."""

RULES = ("B", "NB", "B.RS", "NB.RS")
LIMITS = ("1", "2", "3", "4", "unlimited")


class Choice(NamedTuple):
    """A case of E2: platform, how owners are spread, percent of nodes that have one, and the broker."""

    platform: str
    spread: Literal["uniform", "grouped"]
    owners: int
    broker: str


class Queueing(NamedTuple):
    """A case of E3: rule of the global queue, limit, percent of nodes with owners, whether those move."""

    rule: str
    limit: str
    owners: int
    moving: bool = False


class Spanning(NamedTuple):
    """A case of E4: variant of the program, bandwidth of a task and nodes with owners, both in percent."""

    variant: str
    bandwidth: int
    owners: int


class Central(NamedTuple):
    """A case of E0: platform, percent of nodes with owners, and the setup of queues."""

    platform: str
    owners: int
    arrangement: str


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """Results of E0 to E4; a row a seed.

    Parameters
    ----------
    accuracy : mapping of (load, quantity, estimator) to array of shape (n_seeds, 3)
        Slope, Ra and deviation (as a share); of corrected estimators, too.
    experiences : int, default 0
        In the history that estimators knew.
    cost : mapping of (load, estimator) to array of shape (n_seeds,)
        Mean seconds a forecast.
    selection, queueing, central : mapping of Choice, Queueing, Central to array of shape (n_seeds, 6)
        `MEASURES`, times in s.
    program : mapping of Spanning to array of shape (n_seeds, 3)
        Slowdown SC of the answer (nan: there is none), processor seconds, and its time over the optimal one.
    scaling : mapping of (variant, clusters) to array of shape (n_seeds,)
        Processor seconds of the program.
    by_nodes : mapping of int to array of shape (n_seeds,)
        Processor seconds of the optimal program by the nodes of each of two clusters.
    spanned : array of shape (n_jobs, 3), optional
        Of co-allocated jobs: their seed, the time that the program's model says, and the time they took, in
        s.
    """

    accuracy: Mapping[tuple[str, Predicted, str], FloatTable] = field(default_factory=dict)
    cost: Mapping[tuple[str, str], FloatColumn] = field(default_factory=dict)
    experiences: int = 0
    selection: Mapping[Choice, FloatTable] = field(default_factory=dict)
    queueing: Mapping[Queueing, FloatTable] = field(default_factory=dict)
    program: Mapping[Spanning, FloatTable] = field(default_factory=dict)
    scaling: Mapping[tuple[str, int], FloatColumn] = field(default_factory=dict)
    by_nodes: Mapping[int, FloatColumn] = field(default_factory=dict)
    spanned: FloatTable | None = None
    central: Mapping[Central, FloatTable] = field(default_factory=dict)

    def statistic(self, load: str, quantity: Predicted, estimator: str, column: int) -> FloatColumn:
        """Return one statistic of an estimator, shape (n_seeds,)."""
        return self.accuracy[load, quantity, estimator][:, column]

    def broker_cases(self, broker: str, column: int, *, platform: str | None = None) -> FloatTable:
        """Return one measure of a broker by seed and case of E2, shape (n_seeds, n_cases).

        Owners' slowdown is of the cases with owners.
        """
        cases = [
            values[:, column]
            for case, values in self.selection.items()
            if case.broker == broker
            and platform in (None, case.platform)
            and (column != OWNERS or case.owners)
        ]
        return np.column_stack(cases)

    def answers(self, variant: str, bandwidth: int) -> tuple[float, float, float]:
        """Return SC, seconds and T^e over the least of a variant, the means over owners and seeds."""
        cases = tables_of(self.program, variant=variant, bandwidth=bandwidth)
        crossing, seconds, longer = finite_means(np.concatenate(cases))
        return crossing, seconds, longer


def finite_means(table: FloatTable) -> list[float]:
    """Return the mean of what is finite in each column; nan where nothing is."""
    columns = [column[np.isfinite(column)] for column in table.T]
    return [float(column.mean()) if len(column) else np.nan for column in columns]
