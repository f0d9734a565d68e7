"""Main effects: how much of what is measured each axis of a study explains by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from echelon.analysis.values import FloatArray


@dataclass(frozen=True, slots=True)
class MainEffect:
    """What the values of one axis do to the mean, everything else averaged over.

    Attributes
    ----------
    effects : mapping of str to float
        Mean with this value of the axis minus the mean over all its values, by value.
    share : float
        Of the variance of all runs, the part between the values' means: 0 to 1, NaN where nothing varies.
    """

    effects: Mapping[str, float]
    share: float

    @property
    def range(self) -> float:
        """The largest effect minus the smallest."""
        return max(self.effects.values()) - min(self.effects.values())


def main_effects(values: ArrayLike, axes: Mapping[str, Sequence[str]]) -> dict[str, MainEffect]:
    r"""Return the main effect of each axis.

    With :math:`\bar y_v` the mean of the :math:`n_v` runs whose axis has the value v, the effect of v is
    :math:`\bar y_v` minus the mean of all :math:`\bar y_v`, and the axis's share is
    :math:`\sum_v n_v (\bar y_v - \bar y)^2 / \sum_i (y_i - \bar y)^2`.

    Parameters
    ----------
    values : array-like, shape (n_runs,)
        A measure of each run; NaN for one that failed, which is left out.
    axes : mapping of str to sequence of str
        The value that each axis has in each run.

    Returns
    -------
    dict of str to MainEffect
        In the order of `axes`; those without any run left are not in it.

    Raises
    ------
    InputError
        If an axis has not one value a run.

    Notes
    -----
    Where each combination of values was run equally often (a cartesian product), the shares of the axes add
    up to at most 1, and what is left is interaction and chance; otherwise axes may share what they explain.
    Cost: O(n) an axis.

    Source: Montgomery, Design and Analysis of Experiments, 2017, section 5.3; the share is the first-order
    index of Sobol', Mathematics and Computers in Simulation 55, 2001, of a full factorial design.
    """
    found = np.asarray(values, dtype=np.float64)
    known = ~np.isnan(found)
    effects = {}
    for axis, names in axes.items():
        if len(names) != len(found):
            raise InputError(f"needs one value a run, {len(found)}, got {len(names)}", field=axis)
        if known.any():
            effects[axis] = _effect(found[known], np.asarray(names, dtype=np.str_)[known])
    return effects


def _effect(values: FloatArray, names: NDArray[np.str_]) -> MainEffect:
    levels, first, code, count = np.unique(names, return_index=True, return_inverse=True, return_counts=True)
    means = np.bincount(code, weights=values) / count
    total = float(((values - values.mean()) ** 2).sum())
    between = float((count * (means - values.mean()) ** 2).sum())
    order = np.argsort(first)
    by_value = {str(levels[place]): float(means[place] - means.mean()) for place in order}
    return MainEffect(by_value, between / total if total else np.nan)
