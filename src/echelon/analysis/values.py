"""What every comparison begins with: one value for each experiment and strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from echelon.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

FloatArray: TypeAlias = NDArray[np.float64]
"""float64 of any shape; strategies are always the last axis."""

BoolArray: TypeAlias = NDArray[np.bool_]
"""bool of any shape."""

Better: TypeAlias = Literal["low", "high"]
"""Which end of a metric's scale is good."""


def checked_values(
    values: ArrayLike, *, axes: int | None = None, missing: bool = False, infinite: bool = False
) -> FloatArray:
    """Return measured values as float64.

    Parameters
    ----------
    values : array-like, shape (..., n_strategies)
        Finite, >= 0: all metrics of a schedule are.
    axes : int, optional
        How many axes they must have: 2 for one row an experiment. Default: at least one.
    missing : bool, default False
        Whether NaN may stand for a strategy that failed.
    infinite : bool, default False
        Whether infinity is a value: a degradation against a best of 0.

    Raises
    ------
    InputError
        If they are something else, or there are none; the message has the place of the first wrong one.
    """
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"must be numbers, got {values!r:.80}", field="values") from error
    if not found.size or found.ndim < (axes or 1) or (axes and found.ndim > axes):
        wanted = {None: "a row", 1: "one row of values"}.get(axes, "a row an experiment, a column a strategy")
        raise InputError(f"must be {wanted}, got shape {found.shape}", field="values")
    good = (found >= 0) & (infinite | (found < np.inf)) | (missing & np.isnan(found))
    if not good.all():
        place = tuple(int(part) for part in np.argwhere(~good)[0])
        expected = f"{'' if infinite else 'finite and '}>= 0{', or NaN' if missing else ''}"
        raise InputError(f"must be {expected}, got {found[place]:g} at {place}", field="values")
    return found


def best_of(values: FloatArray, better: Better) -> FloatArray:
    """Return the best value of each row; the last axis is kept, with length 1."""
    if better not in ("low", "high"):
        raise UnknownNameError("direction", str(better), ("low", "high"))
    best: FloatArray = (np.min if better == "low" else np.max)(values, axis=-1, keepdims=True)
    return best
