"""Comparing: from a table of runs to one row an experiment and one column a value of an axis."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.experiments.study.plan.certainty import CERTAIN, everywhere, is_certain

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from echelon.analysis.values import BoolArray, FloatArray
    from echelon.model.jobs.columns import IntColumn

BLOCK = "block"
"""The axis of the blocks that runs are cut into."""

REPLICATION_AXES = ("seed", "workload_seed", "replication", BLOCK)
"""Axes whose values are drawn: runs that differ in them alone are repetitions of one experiment."""


@dataclass(frozen=True, slots=True, eq=False)
class Experiments:
    """A measure of the values of an axis, block by block.

    Attributes
    ----------
    names : tuple of str
        The axis's values, in the table's order: the columns.
    values : ndarray of float, shape (n_blocks, n_values)
        A row for each combination of all other axes; NaN where a run is missing or has no such metric.
    seed : ndarray of int, shape (n_blocks,), optional
        Which blocks are of one seed, and with it one experiment; None if each is an experiment of its own.
    certain : frozenset of str, default empty
        Values of the axis that no chance enters: they are the same in every experiment, and of one only.
    """

    names: tuple[str, ...]
    values: FloatArray
    seed: IntColumn | None = None
    certain: frozenset[str] = frozenset()

    def column(self, name: str) -> FloatArray:
        """Return one value of the axis, experiment by experiment, where it is known."""
        values = self.values[:, [self.names.index(name)]]
        column = self._collapse(values, np.asarray(~np.isnan(values[:, 0])))[:, 0]
        return column[:1] if name in self.certain else column

    def pair(self, first: str, second: str) -> tuple[FloatArray, FloatArray]:
        """Return two values of the axis, experiment by experiment, of the blocks in which both are known.

        One that no chance enters has its one value beside each of the other's.
        """
        both = self.values[:, [self.names.index(first), self.names.index(second)]]
        pairs = self._collapse(both, np.asarray(~np.isnan(both).any(axis=1)))
        if {first, second} <= self.certain:
            pairs = pairs[:1]
        return pairs[:, 0], pairs[:, 1]

    @property
    def complete(self) -> FloatArray:
        """The blocks in which every value of the axis is known."""
        return np.asarray(self.values[~np.isnan(self.values).any(axis=1)])

    def _collapse(self, values: FloatArray, has_value: BoolArray) -> FloatArray:
        """Return the mean of each seed over its known blocks, of the seeds that lack none others have."""
        if self.seed is None or not has_value.any():
            return np.asarray(values[has_value])
        seeds, code = np.unique(self.seed[has_value], return_inverse=True)
        count = np.bincount(code)
        sums = np.zeros((len(seeds), values.shape[1]))
        np.add.at(sums, code, values[has_value])
        return np.asarray((sums / count[:, None])[count == count.max()])


def varying_axes(table: pl.DataFrame, axes: Sequence[str]) -> list[str]:
    """Return the axes that have more than one value among these runs."""
    return [axis for axis in axes if axis in table.columns and table[axis].n_unique() > 1]


def others_of(table: pl.DataFrame, axes: Sequence[str], axis: str) -> list[str]:
    """Return the axes that vary beside one: none whose value its own settles, as a policy its parameter."""
    rows = table.drop_nulls(axis)
    values = rows[axis].n_unique()
    return [
        name
        for name in varying_axes(rows, axes)
        if name != axis and rows.select(axis, name).n_unique() > values
    ]


def blocks(table: pl.DataFrame, axes: Sequence[str], axis: str, measure: str) -> Experiments:
    """Return a row for each combination of all other axes: the blocks in which all values of one axis meet.

    Parameters
    ----------
    table : polars.DataFrame
        A row a run; those without a value on the axis are left out.
    axes : sequence of str
        All axes of the study.
    axis : str
        Whose values are the columns.
    measure : str
        The metric.

    Notes
    -----
    Ties: several runs of one combination, as of a search that repeats itself, count as their mean. Order: of
    first appearance. Cost: O(n) for n runs.
    """
    return _pivot(table.drop_nulls(axis), axis, measure, others_of(table, axes, axis), replication_axes=[])


def experiments(table: pl.DataFrame, axes: Sequence[str], axis: str, measure: str) -> Experiments:
    """Return what intervals of means and of differences are made of.

    Where a replication axis (see `REPLICATION_AXES`) varies, an experiment is a seed: the mean over the
    combinations of all other axes. So loads and machines that were chosen, not drawn, add nothing to the
    spread. A combination that no chance enters counts with its one value under every seed. If chance enters
    none, although replications were asked for, there is one experiment. Elsewhere an experiment is a
    combination of the other axes, as in `blocks`.

    Parameters
    ----------
    table, axes, axis, measure
        As for `blocks`.
    """
    others = others_of(table, axes, axis)
    replication_axes = [name for name in others if name in REPLICATION_AXES]
    rows = table.drop_nulls(axis)
    if not replication_axes and is_certain(table):
        return _one_experiment(_pivot(rows, axis, measure, others, replication_axes=[]))
    pivot = _pivot(
        everywhere(rows, replication_axes), axis, measure, others, replication_axes=replication_axes
    )
    return replace(pivot, certain=_certain_values(rows, axis)) if replication_axes else pivot


def _one_experiment(pivot: Experiments) -> Experiments:
    """Return values that no chance enters: however many combinations they are of, nothing was repeated."""
    seed = np.zeros(len(pivot.values), dtype=np.int64)
    return replace(pivot, seed=seed, certain=frozenset(pivot.names))


def _certain_values(table: pl.DataFrame, axis: str) -> frozenset[str]:
    """Return the values of an axis whose runs no chance enters, in no combination."""
    if CERTAIN not in table.columns:
        return frozenset()
    levels = table[axis].unique().to_list()
    by_chance = set(table.filter(~table[CERTAIN])[axis].to_list())
    return frozenset(label_of_value(level) for level in levels if level not in by_chance)


def cells(table: pl.DataFrame, axes: Sequence[str], measure: str) -> tuple[pl.DataFrame, list[FloatArray]]:
    """Return each combination of the axes that are not drawn, and the measure in its replications.

    Returns
    -------
    polars.DataFrame, list of ndarray
        A row a combination, in order of first appearance, and the known values of each.
    """
    import polars as pl

    fixed = [name for name in varying_axes(table, axes) if name not in REPLICATION_AXES]
    rows = table.filter(pl.col(measure).is_not_null() & pl.col(measure).is_not_nan())
    if not fixed:
        return pl.DataFrame({}), [rows[measure].to_numpy().astype(np.float64)] if len(rows) else []
    grouped = rows.group_by(fixed, maintain_order=True).agg(pl.col(measure).cast(pl.Float64))
    return grouped.select(fixed), [np.asarray(part, dtype=np.float64) for part in grouped[measure].to_list()]


def _pivot(
    table: pl.DataFrame, axis: str, measure: str, others: list[str], *, replication_axes: list[str]
) -> Experiments:
    import polars as pl

    levels = table[axis].unique(maintain_order=True)
    names = tuple(map(label_of_value, levels.to_list()))
    rows = _keys(table, others)
    place = {key: row for row, key in enumerate(rows.rows())}
    at = [place[key] for key in table.select(others).rows()] if others else [0] * len(table)
    code = {level: column for column, level in enumerate(levels.to_list())}
    column = np.array([code[level] for level in table[axis].to_list()], dtype=np.int64)
    measurements = table[measure].cast(pl.Float64).fill_null(float("nan")).to_numpy()
    has_value = ~np.isnan(measurements)
    sums, counts = np.zeros((2, len(rows), len(names)))
    where = (np.asarray(at, dtype=np.int64)[has_value], column[has_value])
    np.add.at(sums, where, measurements[has_value])
    np.add.at(counts, where, 1)
    values = np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
    return Experiments(names, values, _codes(rows, replication_axes) if replication_axes else None)


def label_of_value(value: object) -> str:
    """Return what tables call a value of an axis: ``0.8``, ``1``, ``easy``."""
    return f"{value:.12g}" if isinstance(value, float) else "–" if value is None else str(value)


def _keys(table: pl.DataFrame, others: list[str]) -> pl.DataFrame:
    """Return the combinations of these axes, in order of first appearance."""
    import polars as pl

    if not others:
        return pl.DataFrame({"all": [0]})
    return table.select(others).unique(maintain_order=True)


def _codes(rows: pl.DataFrame, axes: list[str]) -> IntColumn:
    """Return a number for each row's seeds, the same for the same."""
    import polars as pl

    return np.asarray(rows.select(pl.struct(axes).rank("dense")).to_series().to_numpy(), dtype=np.int64)
