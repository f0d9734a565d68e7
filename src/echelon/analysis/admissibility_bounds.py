"""Bounds of the worst case of brokers under adaptive admissibility, as functions of its factor a.

They hold for MCT and MLB over sites whose local scheduler keeps ``C_k <= 2 max(p_max, W_k / s_k)``:
C_k is when site k of s_k processors ends work W_k of jobs no longer than p_max that are all there at once.
First-fit does, with any order, as does whatever never leaves a job waiting that fits now: while a job waits,
what runs and what it needs exceed the site, and so do the processors in use at two times more than p_max
apart. Schedulers that hold processors back for a waiting job (none, easy, conservative) do not keep it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from echelon.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from echelon.analysis.values import FloatArray
    from echelon.model.jobs.columns import FloatColumn, IntColumn

Case: TypeAlias = Literal[1, 2]
"""1: a <= s_f,m / s_f0,m. 2: a > s_f,m / s_f0,m. See `bound_case`."""

SMALL_JOBS_APPROXIMATION = 3.0
"""Theorem 4, off line: if every job fits the smallest site and all sites are admissible."""

SMALL_JOBS_COMPETITIVE = 5.0
"""Theorem 4, on line."""


def approximation_factor(a: ArrayLike, *, case: Case | None = None) -> FloatArray:
    r"""Return what C_max is at most times the optimum, if all jobs are there at the start.

    :math:`1 + 2 / a^2` in case 1, :math:`1 + 2 / (a (1 - a))` in case 2.

    Parameters
    ----------
    a : array-like
        Factor of admissibility, above 0 and at most 1.
    case : {1, 2}, optional
        Which, see `bound_case`. Default: the larger of both, which is least, 9, at a = 0.5.

    Returns
    -------
    ndarray of float, shaped as a
        At least 3; infinite in case 2 at a = 1.

    Raises
    ------
    InputError
        If a factor is out of its range.
    UnknownNameError
        If `case` is neither.

    Notes
    -----
    For a <= 0.5 case 2 never happens, and ``1 + 2 / (a (1 - a))``, there the smaller, holds as well: the
    smallest job that runs on the sites f to l may go to f, so s_f,m > (1 - a) s_f0,m always.

    Source: Quezada Pina, CICESE 2012, theorems 1 and 2; their statements print s_f,l in the
    conditions where their proofs have s_f,m.
    """
    return 1 + _twice_the_work(a, case)


def competitive_factor(a: ArrayLike, *, case: Case | None = None) -> FloatArray:
    """Return what C_max is at most times the optimum, if jobs arrive over time: the off-line factor plus 2.

    Parameters
    ----------
    a : array-like
        Factor of admissibility, above 0 and at most 1.
    case : {1, 2}, optional
        Which, see `bound_case`. Default: the larger of both, which is least, 11, at a = 0.5.

    Returns
    -------
    ndarray of float, shaped as a
        At least 5; infinite in case 2 at a = 1.

    Raises
    ------
    InputError
        If a factor is out of its range.
    UnknownNameError
        If `case` is neither.

    Notes
    -----
    Its proof begins again with all processors idle at the last submission.

    Source: Quezada Pina, CICESE 2012, theorem 3.
    """
    return 3 + _twice_the_work(a, case)


def bound_case(sizes: ArrayLike, *, a: float, f0: int, f: int) -> Case:
    """Return which case of the bounds holds.

    Parameters
    ----------
    sizes : array-like of int, shape (n_sites,)
        Processors of the sites, ascending.
    a : float
        Factor of admissibility, above 0 and at most 1.
    f0, f : int
        0-based: f is the first site that can hold the last job assigned to the site that ends last, f0 the
        first that can hold the smallest job run on the sites admissible to that job; f0 <= f.

    Raises
    ------
    InputError
        If there is no such site, or `a` is out of its range.

    Notes
    -----
    Source: Quezada Pina, CICESE 2012, proofs of theorems 1 and 2.
    """
    processors = np.asarray(sizes, dtype=np.int64)
    if not 0 <= f0 <= f < len(processors):
        raise InputError(f"must be 0 <= f0 <= f < {len(processors)}, got {f0} and {f}", field="sites")
    within = float(_factors(a)) * processors[f0:].sum() <= processors[f:].sum()
    return 1 if within else 2


def grid_lower_bound(submit: FloatColumn, run: FloatColumn, size: IntColumn, *, sites: IntColumn) -> float:
    """Return a lower bound of any C_max on a grid, in seconds, from what each job cannot run on.

    For every site k, the jobs too large for all smaller sites must run on k and the larger ones. The largest
    of the work of those over the processors of these, and of max(submit + run).

    Parameters
    ----------
    submit, run : FloatColumn, shape (n_jobs,)
        In seconds; at least one job.
    size : IntColumn, shape (n_jobs,)
        Processors of each job, at most those of the largest site.
    sites : IntColumn, shape (n_sites,)
        Processors of the sites, ascending.

    Returns
    -------
    float
        Never below the bound of the metric ``lower_bound``, which takes the grid for one machine.

    Raises
    ------
    InputError
        If there is no job, or one fits no site.

    Notes
    -----
    The proofs of the theorems use no more of the optimum than this, so that their factors hold against it,
    too. Cost: O(n log m).
    """
    if not len(size) or size.max() > sites[-1]:
        raise InputError(
            f"needs jobs of 1 to {sites[-1]} processors, got {size.max(initial=0)}", field="size"
        )
    work = np.bincount(np.searchsorted(sites, size), weights=run * size, minlength=len(sites))
    from_here = np.cumsum(work[::-1]) / np.cumsum(sites[::-1])
    return max(float((submit + run).max()), float(from_here.max()))


def _twice_the_work(a: ArrayLike, case: Case | None) -> FloatArray:
    factors = _factors(a)
    if case not in (None, 1, 2):
        raise UnknownNameError("case", str(case), ("1", "2"))
    with np.errstate(divide="ignore"):
        first, second = 2 / factors**2, 2 / (factors * (1 - factors))
    return np.asarray({1: first, 2: second, None: np.maximum(first, second)}[case])


def _factors(a: ArrayLike) -> FloatArray:
    try:
        factors = np.asarray(a, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"must be a number with 0 < a <= 1, got {a!r:.60}", field="a") from error
    if not ((factors > 0) & (factors <= 1)).all():
        raise InputError(f"must be a number with 0 < a <= 1, got {a!r:.60}", field="a")
    return factors
