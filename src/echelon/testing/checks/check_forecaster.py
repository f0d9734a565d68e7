"""Check the forecasts of an estimator on clusters: finite times, and the same at a second call."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from echelon.errors import EchelonError, PolicyError
from echelon.model import Forecast, Instance
from echelon.policies import format_estimator
from echelon.rules.own_rule import Guard
from echelon.testing.clusters import practice
from echelon.testing.finding import Finding
from echelon.testing.workloads import crowd

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import NoReturn

    from echelon.model import Experience, Job
    from echelon.policies import Estimator, Forecaster, ForecastingEstimator
    from echelon.policies.estimators import ClusterView

_CROWDS = 3
_LARGEST = 44
"""Nodes of the largest jobs: more than the largest cluster has, so that some fit in one of two or in none."""


def forecaster_findings(checked: Estimator | ForecastingEstimator, seed: int) -> Iterator[Finding]:
    """Yield the findings on the forecasts of `checked` for crowds of jobs in two clusters.

    Parameters
    ----------
    checked : ForecastingEstimator
        The estimator; without ``forecaster(past)`` nothing is checked.
    seed : int
        Seed of the crowds.
    """
    if not hasattr(checked, "forecaster"):
        return
    crowds = [_jobs(_CROWDS * seed + k) for k in range(_CROWDS)]
    try:
        pasts = [_Run(checked).past(jobs) for jobs in crowds]
        first = [_Run(checked, past).forecasts(jobs) for jobs, past in zip(crowds, pasts, strict=True)]
    except EchelonError as error:
        yield Finding("forecasts", False, str(error))
        return
    asked = sum(map(len, first))
    yield Finding("forecasts", True, f"finite waits and runs >= 0, or None, of {asked} jobs")
    others = [[job._replace(job_id=10_000 - job.job_id) for job in jobs] for jobs in crowds]
    for name, sentence, again, times in (
        ("fresh forecaster", "a second run forecasts the same", crowds, 1),
        ("called twice", "a second call changes no forecast", crowds, 2),
        ("job numbers of forecasts", "other job numbers change no forecast", others, 1),
    ):
        fault = None
        for before, jobs, past in zip(first, again, pasts, strict=True):
            fault = fault or _difference(before, _Run(checked, past, times), jobs)
        yield Finding(name, fault is None, fault or f"{sentence}, of {asked} jobs")


def _jobs(seed: int) -> list[Job]:
    instance = Instance.of(crowd(seed, processors=_LARGEST).workload, _LARGEST)
    return sorted(instance.jobs(), key=lambda job: (job.submit_time, job.position))


def _difference(before: list[Forecast | None], run: _Run, jobs: Sequence[Job]) -> str | None:
    """Return the first forecast that differs in `run`, or its error."""
    try:
        after = run.forecasts(jobs)
    except EchelonError as error:
        return str(error)
    for place, (first, second) in enumerate(zip(before, after, strict=True)):
        if first != second:
            return f"forecast {place + 1} is {_format_forecast(first)}, but then {_format_forecast(second)}"
    return None


def _format_forecast(forecast: Forecast | None) -> str:
    return "None" if forecast is None else f"a wait of {forecast.wait:g} s and a run of {forecast.run:g} s"


@dataclass
class _Run:
    """One run of an estimator through two clusters; errors inside it are reported as its own."""

    checked: Estimator | ForecastingEstimator
    history: Sequence[Experience] = ()
    times: int = 1

    def forecasts(self, jobs: Sequence[Job]) -> list[Forecast | None]:
        """Return the forecast of each job for the cluster that it joins."""
        return [forecast for forecast, _ in practice(self._make_forecaster(), jobs)]

    def past(self, jobs: Sequence[Job]) -> list[Experience]:
        """Return the state that a run leaves for the next one."""
        return [experience for _, experience in practice(self._make_forecaster(), jobs)]

    def forecast(self, job: Job, view: ClusterView) -> Forecast | None:
        """Call `forecast`; the last result counts."""
        for _ in range(self.times):
            with self._guard("forecast(job, view)", job):
                forecast: object = self._forecaster.forecast(job, view)
        # Any type: a user's forecaster may return anything.
        if forecast is None:
            return None
        if not (isinstance(forecast, Forecast) and all(_is_time(time) for time in forecast)):
            self._refuse(f"forecasts {forecast!r:.60}; expected Forecast(wait, run) >= 0 s, or None", job)
        return forecast

    def learn(self, experience: Experience, job: Job, forecast: Forecast | None) -> None:
        """Let the forecaster learn from a job that has ended."""
        with self._guard("learn(experience, job, said)", job):
            self._forecaster.learn(experience, job, forecast)

    def _make_forecaster(self) -> Forecaster:
        with self._guard("forecaster(past)"):
            self._forecaster: Forecaster = self.checked.forecaster(self.history)  # type: ignore[union-attr]
        return self

    def _guard(self, call: str, job: Job | None = None) -> Guard:
        return Guard(lambda failure: self._refuse(f"makes {call} fail with {failure}", job))

    def _refuse(self, rule: str, job: Job | None = None) -> NoReturn:
        name = f"estimator {format_estimator(self.checked)}"
        time, number = (0.0, None) if job is None else (job.submit_time, job.job_id)
        raise PolicyError(name, time=time, job_id=number, broken_rule=rule)


def _is_time(time: object) -> bool:
    return isinstance(time, float | int) and math.isfinite(time) and time >= 0
