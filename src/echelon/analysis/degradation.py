"""Degradation: how far strategies are from the best, in percent, as a ranking; and what a change improved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from echelon.analysis.ranking import ranks
from echelon.analysis.values import best_of, checked_values
from echelon.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl
    from numpy.typing import ArrayLike

    from echelon.analysis.values import Better, BoolArray, FloatArray


def degradation(values: ArrayLike, *, better: Better = "low") -> FloatArray:
    """Return how much worse than the best strategy of its row each one is, in percent.

    Where low is good, ``100 * x / best - 100``; where high is good, ``100 * (1 - x / best)``.

    Parameters
    ----------
    values : array-like, shape (..., n_strategies)
        A metric; a row an experiment. Finite, >= 0.
    better : {"low", "high"}, default "low"
        Which end of the metric's scale is good, as `Metric.better` says it.

    Returns
    -------
    ndarray of float, shaped as values
        Percent, >= 0; 0 for the best, at most 100 where high is good.

    Raises
    ------
    InputError
        If a value is negative or not finite.
    UnknownNameError
        If `better` is neither of these.

    Notes
    -----
    Ties: all that share the best value have 0. A best of 0 gives 0 to those that reach it and infinity to the
    others where low is good; where high is good none is above 0 then, and all have 0.

    Source: Tsafrir, Etsion and Feitelson, IEEE TPDS 2007; Quezada Pina, CICESE 2012, section 4.4, whose
    tables show the form for metrics where high is good.
    """
    measurements = checked_values(values)
    best = best_of(measurements, better)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        percent = 100 * measurements / best - 100 if better == "low" else 100 * (1 - measurements / best)
    return np.where(measurements == best, 0.0, percent)


def mean_degradation(values: ArrayLike, *, better: Better = "low") -> FloatArray:
    """Return the mean over the experiments of each strategy's degradation, in percent.

    The degradation of the means over the experiments, which is another number, is
    ``degradation(np.mean(values, axis=0))``: there an experiment counts by the size of its values, here all
    count alike.

    Parameters
    ----------
    values : array-like, shape (n_experiments, n_strategies)
        A metric; finite, >= 0.
    better : {"low", "high"}, default "low"
        Which end of the metric's scale is good.

    Returns
    -------
    ndarray of float, shape (n_strategies,)
        Percent. An experiment in which the best has 0 and another has not gives no percentages and is left
        out for all strategies alike, see `find_comparable`; NaN if none remains.

    Raises
    ------
    InputError
        If `values` is no table, or a value is negative or not finite.
    """
    measurements = checked_values(values, axes=2)
    used = measurements[find_comparable(measurements, better=better)]
    if not len(used):
        return np.full(measurements.shape[1], np.nan)
    return np.asarray(degradation(used, better=better).mean(axis=0))


def find_comparable(values: ArrayLike, *, better: Better = "low") -> BoolArray:
    """Mark the experiments that have degradations in percent: where the best is 0, all must be 0.

    Returns
    -------
    ndarray of bool, shape (n_experiments,)
        Always true where high is good.
    """
    measurements = checked_values(values, axes=2)
    return np.asarray((best_of(measurements, better)[:, 0] > 0) | (measurements == 0).all(axis=1))


def improvement(without: ArrayLike, with_: ArrayLike, *, better: Better = "low") -> FloatArray:
    """Return by how much a change improved a metric, in percent of the value without it.

    Where low is good, ``100 * (1 - with / without)``; where high is good, ``100 * (with / without - 1)``.

    Parameters
    ----------
    without, with_ : array-like, of one shape
        The metric before and after the change, such as admissibility; finite, >= 0. Degradations against one
        common best serve as well: add 100 first.
    better : {"low", "high"}, default "low"
        Which end of the metric's scale is good.

    Returns
    -------
    ndarray of float
        Percent, negative where the change made it worse; NaN where both are 0, and infinite, negative where
        low is good, where only `without` is.

    Raises
    ------
    InputError
        If a value is negative or not finite, or the shapes differ.

    Notes
    -----
    Source: Quezada Pina, CICESE 2012, table 5, whose figures agree with this form.
    """
    before, after = checked_values(without), checked_values(with_)
    if before.shape != after.shape:
        raise InputError(f"both need one shape, got {before.shape} and {after.shape}")
    best_of(before, better)  # refuses an unknown direction
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        percent = 100 * (1 - after / before)
    return percent if better == "low" else -percent


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
            If a direction is missing or unknown, or `average` is neither of its choices.
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
    measurements = checked_values(values, axes=2)
    if measurements.shape[1] != strategies:
        raise InputError(
            f"must have {strategies} columns, one a strategy, got {measurements.shape[1]}", field="values"
        )
    if average == "values":
        return degradation(measurements.mean(axis=0), better=better)
    return mean_degradation(measurements, better=better)
