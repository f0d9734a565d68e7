"""What a style calls the values of axes, and combinations of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.experiments.study.results.findings import JOINT

if TYPE_CHECKING:
    from echelon.plotting import Style
    from echelon.reports.study.quantity import Quantity


def value_label(style: Style, value: str) -> str:
    """Return what a value is called; of a combination of several, each by its own name."""
    if value in style.labels:
        return style.labels[value]
    return JOINT.join(map(style.value, value.split(JOINT)))


def axis_label(style: Style, axis: str) -> str:
    """Return what an axis is called, or several that were joined."""
    return JOINT.join(map(style.axis, axis.split(JOINT)))


def with_unit(quantity: Quantity) -> str:
    """Return what a measure is called, with its unit if it does not say it: ``Mean wait (min)``, ``Jobs``."""
    says_it = not quantity.unit or quantity.unit in quantity.label.lower().split()
    return quantity.label if says_it else f"{quantity.label} ({quantity.unit})"
