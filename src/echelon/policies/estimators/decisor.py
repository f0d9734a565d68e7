"""Decisor: of several estimators, the one with the best recent predictions of waits, and of runs."""

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
    split_specs,
    watch_all,
)
from echelon.policies.estimators.line import deviation
from echelon.quantities import is_whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model import Experience, Job
    from echelon.policies.estimators.forecast import ClusterView, Forecaster
    from echelon.policies.estimators.line import Pair
    from echelon.policies.estimators.rule import Memory

_FEWEST = 5
"""Predictions that are looked at, at least: fewer are luck."""

Forecasts = list[Forecast | None]


@dataclass(frozen=True, slots=True)
class Decisor:
    """Use several estimators: for each measure, the one with the best recent predictions.

    The wait is that of the estimator with the least deviation (sum of errors over sum of times) of waits
    over its last zeta predictions, the run that of the one with the least deviation of runs. Zeta adjusts
    itself, for waits and runs apart: from `most` on, it is halved when a job ends and the least deviation is
    above `bound`, so that what is long past is soon forgotten, down to 5 (or `most`); else it grows by one.

    Parameters
    ----------
    of : str
        Specs of the estimators, separated by spaces, each with its parameters in parentheses:
        ``decisor:of=smith ibl(radius=0.5)``. Default: ``ibl smith corrected corrected(of=hybrid)``, the third
        of `sdpn`.
    bound : float, default 0.2
        Deviation that is acceptable, as a share of the time, >= 0.
    most : int, default 50
        Predictions of each estimator that are looked at, at most, >= 1.

    Raises
    ------
    InputError, UnknownNameError
        If a parameter is out of its range, or `of` is empty or names `exact` or no estimator.

    Notes
    -----
    An estimator without predictions to judge is the last; on one machine the request stands in for a
    prediction that an estimator does not make.

    **Ties**: the first in `of`.
    **Cost**: that of all the estimators; O(estimators x zeta) a job that ends.
    **Source**: Lérida Monsó, UAB 2009, section 3.6.1, which leaves open how zeta adjusts itself.
    """

    of: str = "ibl smith corrected corrected(of=hybrid)"
    bound: float = 0.2
    most: int = 50

    name: ClassVar[str] = "decisor"
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, 3.6.1"

    def __post_init__(self) -> None:
        specs = [inner_spec(one, self.name) for one in split_specs(self.of)]
        if not specs:
            raise InputError("must name an estimator or more", field="decisor, of")
        object.__setattr__(self, "of", " ".join(specs))
        if not self.bound >= 0:
            raise InputError(f"must be at least 0, got {self.bound!r}", field="decisor, bound")
        if not (is_whole(self.most) and self.most >= 1):
            raise InputError(f"must be at least 1, got {self.most!r}", field="decisor, most")

    @property
    def specs(self) -> tuple[str, ...]:
        """Words of each estimator."""
        return tuple(split_specs(self.of))

    def memory(self) -> Memory:
        """Return a memory that has learned nothing yet."""
        return _DecisorMemory(self)

    def forecaster(self, past: Sequence[Experience]) -> Forecaster:
        """Return a forecaster whose estimators know the jobs of `past`, but made no predictions for them."""
        return _DecisorForecaster(self, past)


class Contest:
    """The record of the estimators in one measure, waits or runs.

    Parameters
    ----------
    rule : Decisor
        Its estimators, bound and most.

    Attributes
    ----------
    ranking : list of int
        Places of the estimators in `of`, the best first.
    zeta : int
        Predictions of each that are looked at now.
    """

    def __init__(self, rule: Decisor) -> None:
        self._rule = rule
        self._pairs: list[deque[Pair]] = [deque(maxlen=rule.most) for _ in rule.specs]
        self.zeta = rule.most
        self.ranking = list(range(len(self._pairs)))

    def add(self, estimates: Sequence[float | None], real: float) -> None:
        """Record the actual time of a job, in seconds, with the prediction of each estimator, if any."""
        for pairs, estimate in zip(self._pairs, estimates, strict=True):
            if estimate is not None:
                pairs.append((estimate, real))
        if min(self._deviations()) > self._rule.bound:
            self.zeta = max(self.zeta // 2, min(_FEWEST, self._rule.most))
        else:
            self.zeta = min(self.zeta + 1, self._rule.most)
        deviations = self._deviations()
        self.ranking.sort(key=lambda place: (deviations[place], place))

    def _deviations(self) -> list[float]:
        return [deviation(list(pairs)[-self.zeta :]) for pairs in self._pairs]


class _DecisorMemory:
    def __init__(self, rule: Decisor) -> None:
        self._inner = [memory_of(spec) for spec in rule.specs]
        self._runs = Contest(rule)
        self._estimates: dict[int, list[float]] = {}

    def watch_queue(self, waiting_jobs: int, waiting_work: float) -> None:
        watch_all(self._inner, waiting_jobs, waiting_work)

    def predict(self, job: Job) -> float | None:
        predictions = [memory.predict(job) for memory in self._inner]
        self._estimates[job.position] = [job.planned_time if one is None else one for one in predictions]
        return predictions[self._runs.ranking[0]]

    def learn(self, job: Job, run_time: float) -> None:
        if (estimates := self._estimates.pop(job.position, None)) is not None:
            self._runs.add(estimates, run_time)
        for memory in self._inner:
            memory.learn(job, run_time)


class _DecisorForecaster:
    def __init__(self, rule: Decisor, past: Sequence[Experience]) -> None:
        self._inner = [forecaster_of(spec, past) for spec in rule.specs]
        self._waits, self._runs = Contest(rule), Contest(rule)
        self._parts: ForecastParts[Forecasts] = ForecastParts()

    def forecast(self, job: Job, view: ClusterView) -> Forecast | None:
        all_said = [forecaster.forecast(job, view) for forecaster in self._inner]
        waits = [one.wait for place in self._waits.ranking if (one := all_said[place]) is not None]
        runs = [one.run for place in self._runs.ranking if (one := all_said[place]) is not None]
        if not waits:
            return None
        forecast = Forecast(waits[0], runs[0])
        self._parts.note(job, view, forecast, all_said)
        return forecast

    def learn(self, experience: Experience, job: Job, said: Forecast | None) -> None:
        all_said = self._parts.take(job, said)
        if all_said is None:
            all_said = [None] * len(self._inner)
        else:
            self._waits.add([one and one.wait for one in all_said], experience.wait)
            self._runs.add([one and one.run for one in all_said], experience.run)
        for forecaster, one in zip(self._inner, all_said, strict=True):
            forecaster.learn(experience, job, one)
