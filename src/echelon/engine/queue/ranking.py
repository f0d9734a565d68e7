"""Ranking: the queue's total order as numbers, where an order does not change with time."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from echelon.errors import PolicyError
from echelon.model.streams import stream

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from echelon.engine.contract import Scenario
    from echelon.model import Instance, Job
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies import Order, SystemView


class _ViewRead(Exception):  # noqa: N818  (a signal, not an error)
    """Raised when the rule reads the view, so its keys change with time."""


def _look(*_: object) -> NoReturn:
    raise _ViewRead("submit_time")


_OPERATIONS = (
    "eq ne lt le gt ge hash bool float int index round trunc floor ceil neg pos abs add radd sub rsub mul "
    "rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow divmod rdivmod repr str format"
)
_NOT_YET: object = type("NotYet", (), {f"__{name}__": _look for name in _OPERATIONS.split()})()
"""Stands for a submit time that is not known yet: notices that a rule does anything with it."""


class _NoView:
    """Replaces the view while keys are computed once: allows `draw`, detects any other access."""

    def __init__(self, instance: Instance, seed: int) -> None:
        self._instance, self._seed = instance, seed
        self._draws: FloatColumn | None = None

    def draw(self, job: Job | _Columns) -> np.float64 | FloatColumn:
        if self._draws is None:  # drawn at first use: a run records which streams it draws
            self._draws = draws(self._instance, self._seed)
        number: np.float64 | FloatColumn = self._draws[job.position]
        return number

    def __getattr__(self, name: str) -> NoReturn:
        raise _ViewRead(name)


class _Columns:
    """Replaces a job while a columnar rule is computed for all jobs at once: attributes are columns."""

    def __init__(self, instance: Instance) -> None:
        self.position = np.arange(len(instance))
        self.job_id = instance.workload.job_id[instance.kept]
        self.submit_time = instance.submit_time
        self.processors = instance.size
        self.planned_time = instance.planned_time


def draws(instance: Instance, seed: int) -> FloatColumn:
    """Return the uniform random number of each job: stream ``"order"`` of the seed, by position."""
    return stream(seed, "order").random(len(instance))


def ranks(instance: Instance, order: Order, seed: int) -> IntColumn | None:
    """Return each job's rank in the total order (key, submit time, position), or None if keys change.

    Returns
    -------
    IntColumn, shape (n_jobs,), or None
        0 is first. None when the rule reads the view: its keys must be computed in every cycle.

    Raises
    ------
    PolicyError
        If a key is not a finite number or a tuple of them, or keys have different lengths.

    Notes
    -----
    Cost: O(n log n), and one call of the rule a job unless it is columnar.
    """
    if (columns := _columns_of(instance, order, seed)) is None:
        return None
    return _positions(instance, [column for column in columns if len(column) and (column != column[0]).any()])


def before_release(instance: Instance) -> Instance:
    """Return `instance` with submit times unknown: a rule that uses one counts as one that reads the view."""
    return replace(instance, submit_time=np.full(len(instance), _NOT_YET, dtype=object))


def levels(instance: Instance, order: Order, seed: int) -> IntColumn | None:
    """Return each job's place among all different keys, or None if keys change or need the submit time.

    Returns
    -------
    IntColumn, shape (n_jobs,), or None
        0 is least. Jobs of equal keys have equal ranks; among them the earlier submission comes first.

    Raises
    ------
    PolicyError
        As for `ranks`.

    Notes
    -----
    Cost: that of `ranks`.
    """
    columns = _columns_of(before_release(instance), order, seed)
    return None if columns is None else dense_ranks(*(column for column in columns if len(column)))


def dense_ranks(*columns: NDArray[Any]) -> IntColumn:
    """Return the place of each row among all different rows, the first column counting most; 0 is least.

    Cost: O(n log n) for each column.
    """
    order = np.lexsort(columns[::-1])
    differs = np.zeros(max(len(order) - 1, 0), dtype=np.bool_)
    for column in columns:
        differs |= column[order[1:]] != column[order[:-1]]
    place = np.zeros(len(order), dtype=np.int64)
    place[order[1:]] = np.cumsum(differs)
    return place


def reads_view(instance: Instance, order: Order, seed: int, *, sample: int = 32) -> bool:
    """Return whether `order` reads the view for one of the first `sample` jobs."""
    view = _NoView(instance, seed)
    try:
        for job in instance.jobs(sample):
            check_key(order, job, view)
    except _ViewRead:
        return True
    return False


class KeysAtSubmission:
    """Places in the queue by planned times and releases of a run: known only when each job is submitted.

    Parameters
    ----------
    scenario : Scenario
        Its instance and seed.
    order : Order
        Of the queue.
    """

    def __init__(self, scenario: Scenario, order: Order) -> None:
        self._order = order
        self._view = _NoView(scenario.instance, scenario.seed)
        self._first: tuple[float, ...] = ()

    def grow(self, scenario: Scenario) -> None:
        """Take in jobs that were not known before."""
        self._view = _NoView(scenario.instance, scenario.seed)

    def key(self, job: Job) -> tuple[object, ...] | None:
        """Return (key, submit time, position) of `job`, or None if the rule reads the view.

        Raises
        ------
        PolicyError
            If the key is not a finite number or a tuple of them, or not as long as those before.
        """
        try:
            key = check_key(self._order, job, self._view)
        except _ViewRead:
            return None
        self._first = self._first or key
        check_lengths(self._order, (self._first, key), job.submit_time)
        return key, job.submit_time, job.position


def _columns_of(instance: Instance, order: Order, seed: int) -> list[np.ndarray[Any, Any]] | None:
    """Return the keys of all jobs, or None if the rule reads the view."""
    view = _NoView(instance, seed)
    columns = _by_column(instance, order, view) if order.columnar else None
    try:
        return _by_job(instance, order, view) if columns is None else columns
    except _ViewRead:
        return None


def _by_column(instance: Instance, order: Order, view: _NoView) -> list[np.ndarray[Any, Any]] | None:
    """Return the keys of all jobs, or None if the rule cannot take columns or its keys are invalid."""
    try:
        keys = order.rule(_Columns(instance), view)
        columns = [
            np.broadcast_to(np.asarray(column), len(instance))
            for column in (keys if isinstance(keys, tuple) else (keys,))
        ]
    except (
        Exception,
        SystemExit,
    ):  # Called job by job, the rule works without columns, or its error names the job.
        return None
    sound = all(column.dtype.kind in "biuf" and np.isfinite(column).all() for column in columns)
    return columns if sound else None


def _by_job(instance: Instance, order: Order, view: _NoView) -> list[np.ndarray[Any, Any]]:
    keys = [check_key(order, job, view) for job in instance.jobs()]
    check_lengths(order, keys, 0.0)
    return [np.array(column) for column in zip(*keys, strict=True)]


def check_lengths(order: Order, keys: Collection[tuple[float, ...]], time: float) -> None:
    """Raise PolicyError unless all `keys` have the same length."""
    if len(set(map(len, keys))) > 1:
        rule = "keys must be equally long for every job"
        raise PolicyError(order.name, time=time, job_id=None, broken_rule=rule)


def check_key(order: Order, job: Job, view: SystemView | _NoView) -> tuple[float, ...]:
    """Return the key of `job` under `order` as a tuple of finite numbers.

    Raises
    ------
    PolicyError
        If the rule fails or its key is anything else.
    """
    try:
        key = order.rule(job, view)
    except _ViewRead:
        raise
    except (Exception, SystemExit) as error:
        rule = f"makes the order fail with {type(error).__name__}: {error}"
        raise PolicyError(order.name, time=job.submit_time, job_id=job.job_id, broken_rule=rule) from error
    parts = key if isinstance(key, tuple) else (key,)
    for part in parts:
        if not is_finite_number(part):
            rule = f"has the key {key!r:.60}; expected a finite number or a tuple of them"
            raise PolicyError(order.name, time=job.submit_time, job_id=job.job_id, broken_rule=rule)
    return parts


def is_finite_number(part: object) -> bool:
    """Return whether `part`, which a policy gave, can be a key or a time."""
    if type(part) is float:  # the usual case, and the quickest to tell
        return math.isfinite(part)
    if isinstance(part, int | np.integer | np.bool_):
        return -(2**63) <= int(part) < 2**63
    return isinstance(part, float | np.floating) and math.isfinite(part)


def _positions(instance: Instance, columns: list[np.ndarray[Any, Any]]) -> IntColumn:
    submit = instance.submit_time
    rank = np.empty(len(instance), dtype=np.int64)
    if not columns and (submit[1:] >= submit[:-1]).all():
        # The common case, FCFS on a sorted log: nothing to sort.
        rank[:] = np.arange(len(instance))
        return rank
    # lexsort's last key counts most; it is stable, so the position decides last without being a key.
    rank[np.lexsort((submit, *reversed(columns)))] = np.arange(len(instance))
    return rank
