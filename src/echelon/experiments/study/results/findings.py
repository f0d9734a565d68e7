"""Findings: what a study's runs say of one value of an axis, or of one choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from echelon.analysis import PairedComparison

JOINT = " · "
"""Between the values of several axes."""

ALL = "study"
"""The axis on which all runs have one value, where nothing is compared."""


class Mean(NamedTuple):
    """A measure of one value of an axis, over all else that varies.

    Attributes
    ----------
    value : str
        The axis's value.
    runs, experiments : int
        How many runs, and of how many experiments the interval is made, see `experiments`.
    mean, low, high : float
        In the metric's unit; the bounds are NaN with fewer than two experiments or without scipy.
    """

    value: str
    runs: int
    experiments: int
    mean: float
    low: float
    high: float


class Difference(NamedTuple):
    """A value of an axis against the baseline.

    Attributes
    ----------
    value : str
        The axis's value.
    found : PairedComparison
        Of the experiments that both were run in.
    adjusted : float
        The paired t's p-value by Holm's correction for all values compared.
    """

    value: str
    found: PairedComparison
    adjusted: float


class Choice(NamedTuple):
    """One point of a Pareto plot: a combination of the axes that say how, and its mean in each measure."""

    labels: tuple[str, ...]
    values: tuple[float, ...]
    is_front: bool

    @property
    def name(self) -> str:
        """Its values on the axes, joined."""
        return JOINT.join(self.labels)


class Need(NamedTuple):
    """How many replications a value of an axis needs.

    Attributes
    ----------
    value : str
        The axis's value.
    replications : int
        The fewest made of any combination.
    needed : float
        For the combination that needs most, see `echelon.analysis.needed_replications`.
    where : str
        That combination, in the values of its other axes.
    """

    value: str
    replications: int
    needed: float
    where: str
