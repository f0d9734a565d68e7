"""Corrected: another estimator's times, divided by their systematic error."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.errors import InputError
from echelon.model import Forecast
from echelon.policies.estimators.inner_estimators import (
    ForecastParts,
    forecaster_of,
    inner_spec,
    memory_of,
    watch_all,
)
from echelon.policies.estimators.line import line_through
from echelon.quantities import is_whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model import Experience, Job
    from echelon.policies.estimators.forecast import ClusterView, Forecaster
    from echelon.policies.estimators.line import Pair
    from echelon.policies.estimators.rule import Memory


@dataclass(frozen=True, slots=True)
class Corrected:
    """Divide the times of another estimator by its systematic error, learned from its last predictions.

    If its estimates y lie on a line through the origin, y = a x with actual times x, then y / a is right.
    Waits and runs are corrected apart, each only while its last `window` estimates fulfil two conditions:
    they scatter little about the line, and the error is practically always the same share of the time.

    Parameters
    ----------
    of : str, default "sdpn"
        Spec of the other estimator, with its parameters in parentheses: ``corrected:of=ibl(radius=0.5)``; one
        from a file as ``corrected(of=my.py:Mine, window=50)``.
    window : int, default 20
        Estimates that are looked at, the newest, >= 2; until there are so many nothing is corrected.
    ra : float, default 0.9
        Least adjusted correlation coefficient of the line, 0 to 1.
    spread : float, default 0.2
        Greatest ratio of the standard deviation of estimate / real to its mean, >= 0, over the jobs whose
        real time is not 0.

    Raises
    ------
    InputError, UnknownNameError
        If a parameter is out of its range, or `of` names no estimator, or `exact`.

    Notes
    -----
    If the actual time is 0 s, an estimate of 0 s does not affect the line and is left out; a longer one
    counts as scatter. On one machine the request stands in for a prediction that the other does not make.

    **Cost**: that of the other; O(window) a job that ends.
    **Source**: Lérida Monsó, UAB 2009, section 3.5.6 (eqs. 3.15 and 3.16), which names no thresholds.
    """

    of: str = "sdpn"
    window: int = 20
    ra: float = 0.9
    spread: float = 0.2

    name: ClassVar[str] = "corrected"
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, 3.5.6"

    def __post_init__(self) -> None:
        object.__setattr__(self, "of", inner_spec(self.of, self.name))
        if not (is_whole(self.window) and self.window >= 2):
            raise InputError(f"must be at least 2, got {self.window!r}", field="corrected, window")
        if not 0 <= self.ra <= 1:
            raise InputError(f"must be from 0 to 1, got {self.ra!r}", field="corrected, ra")
        if not self.spread >= 0:
            raise InputError(f"must be at least 0, got {self.spread!r}", field="corrected, spread")

    def memory(self) -> Memory:
        """Return a memory that has learned nothing yet."""
        return _CorrectedMemory(self)

    def forecaster(self, past: Sequence[Experience]) -> Forecaster:
        """Return a forecaster; the inner one knows the jobs of `past`, for which it made no predictions."""
        return _CorrectedForecaster(self, past)


class Correction:
    """The regression line of one measure, waits or runs, and whether it may be used."""

    def __init__(self, rule: Corrected) -> None:
        self._rule = rule
        self._pairs: deque[Pair] = deque(maxlen=rule.window)
        self.slope = 1.0

    def add(self, estimate: float, real: float) -> None:
        """Record an estimate and the actual time, in seconds."""
        if estimate == real == 0:
            return
        self._pairs.append((estimate, real))
        line = line_through(self._pairs)
        fits = line.slope > 0 and line.ra >= self._rule.ra and line.spread <= self._rule.spread
        self.slope = line.slope if fits and len(self._pairs) == self._rule.window else 1.0

    def correct(self, estimate: float) -> float:
        """Return an estimate without its systematic error, in seconds."""
        return estimate / self.slope


class _CorrectedMemory:
    def __init__(self, rule: Corrected) -> None:
        self._inner = memory_of(rule.of)
        self._run = Correction(rule)
        self._estimates: dict[int, float] = {}

    def watch_queue(self, waiting_jobs: int, waiting_work: float) -> None:
        watch_all((self._inner,), waiting_jobs, waiting_work)

    def predict(self, job: Job) -> float | None:
        prediction = self._inner.predict(job)
        estimate = self._estimates[job.position] = job.planned_time if prediction is None else prediction
        return None if prediction is None and self._run.slope == 1 else self._run.correct(estimate)

    def learn(self, job: Job, run_time: float) -> None:
        if (estimate := self._estimates.pop(job.position, None)) is not None:
            self._run.add(estimate, run_time)
        self._inner.learn(job, run_time)


class _CorrectedForecaster:
    def __init__(self, rule: Corrected, past: Sequence[Experience]) -> None:
        self._inner = forecaster_of(rule.of, past)
        self._wait, self._run = Correction(rule), Correction(rule)
        self._parts: ForecastParts[Forecast] = ForecastParts()

    def forecast(self, job: Job, view: ClusterView) -> Forecast | None:
        estimate = self._inner.forecast(job, view)
        if estimate is None:
            return None
        forecast = Forecast(self._wait.correct(estimate.wait), self._run.correct(estimate.run))
        self._parts.note(job, view, forecast, estimate)
        return forecast

    def learn(self, experience: Experience, job: Job, said: Forecast | None) -> None:
        estimate = self._parts.take(job, said)
        if estimate is not None:
            self._wait.add(estimate.wait, experience.wait)
            self._run.add(estimate.run, experience.run)
        self._inner.learn(experience, job, estimate)
