"""Columns: one-dimensional, read-only arrays that hold workloads and schedules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from echelon.model.jobs.workload import Workload

Column = TypeVar("Column", bound=NDArray[Any])

FloatColumn: TypeAlias = NDArray[np.float64]
"""Times in seconds, memory in kilobytes, shares: float64, shape (n_jobs,)."""

IntColumn: TypeAlias = NDArray[np.int64]
"""Counts, identities and codes: int64, shape (n_jobs,)."""


def float_column(values: ArrayLike, name: str) -> FloatColumn:
    """Return `values` as a read-only float64 column.

    Raises
    ------
    InputError
        If they are not one-dimensional numbers.
    """
    return _freeze(values, name, np.dtype(np.float64))


def int_column(values: ArrayLike, name: str) -> IntColumn:
    """Return `values` as a read-only int64 column.

    Raises
    ------
    InputError
        If they are not one-dimensional whole numbers.
    """
    array = np.asarray(values)
    if array.dtype.kind == "f" and not np.array_equal(array, np.trunc(array)):
        first = int(np.flatnonzero(array != np.trunc(array))[0])
        raise InputError(f"must be whole numbers, got {array[first]} at position {first}", field=name)
    # Larger numbers would change silently.
    if array.dtype.kind in "fu" and (np.abs(array) >= 2.0**63).any():
        first = int(np.flatnonzero(np.abs(array) >= 2.0**63)[0])
        raise InputError(f"must be below 2^63, got {array.flat[first]} at position {first}", field=name)
    return _freeze(array, name, np.dtype(np.int64))


def read_only(column: Column) -> Column:
    """Return `column` itself, read-only from now on."""
    column.flags.writeable = False
    return column


def starts_of(counts: ArrayLike) -> IntColumn:
    """Return where each of several parts of these lengths begins, and the length of all at last."""
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int64)


def ranges(first: IntColumn, stop: IntColumn) -> IntColumn:
    """Return the whole numbers from each first up to its stop, one range behind the other.

    Examples
    --------
    >>> ranges(np.array([3, 8]), np.array([5, 9])).tolist()
    [3, 4, 8]
    """
    lengths = stop - first
    return np.repeat(first - (np.cumsum(lengths) - lengths), lengths) + np.arange(int(lengths.sum()))


def distinct(codes: IntColumn) -> tuple[IntColumn, IntColumn]:
    """Return the distinct values of a column, ascending, and the index of each row's value among them.

    What ``np.unique(codes, return_inverse=True)`` returns, without a sort where the values lie close
    together, as codes of users and classes do.

    Cost: O(n + s) for values that span s < 4 n, else O(n log n).
    """
    low, high = (int(codes.min()), int(codes.max())) if len(codes) else (0, 0)
    if not len(codes) or high - low >= 4 * len(codes):
        values, place = np.unique(codes, return_inverse=True)
        return values, place
    shifted = codes - low
    occurs = np.zeros(high - low + 1, dtype=np.bool_)
    occurs[shifted] = True
    values = np.flatnonzero(occurs)
    rank = np.empty(len(occurs), dtype=np.int64)
    rank[values] = np.arange(len(values))
    return values + low, rank[shifted]


def _freeze(values: ArrayLike, name: str, dtype: np.dtype[Any]) -> NDArray[Any]:
    try:
        array = np.asarray(values).astype(dtype, copy=False)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"must be numbers, got {values!r:.80}", field=name) from error
    if array.ndim != 1:
        raise InputError(f"must have one dimension, got shape {array.shape}", field=name)
    if array.flags.writeable:
        # The caller keeps a writable array of its own; a column must not change under its owner.
        array = read_only(array.copy())
    return array


def has_groups(workload: Workload, column: str) -> bool:
    """Return whether a log's jobs are of at least two known users, partitions, queues or accounts."""
    codes = workload.int_column(column)
    groups = codes[codes >= 0]
    return bool(len(groups)) and int(groups.min()) != int(groups.max())


def code_names(workload: Workload, column: str, codes: Sequence[int]) -> list[str | None]:
    """Return the names behind codes of a column such as ``"user"``.

    A code is its own text where the log names none, and None where the column is unknown.
    """
    names = workload.names.get(column, ())
    name_count = len(names)
    return [names[code - 1] if 1 <= code <= name_count else None if code < 0 else str(code) for code in codes]
