"""ForecastAccuracy: forecast waits against what happened."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.service.store import Finished


@dataclass(frozen=True, slots=True)
class ForecastError:
    """One forecast against what happened; `ForecastErrorAnswer` says what each field is."""

    at: float
    number: int
    forecast: float
    actual: float
    estimator: str
    earliest: float | None = None
    latest: float | None = None


def errors_of(finished: Iterable[Finished]) -> list[ForecastError]:
    """Return the forecasts of jobs that have started, with what happened, by when they were made."""
    errors = []
    for job, forecast in finished:
        if forecast is None or forecast.wait_time is None or job.started_at is None:
            continue
        actual = max(job.started_at - forecast.at, 0.0)
        errors.append(
            ForecastError(
                at=forecast.at,
                number=job.number,
                forecast=forecast.wait_time,
                actual=actual,
                estimator=forecast.estimator,
                earliest=forecast.earliest,
                latest=forecast.latest,
            )
        )
    return sorted(errors, key=lambda one: one.at)


def median_error(errors: Sequence[ForecastError]) -> float:
    """Return the median of the absolute errors, in seconds; 0 if there are none."""
    return median(abs(one.forecast - one.actual) for one in errors) if errors else 0.0
