"""Results of a study: its table of runs, and what it says of the values of each axis."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from echelon.analysis import (
    adjusted_p_values,
    exact_difference,
    friedman_test,
    lag_one_autocorrelation,
    main_effects,
    needed_replications,
    paired_comparison,
    pareto_front,
    performance_profile,
    t_interval,
)
from echelon.errors import InputError, MissingExtraError, UnknownNameError
from echelon.experiments.study.plan.certainty import CERTAIN, everywhere, is_certain, select_drawn
from echelon.experiments.study.results.comparison_table import (
    BLOCK,
    REPLICATION_AXES,
    Experiments,
    blocks,
    cells,
    experiments,
    label_of_value,
    others_of,
    varying_axes,
)
from echelon.experiments.study.results.findings import ALL, JOINT, Choice, Difference, Mean, Need
from echelon.experiments.study.results.run_parts import suggested_warm_up
from echelon.extras import SCIPY
from echelon.metrics import METRICS
from echelon.metrics.registry.best import MARKED_BY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import polars as pl

    from echelon.analysis import Friedman, MainEffect, PerformanceProfile
    from echelon.analysis.values import Better, FloatArray
    from echelon.experiments.study.run.pace import Pace
    from echelon.experiments.study.store.log import LogEntry
    from echelon.experiments.study.store.outline import Outline
    from echelon.metrics import Metric


@dataclass(frozen=True, eq=False)
class StudyResults:
    """The runs of a study, running or done, and what they say; made by `read_study_results`.

    Parameters
    ----------
    outline : Outline
        What the study is about.
    table : polars.DataFrame
        A row a run, see `run_table`; `in_order` puts the rows in an order that no clock decides.
    failures : tuple of LogEntry, default empty
        Cases that could not be run, the last one first.
    pace : Pace, optional
        How far the study has come.
    own : tuple of Metric, default empty
        The user's own metrics.
    folder : Path, optional
        Of the study.
    """

    # Not slotted: what is worked out once is kept in the instance's dictionary.
    outline: Outline
    table: pl.DataFrame
    failures: tuple[LogEntry, ...] = ()
    pace: Pace | None = None
    own: tuple[Metric, ...] = ()
    folder: Path | None = None

    @cached_property
    def axes(self) -> list[str]:
        """The axes that vary among the runs, in the study's order."""
        return varying_axes(self.table, self.outline.axes)

    @property
    def replicated(self) -> list[str]:
        """Those whose values are drawn: seeds, or the blocks of one run."""
        return [axis for axis in self.axes if axis in REPLICATION_AXES]

    @property
    def certain(self) -> int:
        """How many combinations no chance enters, though replications are asked for: each was run once."""
        return int(self.table[CERTAIN].sum()) if CERTAIN in self.table.columns else 0

    @cached_property
    def runs(self) -> pl.DataFrame:
        """A row a run, also where the table has one a block."""
        return self.table.filter(self.table[BLOCK] == 0) if BLOCK in self.table.columns else self.table

    @property
    def is_certain(self) -> bool:
        """Whether no chance enters any run, though replications are asked for."""
        return is_certain(self.table)

    @cached_property
    def balanced(self) -> pl.DataFrame:
        """The table with runs that are certain under every seed, so that all combinations count alike."""
        return everywhere(self.table, self.replicated)

    @property
    def compared(self) -> list[str]:
        """Those that say how jobs are scheduled: policies, parameters; where there are none, all others."""
        fixed = [axis for axis in self.axes if axis not in REPLICATION_AXES]
        return [axis for axis in fixed if axis not in self.outline.problem] or fixed

    @property
    def choice_axes(self) -> list[str]:
        """Those of `compared` whose combinations are choices: none whose values another of them settles."""
        return self._drop_settled(self.compared)

    @cached_property
    def can_test(self) -> bool:
        """Whether intervals and tests can be had: whether scipy, the extra ``stats``, is installed."""
        try:
            SCIPY.load()
        except MissingExtraError:
            return False
        return True

    @cached_property
    def is_uneven(self) -> bool:
        """Whether some combinations have fewer runs than others, as in a contest by rounds."""
        chosen = [axis for axis in self.axes if axis not in self.replicated]
        if not chosen or self.table.is_empty() or BLOCK in self.replicated:
            return False
        return bool(self.balanced.group_by(chosen).len()["len"].n_unique() > 1)

    @cached_property
    def suggested_warm_up(self) -> float | None:
        """Share of the jobs at the beginning that MSER-5 would leave out; None if that is not known."""
        return None if self.folder is None else suggested_warm_up(self.folder, self.table["key"].to_list())

    @cached_property
    def measures(self) -> list[str]:
        """The metrics that tables show: those of the study that its runs have."""
        return [name for name in self.outline.measures if name in self.table.columns]

    def better(self, measure: str) -> Better:
        """Return which end of a metric's scale is good; low where neither is said to be."""
        return self.metric(measure).better or "low"

    def metric(self, name: str) -> Metric:
        """Return what a measure is; an UnknownNameError if no run of the study has it."""
        metrics = [metric for metric in (*METRICS, *self.own) if metric.name in self.table.columns]
        for metric in metrics:
            if metric.name == name:
                return metric
        raise UnknownNameError("measure", name, [metric.name for metric in metrics])

    def values_of(self, axis: str) -> list[str]:
        """Return the values of an axis: numbers ascending, names in the study file's order."""
        values = self._axis(axis).drop_nulls().unique()
        if self.is_numeric(axis):
            return [label_of_value(value) for value in values.sort().to_list()]
        # Runs end in any order: values that the file does not name stand by their texts and numbers.
        names = sorted(map(label_of_value, values.to_list()), key=_natural_key)
        stated = self.outline.values.get(axis, ())
        return [name for name in stated if name in names] + [name for name in names if name not in stated]

    def others(self, axis: str) -> list[str]:
        """Return the axes that vary beside one; see `comparison_table.others_of`."""
        self._axis(axis)
        return others_of(self.table, self.outline.axes, axis)

    def is_numeric(self, axis: str) -> bool:
        """Return whether the values of an axis are numbers."""
        return bool(self._axis(axis).dtype.is_numeric())

    def experiments(self, axis: str, measure: str) -> Experiments:
        """Return what intervals are made of; see `comparison_table.experiments`."""
        self._check(axis, measure)
        return experiments(self.table, self.outline.axes, axis, measure)

    def means(self, axis: str, measure: str) -> list[Mean]:
        """Return the mean of a measure for each value of an axis, with its confidence interval.

        Warns
        -----
        UserWarning
            If intervals are left out as scipy is not installed; says what to install.
        """
        experiments = self.experiments(axis, measure)
        if not self.can_test:
            warnings.warn(SCIPY.sentence, stacklevel=2)
        rows = self.table.drop_nulls(measure)
        if BLOCK in rows.columns:
            names = [name for name in self.outline.axes if name in rows.columns and name != BLOCK]
            rows = rows.unique(names) if names else rows.head(1)
        runs = Counter(map(label_of_value, rows[axis].to_list()))
        return [self._mean(value, runs[value], experiments.column(value)) for value in self.values_of(axis)]

    def _mean(self, value: str, runs: int, values: FloatArray) -> Mean:
        if len(values) < 2 or not self.can_test:
            mean = float(values.mean()) if len(values) else np.nan
            return Mean(value, runs, len(values), mean, np.nan, np.nan)
        bounds = t_interval(values, level=self.outline.level)
        return Mean(value, runs, len(values), float(bounds.mean), float(bounds.low), float(bounds.high))

    def outcomes(self, axis: str) -> list[dict[str, float]]:
        """Return for each value of an axis what its runs lost in the mean: see `best.MARKED_BY`.

        A run in which nothing changed lost nothing; without any other run the value has no such means.
        """
        values = np.array(list(map(label_of_value, self._axis(axis).to_list())))
        columns = [name for name in MARKED_BY if name in self.table.columns]
        lost = {
            name: column.fill_null(0).to_numpy()
            for name in columns
            if (column := self.table[name]).null_count() < len(column)
        }
        return [
            {name: float(column[values == value].mean()) for name, column in lost.items()}
            for value in self.values_of(axis)
        ]

    def baseline_of(self, axis: str) -> str:
        """Return the value that others are compared with: the study's baseline, or the first value."""
        values = self.values_of(axis)
        stated = self.outline.baseline.get(axis)
        return stated if stated in values else values[0]

    def compare(self, axis: str, measure: str, *, baseline: str | None = None) -> list[Difference]:
        """Compare every value of an axis with one, experiment by experiment.

        Parameters
        ----------
        axis : str
            Such as ``"policy"``.
        measure : str
            A metric's name.
        baseline : str, optional
            A value of the axis. Default: the study's, else the first.

        Returns
        -------
        list of Difference
            In the order of `values_of`, without the baseline; those with fewer than two common experiments
            are left out. Of two values that no chance enters the difference is exact, of one experiment,
            without interval and p-values, which are NaN; of one such value and one that chance enters the
            comparison is that of the drawn one with a fixed number (one-sample t).

        Raises
        ------
        UnknownNameError
            If there is no such axis, measure or value.
        MissingExtraError
            If scipy is not installed.
        """
        experiments = self.experiments(axis, measure)
        first = self.baseline_of(axis) if baseline is None else baseline
        if first not in experiments.names:
            raise UnknownNameError(f"value of the axis {axis}", first, experiments.names)
        pairs = {value: experiments.pair(first, value) for value in self.values_of(axis) if value != first}
        compared = {
            value: paired_comparison(*pair, level=self.outline.level)
            for value, pair in pairs.items()
            if len(pair[0]) > 1
        }
        adjusted = adjusted_p_values([one.t_p_value for one in compared.values()])
        differences = {
            value: Difference(value, one, float(p))
            for (value, one), p in zip(compared.items(), adjusted, strict=True)
        }
        for value, (one, other) in pairs.items():
            if {first, value} <= experiments.certain and len(one):
                exact = exact_difference(float(one[0]), float(other[0]), level=self.outline.level)
                differences[value] = Difference(value, exact, np.nan)
        return [differences[value] for value in pairs if value in differences]

    def ranks(self, axis: str, measure: str) -> tuple[Friedman, tuple[str, ...]] | None:
        """Return Friedman's test of the values of an axis over all blocks, and the values in its order.

        None with fewer than three values or two blocks in which all were run, or where a value is negative.
        Runs that no chance enters are no replications: they are left out, and values that have no other.
        """
        self._check(axis, measure)
        rows = select_drawn(self.table)
        if rows.drop_nulls(axis).is_empty():
            return None
        experiments = blocks(rows, self.outline.axes, axis, measure)
        complete = experiments.complete
        if len(experiments.names) < 3 or len(complete) < 2 or (complete < 0).any():
            return None
        return (
            friedman_test(complete, better=self.better(measure), alpha=self.outline.alpha),
            experiments.names,
        )

    def profile(self, axis: str, measure: str) -> tuple[PerformanceProfile, tuple[str, ...]] | None:
        """Return how often each value of an axis is within a factor of the best, and the values in its order.

        The experiments are all blocks in which all values were run, as for `ranks`, also of runs that no
        chance enters. None with fewer than two values or blocks, or where a value is negative or infinite.
        """
        self._check(axis, measure)
        if self.table.drop_nulls(axis).is_empty():
            return None
        experiments = blocks(self.balanced, self.outline.axes, axis, measure)
        complete = experiments.complete
        if (
            len(experiments.names) < 2
            or len(complete) < 2
            or not (complete >= 0).all()
            or np.isinf(complete).any()
        ):
            return None
        return performance_profile(complete, better=self.better(measure)), experiments.names

    def pareto(self, *measures: str, by: Sequence[str] | None = None) -> list[Choice]:
        """Return the choices in the plane, or the space, of two or three measures, and those on the front.

        Parameters
        ----------
        *measures : str
            Two or three metrics.
        by : sequence of str, optional
            Axes whose combinations are the choices. Default: those of `compared`. Over all others the mean is
            taken.

        Returns
        -------
        list of Choice
            In the order of the axes' values.

        Raises
        ------
        UnknownNameError
            If there is no such axis or measure.
        InputError
            If there are not two or three measures.
        """
        import polars as pl

        chosen = self.choice_axes if by is None else list(by)
        for measure in measures:
            self._check(None, measure)
        for axis in chosen:
            self._axis(axis)
        if len(measures) not in (2, 3) or len(set(measures)) < len(measures):
            raise InputError(
                f"a Pareto front needs two or three different measures, got {', '.join(measures) or 'none'}"
            )
        rows = self.balanced.drop_nulls(measures)
        keys = [pl.col(name) for name in chosen] or [pl.lit("all").alias("all")]
        means = rows.group_by(keys, maintain_order=True).agg(pl.col(name).mean() for name in measures)
        values = means.select(measures).to_numpy().astype(np.float64).reshape(-1, len(measures))
        front = pareto_front(values, better=[self.better(name) for name in measures])
        labels = [tuple(map(label_of_value, row)) for row in means.drop(measures).rows()]
        choices = [
            Choice(names, tuple(point), bool(ahead))
            for names, point, ahead in zip(labels, values.tolist(), front, strict=True)
        ]
        places = self._places(chosen)
        return sorted(choices, key=lambda one: _sort_key(one.labels, places))

    def in_order(self) -> StudyResults:
        """Return the same results with the runs in the order of the axes' values, the first axis slowest.

        Runs that differ in none are in the order of their keys. So whatever counts, sums or shows runs one
        after the other gives the same however many of them ran at once. Cost: O(n log n) for n runs.
        """
        axes = [axis for axis in self.outline.axes if axis in self.table.columns]
        places = self._places(axes)
        rows = zip(*(map(label_of_value, self.table[axis].to_list()) for axis in axes), strict=True)
        by_axes = [_sort_key(row, places) for row in rows] if axes else [[] for _ in self.table["key"]]
        keys = self.table["key"].to_list()
        order = sorted(range(len(keys)), key=lambda run: (by_axes[run], keys[run]))
        return replace(self, table=self.table[order])

    def _places(self, axes: Sequence[str]) -> list[dict[str, int]]:
        """Return the place of each value in its axis."""
        return [{value: place for place, value in enumerate(self.values_of(axis))} for axis in axes]

    def _drop_settled(self, axes: Sequence[str]) -> list[str]:
        """Return axes without those whose values another of them settles, as a policy its parameter."""
        left = list(axes)
        # Of two that settle each other the first one stays.
        for axis in reversed(axes):
            if any(self._settles(other, axis) for other in left if other != axis):
                left.remove(axis)
        return left

    def _settles(self, axis: str, other: str) -> bool:
        return bool(self.table.select(axis, other).n_unique() == self.table[axis].n_unique())

    def needed(self, axis: str, measure: str) -> list[Need]:
        """Return how many replications each value of an axis needs for the study's precision.

        Empty without a replication axis that varies.
        """
        self._check(axis, measure)
        if not self.replicated or axis in REPLICATION_AXES:
            return []
        beside = self.others(axis)
        where, samples = cells(self.table, self.outline.axes, measure)
        needs: dict[str, Need] = {}
        for row, values in zip(where.rows(named=True), samples, strict=True):
            if len(values) < 2:
                continue
            if row.get(axis) is None:
                continue
            value = label_of_value(row[axis])
            needed = needed_replications(values, relative=self.outline.precision, level=self.outline.level)
            others = JOINT.join(label_of_value(row[name]) for name in row if name in beside)
            before = needs.get(value)
            fewest = len(values) if before is None else min(before.replications, len(values))
            if before is None or needed > before.needed:
                needs[value] = Need(value, fewest, needed, others)
            else:
                needs[value] = before._replace(replications=fewest)
        return [needs[value] for value in self.values_of(axis) if value in needs]

    def dependence(self, axis: str, measure: str) -> dict[str, float]:
        """Return the lag-1 autocorrelation of the blocks' means of each value of an axis.

        Empty where runs are not cut into blocks; NaN with fewer than three blocks. See
        `echelon.analysis.lag_one_autocorrelation`.
        """
        if BLOCK not in self.replicated or axis == BLOCK:
            return {}
        experiments = self.experiments(axis, measure)
        return {value: lag_one_autocorrelation(experiments.column(value)) for value in self.values_of(axis)}

    def effects(self, measure: str) -> dict[str, MainEffect]:
        """Return the main effect of each axis on a measure, see `echelon.analysis.main_effects`."""
        self._check(None, measure)
        import polars as pl

        table = self.balanced
        values = table[measure].cast(pl.Float64).fill_null(np.nan).to_numpy()
        axes = {axis: [label_of_value(value) for value in table[axis].to_list()] for axis in self.axes}
        return main_effects(values, axes)

    def joint(self, *axes: str) -> StudyResults:
        """Return the same results with several axes as one, named and valued by theirs, joined by `` · ``.

        Raises
        ------
        UnknownNameError
            If there is no such axis.
        """
        rows = list(zip(*(map(label_of_value, self._axis(axis).to_list()) for axis in axes), strict=True))
        name = JOINT.join(axes)
        import polars as pl

        column = pl.Series(name, list(map(JOINT.join, rows)), dtype=pl.String)
        places = self._places(axes)
        ordered = sorted(dict.fromkeys(rows), key=lambda row: _sort_key(row, places))
        outline = replace(
            self.outline,
            axes=(name, *(axis for axis in self.outline.axes if axis not in axes)),
            values={**self.outline.values, name: tuple(map(JOINT.join, ordered))},
        )
        return replace(self, outline=outline, table=self.table.with_columns(column))

    def as_one(self) -> StudyResults:
        """Return the same results with an axis on which all runs have one value: the study's name.

        So a study that compares nothing has means with intervals, too.
        """
        import polars as pl

        axes = (ALL, *(axis for axis in self.outline.axes if axis != ALL))
        outline = replace(self.outline, axes=axes)
        return replace(
            self, outline=outline, table=self.table.with_columns(pl.lit(self.outline.name).alias(ALL))
        )

    def where(self, **values: object) -> StudyResults:
        """Return the results of the runs that have these values: ``results.where(load=1.2)``.

        Raises
        ------
        UnknownNameError
            If there is no such axis or value.
        """
        table = self.table
        for axis, value in values.items():
            names = [label_of_value(one) for one in self._axis(axis).to_list()]
            wanted = label_of_value(value)
            if wanted not in names:
                raise UnknownNameError(f"value of the axis {axis}", wanted, set(names))
            table = table.filter([label_of_value(one) == wanted for one in table[axis].to_list()])
        return replace(self, table=table)

    def _axis(self, axis: str) -> pl.Series:
        if axis not in self.outline.axes or axis not in self.table.columns:
            raise UnknownNameError(
                "axis", axis, [name for name in self.outline.axes if name in self.table.columns]
            )
        return self.table[axis]

    def _check(self, axis: str | None, measure: str) -> None:
        if axis is not None:
            self._axis(axis)
        self.metric(measure)

    def __repr__(self) -> str:
        return f"StudyResults({self.outline.name!r}, {len(self.table)} runs, axes {', '.join(self.axes)})"


def _sort_key(row: Sequence[str], places: Sequence[Mapping[str, int]]) -> list[int]:
    """Return a key by which rows of values are ordered as their axes are; no value comes first."""
    return [place.get(value, -1) for place, value in zip(places, row, strict=False)]


def _natural_key(name: str) -> list[tuple[bool, int | str]]:
    """Return a key by which ``k=10`` comes after ``k=9``."""
    return [(part.isdigit(), int(part) if part.isdecimal() else part) for part in re.split(r"(\d+)", name)]
