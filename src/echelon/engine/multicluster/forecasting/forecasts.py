"""ForecastBook: the forecasts of estimators in one run, their cost, and what the estimators learn."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import numpy as np

from echelon.errors import PolicyError
from echelon.model import Forecast, Forecasts
from echelon.rules.own_rule import Guard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.multicluster.forecasting.site_view import SiteView
    from echelon.model import Experience, Job
    from echelon.model.jobs.columns import IntColumn
    from echelon.policies.estimators.forecast import Forecaster, ForecastingEstimator


class _TimedForecast(NamedTuple):
    """A forecast, and the seconds it took."""

    forecast: Forecast | None
    seconds: float


class ForecastBook:
    """Obtains forecasts from estimators, once for each job and state of a cluster, and stores them.

    Parameters
    ----------
    estimators : sequence of ForecastingEstimator
        First the estimator used for decisions, then the estimators that are only evaluated.
    specs : sequence of str
        The spec of each estimator.
    past : sequence of Experience
        Experience before the run.
    views : sequence of SiteView
        View of each cluster.
    """

    def __init__(
        self,
        estimators: Sequence[ForecastingEstimator],
        specs: Sequence[str],
        past: Sequence[Experience],
        views: Sequence[SiteView],
    ) -> None:
        self._names = [estimator.name for estimator in estimators]
        self._specs = specs
        self._forecasters: list[Forecaster] = [_make_forecaster(estimator, past) for estimator in estimators]
        self._views = views
        self.versions = [0] * len(views)
        self._last: dict[tuple[int, int], tuple[tuple[float, int], _TimedForecast]] = {}
        self._kept: dict[int, list[_TimedForecast]] = {}
        self.asked = 0

    def note_change(self, site: int) -> None:
        """Record that cluster `site` has changed: its forecasts are no longer valid."""
        self.versions[site] += 1
        self._views[site].note_change()

    def forecast(self, job: Job, site: int) -> Forecast:
        """Return the forecast of `job` in cluster `site`; without one, as if its jobs ran one by one."""
        forecast = self._main(job, site).forecast
        return self._views[site].forecast_one_by_one(job) if forecast is None else forecast

    def deliver(self, job: Job, site: int, *, again: bool = False) -> Forecast | None:
        """Return the first estimator's forecast of `job`, which joins cluster `site` now.

        Those of all are stored, unless it has started before and comes `again`: its wait was until then.
        """
        forecasts = [self._main(job, site)]
        forecasts += [self._ask(place, job, site) for place in range(1, len(self._forecasters))]
        if not again:
            self._kept[job.position] = forecasts
        return forecasts[0].forecast

    def learn(self, experience: Experience, job: Job) -> None:
        """Let every estimator learn the outcome of `job` and compare it with its forecast."""
        forecasts = self._kept.get(job.position)
        for place, forecaster in enumerate(self._forecasters):
            with self._guard(place, job, experience.end, "learn(...)"):
                forecaster.learn(experience, job, None if forecasts is None else forecasts[place].forecast)

    def forecasts(self, positions: IntColumn) -> tuple[Forecasts, ...]:
        """Return each estimator's forecasts of the jobs at `positions`, in that order."""
        columns = []
        for place, spec in enumerate(self._specs):
            rows = [self._kept.get(position) for position in positions.tolist()]
            timed = [None if row is None else row[place] for row in rows]
            times = [(np.nan, np.nan) if t is None or t.forecast is None else t.forecast for t in timed]
            wait, run = np.array(times, dtype=np.float64).reshape(-1, 2).T
            seconds = np.array([np.nan if t is None else t.seconds for t in timed])
            columns.append(Forecasts(spec, wait.copy(), run.copy(), seconds))
        return tuple(columns)

    def _main(self, job: Job, site: int) -> _TimedForecast:
        key, state = (job.position, site), (self._views[site].now, self.versions[site])
        held = self._last.get(key)
        if held is None or held[0] != state:
            held = self._last[key] = (state, self._ask(0, job, site))
        return held[1]

    def forget(self, job: Job) -> None:
        """Forget the forecasts of `job`, which are needed no more."""
        for site in range(len(self._views)):
            self._last.pop((job.position, site), None)

    def _guard(self, place: int, job: Job, now: float, call: str) -> Guard:
        return Guard(lambda failure: self._fail(place, job, now, f"{call} fail with {failure}"))

    def _ask(self, place: int, job: Job, site: int) -> _TimedForecast:
        view = self._views[site]
        began = perf_counter()
        self.asked += 1
        with self._guard(place, job, view.now, "forecast(job, view)"):
            forecast = self._forecasters[place].forecast(job, view)
        seconds = perf_counter() - began
        # Typed as anything: a user's estimator may return anything.
        fine = forecast is None or (
            isinstance(forecast, Forecast)
            and all(isinstance(t, float | int | np.floating | np.integer) and t >= 0 for t in forecast)
        )
        if not fine or (forecast is not None and not np.isfinite(forecast).all()):
            self._fail(
                place, job, view.now, f"forecast {forecast!r:.60}; expected a Forecast of seconds >= 0"
            )
        return _TimedForecast(forecast, seconds)

    def _fail(self, place: int, job: Job, now: float, what: str) -> NoReturn:
        name = f"estimator {self._names[place]}"
        raise PolicyError(name, time=now, job_id=job.job_id, broken_rule=f"makes {what}")


def _make_forecaster(estimator: ForecastingEstimator, past: Sequence[Experience]) -> Forecaster:
    def error(failure: str) -> PolicyError:
        rule = f"makes forecaster(past) fail with {failure}"
        return PolicyError(f"estimator {estimator.name}", time=None, job_id=None, broken_rule=rule)

    with Guard(error):
        return estimator.forecaster(past)
