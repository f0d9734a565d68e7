"""Metric: a named number that says how good a schedule is. The decorator that makes one of a function."""

from __future__ import annotations

import inspect
import math
import re
import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

import numpy as np

from echelon.errors import InputError
from echelon.model.schedules.features import NOTHING, Feature
from echelon.rules.own_rule import Guard, check_rule

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.metrics.columns.measured_schedule import Measured

Better: TypeAlias = Literal["low", "high"] | None
"""Which end of a metric's scale is good; None if neither is."""

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_LONGEST_UNIT = 20


@dataclass(frozen=True, slots=True)
class Metric:
    """A named number that says how good a schedule is.

    Parameters
    ----------
    name : str
        The key in ``metrics.json`` and the heading in tables.
    unit : str
        ``"s"``, ``"jobs/day"`` ...; ``"1"`` for a ratio.
    formula : str
        With the names in `echelon.metrics.columns.job_values` and `echelon.metrics.schedule.schedule_values`;
        of your own metric, the first sentence of its docstring.
    source : str
        Where the definition is from.
    better : {"low", "high"} or None
        Which end of the scale is good.
    function : callable
        From the measured columns to the value; None where these jobs have none.
    needs : Feature, default nothing
        What a schedule must have; one that lacks it has no such metric.
    least, most : float, optional
        The range that the formula cannot leave, in the metric's unit: a wait is at least 0, a utilization
        from 0 to 1. Intervals of means are shown within it. Default: none is declared.
    """

    name: str
    unit: str
    formula: str
    source: str
    better: Better
    function: Callable[[Measured], Any]
    needs: Feature = NOTHING
    least: float | None = None
    most: float | None = None

    made_of: ClassVar[str] = "function"

    @property
    def spec(self) -> str:
        """The canonical spec: the name, which has the parameters of a user's own metric."""
        return self.name

    def of(self, measured: Measured) -> Any:  # noqa: ANN401  (what a user's function returns)
        """Return what the function says of a schedule; None of one that lacks what the metric needs."""
        return self.function(measured) if self.needs in measured.has else None

    def value(self, measured: Measured) -> int | float:
        """Return the metric of a schedule; NaN where it has none (None, or NaN as of a mean over no job).

        Raises
        ------
        InputError
            If the function fails, or returns anything but one number that is finite or NaN.
        """
        with Guard(lambda problem: self._error(f"fails with {problem}")), warnings.catch_warnings():
            # numpy warns of the mean of nothing, whose value, NaN, is what is meant.
            warnings.simplefilter("ignore", RuntimeWarning)
            number = self.of(measured)
        if number is None:
            return math.nan
        if isinstance(number, np.ndarray) and number.ndim == 0:
            number = number.item()
        is_number = isinstance(number, int | float | np.integer | np.floating)
        if not is_number or isinstance(number, bool):
            raise self._error(f"must return one number, got {type(number).__name__} {number!r:.60}")
        if isinstance(number, int | np.integer):
            return int(number)
        if math.isinf(number):
            raise self._error(f"must return a finite number or NaN, got {float(number)}")
        return float(number)

    def within(self, low: float, high: float) -> tuple[float, float]:
        """Return the part of an interval that lies in the metric's range; NaN stays NaN.

        The true mean is in the range, so that the part holds it as often as the whole interval does.
        """
        least = -math.inf if self.least is None else self.least
        most = math.inf if self.most is None else self.most
        return _clip(low, least, most), _clip(high, least, most)

    def _error(self, problem: str) -> InputError:
        return InputError(problem, field=f"metric {self.name!r}")


def _clip(value: float, least: float, most: float) -> float:
    return value if math.isnan(value) else min(max(value, least), most)


def from_zero(*metrics: Metric) -> tuple[Metric, ...]:
    """Return metrics that are never negative; those that declare a higher minimum keep it."""
    return tuple(one if one.least is not None else replace(one, least=0.0) for one in metrics)


def require(needs: Feature, *metrics: Metric) -> tuple[Metric, ...]:
    """Return metrics of schedules that have what they need, beside what each of them needs already."""
    return tuple(replace(one, needs=one.needs | needs) for one in metrics)


def metric(
    name: str,
    *,
    unit: str,
    source: str,
    better: Better = None,
    least: float | None = None,
    most: float | None = None,
) -> Callable[[Callable[[Any], Any]], Metric]:
    """Make a `Metric` of a function of a schedule's columns.

    Parameters
    ----------
    name : str
        Snake case: the key in ``metrics.json``.
    unit : str
        ``"s"`` (shown as minutes, hours or days where that reads better), ``"jobs"``, ``"jobs/day"``,
        ``"processors"`` ...; ``"1"`` for a ratio.
    source : str
        The paper that defines it, or ``"none"``.
    better : {"low", "high"} or None, default None
        Which end of the scale is good: tables then mark the best value.
    least, most : float, optional
        The range that values cannot leave, in the metric's unit; intervals of means are shown within it.
        Default: none.

    Raises
    ------
    InputError
        If the name is no snake case, the unit or the source is empty, `better` is neither word, `least` or
        `most` is not finite or they leave no range, or the function does not take exactly one argument or
        has no docstring.

    Notes
    -----
    The function is given a `Measured`: arrays with one entry a job, times in seconds. It returns one number,
    finite, or NaN or None where the schedule has no such value.

    Examples
    --------
    >>> from echelon import metric
    >>> @metric("mean_wait_of_wide_jobs", unit="s", source="none", better="low")
    ... def mean_wait_of_wide_jobs(jobs):
    ...     '''Mean wait of the jobs that take more than half of the machine.'''
    ...     return jobs.wait[jobs.size > jobs.processors / 2].mean()
    >>> mean_wait_of_wide_jobs.unit
    's'
    """
    field = f"metric {name!r}"
    if not _NAME.fullmatch(name):
        raise InputError("must be named in snake case: mean_wait_of_wide_jobs", field=field)
    if not unit.strip() or len(unit) > _LONGEST_UNIT:
        raise InputError(f"needs a short unit ('1' for a ratio), got {unit!r}", field=field)
    if not source.strip():
        raise InputError("needs a source: the paper that defines it, or 'none'", field=field)
    if better not in ("low", "high", None):
        raise InputError(f"better must be 'low', 'high' or None, got {better!r}", field=field)

    if not _is_range(least, most):
        raise InputError(
            f"least and most must be finite, least < most, got {least!r} and {most!r}", field=field
        )

    def make(function: Callable[[Any], Any]) -> Metric:
        check_rule(function, kind="a metric", takes=("columns",), says="what it is", name=field)
        description = (inspect.getdoc(function) or "").split("\n\n")[0].replace("\n", " ")
        return Metric(name, unit, description, source, better, function, least=least, most=most)

    return make


def _is_range(least: float | None, most: float | None) -> bool:
    ends = [end for end in (least, most) if end is not None]
    return all(isinstance(end, int | float) and math.isfinite(end) for end in ends) and ends == sorted(
        set(ends)
    )
