"""Taking some of a workload's jobs: by time, by count, by a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError, UnknownNameError
from echelon.model.jobs.fields import FIELD_NAMES
from echelon.quantities import tally
from echelon.workloads.transform.record import record_transform

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from numpy.typing import NDArray

    from echelon.model import JobRecord, Workload


def window(workload: Workload, *, start: float | None = None, end: float | None = None) -> Workload:
    """Return the jobs submitted in [start, end), with their submit times as they were.

    Parameters
    ----------
    workload : Workload
        In any order.
    start, end : float, optional
        In seconds of the log. Default: no bound. A job submitted at `start` is in, one at `end` is out.
        With a bound, jobs without a submit time (negative) are out.

    Raises
    ------
    InputError
        If a bound is not a number or `end` <= `start`.

    Notes
    -----
    `shift` moves the window to 0. Cost: O(n).
    """
    if any(bound is not None and np.isnan(bound) for bound in (start, end)):
        raise InputError(f"must be times in seconds, got start {start} and end {end}", field="window")
    if start is not None and end is not None and end <= start:
        raise InputError(f"must end after its start, got {start:g} to {end:g} s", field="window")
    submit = workload.submit_time
    keep = np.ones(len(workload), dtype=np.bool_) if start is None and end is None else submit >= 0
    if start is not None:
        keep &= submit >= start
    if end is not None:
        keep &= submit < end
    since = "the log's start" if start is None else f"{start:.15g} s"
    until = "its end" if end is None else f"before {end:.15g} s"
    return take_marked(workload, keep, f"submitted from {since} to {until}")


def head(workload: Workload, first: int | None = None, *, skip: int = 0) -> Workload:
    """Return the `first` jobs after `skip` others, in the workload's order.

    Parameters
    ----------
    workload : Workload
        In any order.
    first : int, optional
        Number of jobs, >= 0; fewer are returned if there are fewer. Default: all.
    skip : int, default 0
        Number of jobs left out before them, >= 0.

    Raises
    ------
    InputError
        If a number is negative.
    """
    for name, number in (("first", first), ("skip", skip)):
        if number is not None and number < 0:
            raise InputError(f"must be a number of jobs >= 0, got {number}", field=name)
    position = np.arange(len(workload))
    end = len(workload) if first is None else skip + first
    wanted = "all jobs" if first is None else f"the first {first} jobs"
    skipped = f" after skipping {skip}" if skip else ""
    return take_marked(workload, (position >= skip) & (position < end), f"{wanted}{skipped}")


def filter(  # noqa: A001  (the field's word, and always used as transform.filter)
    workload: Workload,
    keep: NDArray[np.bool_] | Callable[[JobRecord], bool] | None = None,
    *,
    field: str | None = None,
    values: Collection[float | str] | None = None,
) -> Workload:
    """Return the jobs that a mask marks, a rule accepts, or whose `field` is one of `values`.

    Parameters
    ----------
    workload : Workload
        In any order.
    keep : ndarray of bool, shape (n_jobs,), or callable (JobRecord) -> bool, optional
        The jobs to keep.
    field : str, optional
        A name of `echelon.model.jobs.fields.FIELDS` or ``processors``; with `values` and instead of `keep`.
    values : collection of numbers or names, optional
        Values kept. Names are those behind the field's codes: ``field="user", values=["alice"]``.

    Raises
    ------
    InputError
        If neither or both of `keep` and `field` are given, `values` are missing, or a mask has another
        length.
    UnknownNameError
        If `field` is no field, or a name is none of the field's.

    Notes
    -----
    Cost: O(n); a callable is called once a job, about 1 µs each in addition to its own time.
    """
    if (keep is None) == (field is None) or (field is None) != (values is None):
        raise InputError("filter needs a mask or rule, or field= and values=, and not both", field="filter")
    if field is not None and values is not None:
        listing = ", ".join(map(str, values))
        return take_marked(workload, _one_of(workload, field, values), f"{field} is one of {listing:.200}")
    if callable(keep):
        name = getattr(keep, "__name__", "a rule")
        mask = np.array([bool(keep(job)) for job in workload], dtype=np.bool_)
        return take_marked(workload, mask, f"those that {name} accepts")
    mask = np.asarray(keep)
    if mask.dtype != np.bool_ or mask.shape != (len(workload),):
        raise InputError(
            f"must be {len(workload)} truth values, one a job, got {mask.dtype} of shape {mask.shape}",
            field="keep",
        )
    return take_marked(workload, mask, "those of a given mask")


def keep_runnable(workload: Workload) -> Workload:
    """Return the jobs that can be simulated: run time > 0, a size, submit time >= 0.

    The filter of the study of SST's policies on the SDSC SP2 log, which kept 54,034 of its 59,715 jobs; and
    what the ``.sim`` format can hold.
    """
    fit = (workload.run_time > 0) & (workload.processors > 0) & (workload.submit_time >= 0)
    return take_marked(workload, fit, "run time > 0, a size and submit time >= 0")


def _one_of(workload: Workload, field: str, values: Collection[float | str]) -> NDArray[np.bool_]:
    if field not in (*FIELD_NAMES, "processors"):
        raise UnknownNameError("field", field, (*FIELD_NAMES, "processors"))
    column = workload.processors if field == "processors" else workload.columns[field]
    return np.isin(column, [_code(workload, field, value) for value in values])


def _code(workload: Workload, field: str, value: float | str) -> float:
    if not isinstance(value, str):
        return value
    names = workload.names.get(field, ())
    if value not in names:
        raise UnknownNameError(field, value, names)
    return names.index(value) + 1


def take_marked(workload: Workload, keep: NDArray[np.bool_], rule: str) -> Workload:
    """Return the jobs that a mask marks; `rule` says in the header which these are, as a clause."""
    left = workload.take(np.flatnonzero(keep))
    sentence = f"kept {int(keep.sum())} of {len(workload)} jobs: {rule}"
    return record_transform(left, sentence + _cut(workload, left, keep))


def _cut(workload: Workload, selection: Workload, keep: NDArray[np.bool_]) -> str:
    """Return what is to be said of jobs that no longer wait for those left out."""
    whole, left = workload.dependencies, selection.dependencies
    if whole is None or left is None:
        return ""
    cut = int(keep[whole.successor].sum()) - len(left.predecessor)
    return f"; they no longer wait for those left out ({tally(cut, 'time')})" if cut else ""
