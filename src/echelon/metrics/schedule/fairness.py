"""Fairness between users: what each got, and how equal that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.columns import distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn


class UserMeans(NamedTuple):
    """One entry a user, ascending by code.

    Attributes
    ----------
    code : IntColumn, shape (n_users,)
        The user's code in the log.
    jobs : IntColumn, shape (n_users,)
        Jobs of the user.
    area_share : FloatColumn, shape (n_users,)
        Share of the processor-seconds of all these users, 0 to 1.
    mean_wait : FloatColumn, shape (n_users,)
        In seconds.
    mean_bounded_slowdown : FloatColumn, shape (n_users,)
        Dimensionless, >= 1.
    """

    code: IntColumn
    jobs: IntColumn
    area_share: FloatColumn
    mean_wait: FloatColumn
    mean_bounded_slowdown: FloatColumn


def user_means(
    user: IntColumn, wait: FloatColumn, bounded_slowdown: FloatColumn, *, area: FloatColumn
) -> UserMeans:
    """Return what each known user computed, waited and suffered on average.

    Parameters
    ----------
    user : IntColumn, shape (n_jobs,)
        Code of each job's user; jobs with a negative one are of no known user and do not count.
    wait : FloatColumn, shape (n_jobs,)
        In seconds.
    bounded_slowdown : FloatColumn, shape (n_jobs,)
        Dimensionless.
    area : FloatColumn, shape (n_jobs,)
        Run time times size, in processor-seconds.

    Returns
    -------
    UserMeans
        Empty if no user is known.

    Notes
    -----
    Cost: O(n log n).
    """
    has_user = user >= 0
    all_known = bool(has_user.all())
    code, place = distinct(user if all_known else user[has_user])
    jobs = np.bincount(place, minlength=len(code))

    def sum_of(column: FloatColumn) -> FloatColumn:
        of_known = column if all_known else column[has_user]
        return np.bincount(place, weights=of_known, minlength=len(code)).astype(np.float64)

    areas = sum_of(area)
    share = areas / (areas.sum() or 1.0)
    return UserMeans(code, jobs, share, sum_of(wait) / jobs, sum_of(bounded_slowdown) / jobs)


def jain_index(values: FloatColumn) -> float:
    r"""Jain's fairness index: :math:`(\sum x)^2 / (n \sum x^2)`; 1 if all get the same, 1/n if one gets all.

    Parameters
    ----------
    values : FloatColumn, shape (n,)
        What each of at least one user got, >= 0, in any unit: the index has none.

    Returns
    -------
    float
        Dimensionless, 1/n to 1; 1 if all values are 0, which is the same for all.

    Raises
    ------
    InputError
        If there is no value, or one is negative or not finite.

    Notes
    -----
    It says how equal the values are, not how good: if all users wait a week it is 1.

    Cost: O(n).

    Source: Jain, Chiu and Hawe, "A quantitative measure of fairness and discrimination for resource
    allocation in shared computer systems", DEC-TR-301, 1984.
    """
    largest = _largest(values)
    if largest == 0:
        return 1.0
    # Divided by the largest, no square overflows and not all vanish.
    scaled = values / largest
    return float(scaled.sum() ** 2 / (len(scaled) * (scaled**2).sum()))


def lorenz_curve(values: FloatColumn) -> NDArray[np.float64]:
    """Return the Lorenz curve: the share that the k users with least have together, for k = 0 to n.

    Parameters
    ----------
    values : FloatColumn, shape (n,)
        What each of at least one user has, >= 0, such as processor-seconds.

    Returns
    -------
    ndarray of float, shape (n + 1,)
        From 0 to 1, ascending and convex; the diagonal k / n if all have the same, also where that is 0.

    Raises
    ------
    InputError
        If there is no value, or one is negative or not finite.

    Notes
    -----
    Cost: O(n log n).

    Source: Lorenz, "Methods of measuring the concentration of wealth", Publications of the American
    Statistical Association 9(70), 1905.
    """
    largest = _largest(values)
    ordered = np.sort(values) / largest if largest else np.ones(len(values))
    sums = np.concatenate((np.zeros(1), np.cumsum(ordered)))
    return np.asarray(sums / sums[-1])


def gini_coefficient(values: FloatColumn) -> float:
    """Return the Gini coefficient: twice the area between the Lorenz curve and the diagonal.

    Parameters
    ----------
    values : FloatColumn, shape (n,)
        What each of at least one user has, >= 0.

    Returns
    -------
    float
        Dimensionless: 0 if all have the same, 1 - 1/n if one has all.

    Raises
    ------
    InputError
        If there is no value, or one is negative or not finite.

    Notes
    -----
    Cost: O(n log n).

    Source: Gini, "Variabilità e mutabilità", 1912; here from the Lorenz curve by trapezoids, which is exact.
    """
    curve = lorenz_curve(values)
    return float(1.0 - (curve[1:] + curve[:-1]).sum() / len(values))


def _largest(values: FloatColumn) -> float:
    if not len(values):
        raise InputError("a share among users needs at least one user, got none")
    wrong = ~(np.isfinite(values) & (values >= 0))
    if wrong.any():
        position = int(wrong.argmax())
        raise InputError(f"expected a finite value >= 0 at position {position}, got {values[position]:g}")
    return float(values.max())
