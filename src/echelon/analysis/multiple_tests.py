"""Many tests at once: p-values raised so that the chance of any false alarm stays below one level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from echelon.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from echelon.analysis.values import FloatArray


def adjusted_p_values(p_values: ArrayLike, *, method: Literal["holm", "bonferroni"] = "holm") -> FloatArray:
    """Return p-values adjusted for how many tests were made; compare each with the level itself.

    ``bonferroni``: ``min(1, m p)`` for m tests. ``holm``: sorted ascending, the k-th becomes
    ``max over j <= k of min(1, (m - j + 1) p_j)``: never larger than Bonferroni's, and right just as often.

    Parameters
    ----------
    p_values : array-like, shape (n_tests,)
        From 0 to 1, or NaN for a test that could not be made, which then is not counted.
    method : {"holm", "bonferroni"}, default "holm"
        Which correction.

    Returns
    -------
    ndarray of float, shape (n_tests,)
        In the order given; NaN stays NaN.

    Raises
    ------
    InputError
        If a value is no chance.
    UnknownNameError
        If `method` is neither of these.

    Notes
    -----
    Both keep the family-wise error rate whatever the dependence of the tests. Ties: equal p-values stay
    equal. Cost: O(m log m).

    Source: Holm, Scandinavian Journal of Statistics 6, 1979; Dunn, JASA 56, 1961 (Bonferroni).
    """
    probabilities = np.asarray(p_values, dtype=np.float64)
    if probabilities.ndim != 1:
        raise InputError(f"must be one row of chances, got shape {probabilities.shape}", field="p_values")
    has_value = ~np.isnan(probabilities)
    if not ((probabilities[has_value] >= 0) & (probabilities[has_value] <= 1)).all():
        raise InputError(f"must be from 0 to 1, got {probabilities[has_value].tolist()}", field="p_values")
    if method not in ("holm", "bonferroni"):
        raise UnknownNameError("correction of p-values", str(method), ("holm", "bonferroni"))
    adjusted = np.full(len(probabilities), np.nan)
    adjusted[has_value] = (
        _holm(probabilities[has_value]) if method == "holm" else probabilities[has_value] * has_value.sum()
    )
    return np.asarray(np.minimum(adjusted, 1.0))


def _holm(p_values: FloatArray) -> FloatArray:
    order = np.argsort(p_values, kind="stable")
    stepped = np.arange(len(p_values), 0, -1) * p_values[order]
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.maximum.accumulate(stepped)
    return adjusted
