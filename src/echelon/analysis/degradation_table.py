"""Degradation table: many strategies judged by several metrics in several scenarios, as one ranking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from echelon.analysis.degradation import degradation, mean_degradation
from echelon.analysis.ranking import ranks
from echelon.analysis.values import checked_values
from echelon.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl
    from numpy.typing import ArrayLike

    from echelon.analysis.values import Better, FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class DegradationTable:
    """Degradations of strategies by metric and scenario, their means and ranks.

    Every metric counts alike in a scenario, every scenario alike over all. Build it from what was measured
    with `DegradationTable.of`, or from printed percentages.

    Parameters
    ----------
    scenarios, metrics, strategies : tuple of str
        Names, each at least one.
    percent : ndarray of float, shape (n_scenarios, n_metrics, n_strategies)
        Degradations in percent, >= 0.

    Raises
    ------
    InputError
        If the shape is another.

    Notes
    -----
    Source: Tsafrir, Etsion and Feitelson, IEEE TPDS 2007, as used in Quezada Pina, CICESE 2012, section 4.4.
    """

    scenarios: tuple[str, ...]
    metrics: tuple[str, ...]
    strategies: tuple[str, ...]
    percent: FloatArray

    def __post_init__(self) -> None:
        shape = (len(self.scenarios), len(self.metrics), len(self.strategies))
        if np.shape(self.percent) != shape or not all(shape):
            raise InputError(
                f"must have one number a scenario, metric and strategy, {shape}, "
                f"got {np.shape(self.percent)}",
                field="percent",
            )

    @classmethod
    def of(
        cls,
        values: Mapping[str, Mapping[str, ArrayLike]],
        strategies: Sequence[str],
        *,
        better: Mapping[str, Better],
        average: Literal["degradations", "values"] = "degradations",
    ) -> DegradationTable:
        """Return the table of measured values.

        Parameters
        ----------
        values : mapping of str to mapping of str to array-like, shape (n_experiments, n_strategies)
            Scenario, then metric, then one row an experiment; finite, >= 0. All scenarios have the same
            metrics; each may have another number of experiments.
        strategies : sequence of str
            What the columns are.
        better : mapping of str to {"low", "high"}
            Which end of each metric's scale is good.
        average : {"degradations", "values"}, default "degradations"
            The mean over the experiments of their degradations, so that every experiment counts alike; or
            the degradation of the values' means, as the printed tables of the grid study have it.

        Raises
        ------
        InputError
            If there is nothing, scenarios differ in their metrics, or values are no such table.
        UnknownNameError
            If a direction is missing or unknown, or `average` is neither word.
        """
        if average not in ("degradations", "values"):
            raise UnknownNameError("average", average, ("degradations", "values"))
        metrics = tuple(next(iter(values.values()), {}))
        for name, measured in values.items():
            if set(measured) != set(metrics):
                raise InputError(f"measures {sorted(measured)}, others {sorted(metrics)}", field=name)
        percent = [
            [
                _mean(measured[metric], len(strategies), better=_direction(better, metric), average=average)
                for metric in metrics
            ]
            for measured in values.values()
        ]
        return cls(tuple(values), metrics, tuple(strategies), np.array(percent))

    @property
    def by_scenario(self) -> FloatArray:
        """Mean over the metrics, in percent, shape (n_scenarios, n_strategies)."""
        return np.asarray(self.percent.mean(axis=1))

    @property
    def overall(self) -> FloatArray:
        """Mean over the scenarios of the means over the metrics, in percent, shape (n_strategies,)."""
        return np.asarray(self.by_scenario.mean(axis=0))

    @property
    def ranks_by_scenario(self) -> FloatArray:
        """Ranks by `by_scenario`, 1 the best, shape (n_scenarios, n_strategies); see `ranks` for ties."""
        return ranks(self.by_scenario)

    @property
    def overall_ranks(self) -> FloatArray:
        """Ranks by `overall`, 1 the best, shape (n_strategies,)."""
        return ranks(self.overall)

    def to_frame(self) -> pl.DataFrame:
        """Return the table as people print it: a row a strategy, the best first.

        A column for each scenario and metric, each scenario's mean and rank, and those over all; in percent.
        """
        # A heavy library that only tables need.
        import polars as pl

        columns: dict[str, object] = {"strategy": list(self.strategies)}
        for place, scenario in enumerate(self.scenarios):
            for metric, row in zip(self.metrics, self.percent[place], strict=True):
                columns[f"{scenario}: {metric}"] = row
            columns[f"{scenario}: mean"] = self.by_scenario[place]
            columns[f"{scenario}: rank"] = self.ranks_by_scenario[place].astype(np.int64)
        columns |= {"mean": self.overall, "rank": self.overall_ranks.astype(np.int64)}
        return pl.DataFrame(columns).sort("rank", maintain_order=True)


def _direction(better: Mapping[str, Better], metric: str) -> Better:
    if metric not in better:
        raise UnknownNameError("metric with a direction", metric, better)
    return better[metric]


def _mean(values: ArrayLike, strategies: int, *, better: Better, average: str) -> FloatArray:
    found = checked_values(values, axes=2)
    if found.shape[1] != strategies:
        raise InputError(
            f"must have {strategies} columns, one a strategy, got {found.shape[1]}", field="values"
        )
    if average == "values":
        return degradation(found.mean(axis=0), better=better)
    return mean_degradation(found, better=better)
