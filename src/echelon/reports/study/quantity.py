"""A measure on the page: its name, its one unit, its values as people read them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics.registry.labels import label_of, scale_of
from echelon.plotting import MetricStyle
from echelon.quantities import TIME_UNITS, bounds, figure, half_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.experiments.study.results.findings import Mean
    from echelon.experiments.study.results.results import StudyResults
    from echelon.metrics import Metric

PLAIN = MetricStyle()
"""No label and no unit of a style: those that suit."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A measure with the one unit that all its values on the page share.

    Parameters
    ----------
    name : str
        The metric's.
    label : str
        What people call it.
    unit : str
        The unit's sign; empty for a ratio.
    factor : float
        From the metric's unit to this one.
    better : {"low", "high"} or None
        Which end is good.
    metric : Metric
        It declares the range in which intervals are shown.
    """

    name: str
    label: str
    unit: str
    factor: float
    better: str | None
    metric: Metric

    @classmethod
    def of(cls, results: StudyResults, measure: str, style: MetricStyle = PLAIN) -> Quantity:
        """Return the measure of these results; its unit suits most of their values, or is the style's."""
        metric = results.metric(measure)
        column = results.table[measure].drop_nulls().to_numpy().astype(np.float64)
        finite = np.sort(np.abs(column[np.isfinite(column)]))
        middle = finite[[len(finite) // 4, 3 * len(finite) // 4]].tolist() if len(finite) else []
        sign, factor = scale_of(metric, middle)
        if style.unit is not None and metric.unit == "s":
            sign, factor = next((one.sign, 1 / one.seconds) for one in TIME_UNITS if one.sign == style.unit)
        label = style.label or label_of(measure, metric.unit).removesuffix(f" ({metric.unit})")
        return cls(measure, label, sign, factor, metric.better, metric)

    @property
    def title(self) -> str:
        """Label with the unit: ``Mean wait, h``."""
        return f"{self.label}, {self.unit}" if self.unit else self.label

    @property
    def label_with_unit(self) -> str:
        """Label with the unit if it does not say it: ``Mean wait (min)``, ``Jobs``."""
        says_it = not self.unit or self.unit in self.label.lower().split()
        return self.label if says_it else f"{self.label} ({self.unit})"

    def scale(self, value: float) -> float:
        """Return a value of the metric in this unit."""
        return value * self.factor

    def format(self, value: float, digits: int = 4) -> str:
        """Return a value of the metric as text, without the unit."""
        return figure(self.scale(value), digits) if math.isfinite(value) else "–"

    def whole(self, value: float) -> str:
        """Return a value of the metric as text, with the unit."""
        return f"{self.format(value)} {self.unit}".rstrip()

    def within(self, one: Mean) -> Mean:
        """Return a mean with the part of its interval that lies in the range of the metric."""
        low, high = self.metric.within(one.low, one.high)
        return one._replace(low=low, high=high)

    def interval(self, one: Mean) -> tuple[float, float]:
        """Return the bounds of a mean's interval in this unit, within the range of the metric."""
        shown = self.within(one)
        return self.scale(shown.low), self.scale(shown.high)

    def is_cut(self, means: Sequence[Mean]) -> bool:
        """Return whether some interval leaves the range of the metric, and is shown without that part."""
        intervals = [one for one in means if math.isfinite(one.low)]
        return any(self.within(one) != one for one in intervals)

    def format_intervals(self, means: Sequence[Mean]) -> list[str]:
        """Return the interval of each mean as text, without the unit; empty where there is none.

        ``± 0.13``; if one of them leaves the range of the metric, all by their bounds: ``[0 to 4.7]``.
        """
        cut = self.is_cut(means)
        return [self._format_interval(one, cut=cut) if math.isfinite(one.high) else "" for one in means]

    def _format_interval(self, one: Mean, *, cut: bool) -> str:
        return bounds(*self.interval(one)) if cut else half_width(self.scale(one.high - one.mean))
