"""ForecastBook: what estimators say of jobs in one run, what it cost, and what they learn from it."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import numpy as np

from echelon.errors import PolicyError
from echelon.model import Forecast, Forecasts
from echelon.rules.own_rule import Guard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.multicluster.site_view import SiteView
    from echelon.model import Experience, Job
    from echelon.model.columns import IntColumn
    from echelon.policies.estimators.forecast import Forecaster, ForecastingEstimator


class _Said(NamedTuple):
    """A forecast, and the seconds it took."""

    forecast: Forecast | None
    seconds: float


class ForecastBook:
    """Asks estimators about jobs, each once at one state of a cluster, and keeps what they said.

    Parameters
    ----------
    estimators : sequence of ForecastingEstimator
        The one that decisions are made with first, then those that are only watched.
    words : sequence of str
        Of each.
    past : sequence of Experience
        That they know before the run.
    views : sequence of SiteView
        Of each cluster.
    """

    def __init__(
        self,
        estimators: Sequence[ForecastingEstimator],
        words: Sequence[str],
        past: Sequence[Experience],
        views: Sequence[SiteView],
    ) -> None:
        self._names = [estimator.name for estimator in estimators]
        self._words = words
        self._minds: list[Forecaster] = [_made(estimator, past) for estimator in estimators]
        self._views = views
        self.versions = [0] * len(views)
        self._last: dict[tuple[int, int], tuple[tuple[float, int], _Said]] = {}
        self._kept: dict[int, list[_Said]] = {}
        self.asked = 0

    def changed(self, site: int) -> None:
        """Note that something has changed in cluster `site`: what was said of it holds no more."""
        self.versions[site] += 1
        self._views[site].changed()

    def forecast(self, job: Job, site: int) -> Forecast:
        """Return the forecast of `job` in cluster `site`; without one, as if its jobs ran one by one."""
        said = self._main(job, site).forecast
        return self._views[site].one_by_one(job) if said is None else said

    def deliver(self, job: Job, site: int) -> Forecast | None:
        """Keep what every estimator says of `job`, which joins cluster `site` now; return the first's."""
        said = [self._main(job, site)]
        said += [self._ask(place, job, site) for place in range(1, len(self._minds))]
        self._kept[job.position] = said
        return said[0].forecast

    def learn(self, experience: Experience, job: Job) -> None:
        """Tell every estimator what came of `job`, and what it had said."""
        said = self._kept.get(job.position)
        for place, mind in enumerate(self._minds):
            with self._guard(place, job, experience.end, "learn(...)"):
                mind.learn(experience, job, None if said is None else said[place].forecast)

    def forecasts(self, positions: IntColumn) -> tuple[Forecasts, ...]:
        """Return what each estimator said of the jobs at `positions`, in that order."""
        found = []
        for place, words in enumerate(self._words):
            rows = [self._kept.get(position) for position in positions.tolist()]
            said = [None if row is None else row[place] for row in rows]
            times = [(np.nan, np.nan) if s is None or s.forecast is None else s.forecast for s in said]
            wait, run = np.array(times, dtype=np.float64).reshape(-1, 2).T
            seconds = np.array([np.nan if s is None else s.seconds for s in said])
            found.append(Forecasts(words, wait.copy(), run.copy(), seconds))
        return tuple(found)

    def _main(self, job: Job, site: int) -> _Said:
        key, state = (job.position, site), (self._views[site].now, self.versions[site])
        held = self._last.get(key)
        if held is None or held[0] != state:
            held = self._last[key] = (state, self._ask(0, job, site))
        return held[1]

    def forget(self, job: Job) -> None:
        """Forget the forecasts of `job` in clusters: it is asked about no more."""
        for site in range(len(self._views)):
            self._last.pop((job.position, site), None)

    def _guard(self, place: int, job: Job, now: float, call: str) -> Guard:
        return Guard(lambda said: self._fail(place, job, now, f"{call} fail with {said}"))

    def _ask(self, place: int, job: Job, site: int) -> _Said:
        view = self._views[site]
        began = perf_counter()
        self.asked += 1
        with self._guard(place, job, view.now, "forecast(job, view)"):
            said = self._minds[place].forecast(job, view)
        seconds = perf_counter() - began
        # Typed as anything: a user's estimator may say anything.
        fine = said is None or (
            isinstance(said, Forecast)
            and all(isinstance(t, float | int | np.floating | np.integer) and t >= 0 for t in said)
        )
        if not fine or (said is not None and not np.isfinite(said).all()):
            self._fail(place, job, view.now, f"forecast {said!r:.60}; expected a Forecast of seconds >= 0")
        return _Said(said, seconds)

    def _fail(self, place: int, job: Job, now: float, what: str) -> NoReturn:
        name = f"estimator {self._names[place]}"
        raise PolicyError(name, time=now, job_id=job.job_id, broken_rule=f"makes {what}")


def _made(estimator: ForecastingEstimator, past: Sequence[Experience]) -> Forecaster:
    def error(said: str) -> PolicyError:
        rule = f"makes forecaster(past) fail with {said}"
        return PolicyError(f"estimator {estimator.name}", time=None, job_id=None, broken_rule=rule)

    with Guard(error):
        return estimator.forecaster(past)
