"""Inner: estimators inside other estimators, by their specs, and their forecasts of a job."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Generic, TypeVar

from echelon.errors import InputError
from echelon.policies.capabilities import estimator_capabilities
from echelon.policies.estimators.forecast import ForecastingEstimator
from echelon.policies.estimators.rule import Estimator, QueueWatcher
from echelon.rules.parameter import settings_of
from echelon.rules.spec import split_outside

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.model import Experience, Forecast, Job
    from echelon.policies.estimators.forecast import ClusterView, Forecaster
    from echelon.policies.estimators.rule import Memory

Parts = TypeVar("Parts")


def inner_spec(text: str, outer: str) -> str:
    """Return the canonical spec of an estimator inside another, ``ibl(radius=0.5)``, if it has to learn."""
    from echelon.policies.estimators.registry import ESTIMATOR

    estimator = ESTIMATOR.parse(text)
    if estimator_capabilities(estimator).knows_run_times:
        problem = f"{estimator.name} knows run times already, so there is nothing to learn of it"
        raise InputError(problem, field=f"{outer}, of")
    if not ESTIMATOR.is_built_in(estimator):
        return text
    settings = settings_of(estimator)
    return f"{estimator.name}({', '.join(settings)})" if settings else estimator.name


def split_specs(text: str) -> list[str]:
    """Return the specs of several estimators, separated by spaces outside of parentheses."""
    return [spec for spec in split_outside(re.sub(r"\s", " ", text), " ") if spec]


def memory_of(spec: str) -> Memory:
    """Return a new memory of the estimator with this spec."""
    from echelon.policies.estimators.registry import estimator_named

    estimator = estimator_named(spec)
    if not isinstance(estimator, Estimator):
        raise InputError("has no memory(), so it is for multiclusters only", field=f"estimator {spec}")
    return estimator.memory()


def forecaster_of(spec: str, past: Sequence[Experience]) -> Forecaster:
    """Return a new forecaster of the estimator with this spec."""
    from echelon.policies.estimators.registry import estimator_named

    estimator = estimator_named(spec)
    if not isinstance(estimator, ForecastingEstimator):
        raise InputError("has no forecaster(past), which multiclusters need", field=f"estimator {spec}")
    return estimator.forecaster(past)


def watch_all(memories: Iterable[Memory], waiting_jobs: int, waiting_work: float) -> None:
    """Show the queue to the memories that watch it."""
    for memory in memories:
        if isinstance(memory, QueueWatcher):
            memory.watch_queue(waiting_jobs, waiting_work)


class ForecastParts(Generic[Parts]):
    """The forecast of each job for each cluster, with its parts, kept until the job ends."""

    def __init__(self) -> None:
        self._parts: dict[int, dict[int, tuple[Forecast, Parts]]] = {}

    def note(self, job: Job, view: ClusterView, forecast: Forecast, parts: Parts) -> None:
        """Remember the newest forecast of `job` for the cluster of `view`."""
        self._parts.setdefault(job.position, {})[view.site] = (forecast, parts)

    def take(self, job: Job, used_forecast: Forecast | None) -> Parts | None:
        """Forget `job`; return what the forecast was made of with which it joined its cluster, if known."""
        forecasts = self._parts.pop(job.position, {})
        return next((parts for forecast, parts in forecasts.values() if forecast == used_forecast), None)
