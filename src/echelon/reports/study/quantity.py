"""A measure on the page: its name, its one unit, its values as people read them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics.registry.labels import label_of, scale_of
from echelon.quantities import figure

if TYPE_CHECKING:
    from echelon.experiments.study.results.results import StudyResults


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
    """

    name: str
    label: str
    unit: str
    factor: float
    better: str | None

    @classmethod
    def of(cls, results: StudyResults, measure: str) -> Quantity:
        """Return the measure of these results; its unit suits most of their values."""
        metric = results.metric(measure)
        column = results.table[measure].drop_nulls().to_numpy().astype(np.float64)
        finite = np.sort(np.abs(column[np.isfinite(column)]))
        middle = finite[[len(finite) // 4, 3 * len(finite) // 4]].tolist() if len(finite) else []
        sign, factor = scale_of(metric, middle)
        label = label_of(measure, metric.unit)
        return cls(measure, label.removesuffix(f" ({metric.unit})"), sign, factor, metric.better)

    @property
    def title(self) -> str:
        """Label with the unit: ``Mean wait, h``."""
        return f"{self.label}, {self.unit}" if self.unit else self.label

    def scaled(self, value: float) -> float:
        """Return a value of the metric in this unit."""
        return value * self.factor

    def said(self, value: float, digits: int = 4) -> str:
        """Return a value of the metric as text, without the unit."""
        return figure(self.scaled(value), digits) if math.isfinite(value) else "–"

    def whole(self, value: float) -> str:
        """Return a value of the metric as text, with the unit."""
        return f"{self.said(value)} {self.unit}".rstrip()
