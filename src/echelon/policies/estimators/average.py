"""Exponential averaging of a user's past jobs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.errors import InputError
from echelon.policies.estimators.recollection import names_of
from echelon.policies.estimators.simulation import slowdown_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model import Experience, Forecast, Job
    from echelon.policies.estimators.forecast import ClusterView, Forecaster
    from echelon.policies.estimators.rule import Memory


@dataclass(frozen=True, slots=True)
class Average:
    """Predict by the user's past: e(n+1) = alpha r(n) + (1 - alpha) e(n), over the user's ended jobs.

    r(n) is the run time of the n-th of the user's jobs to end, e(n) what was predicted after the one before;
    e(1) is what ``--estimates`` planned for the first of them (the request, mostly). Until a job of the user
    has ended there is no prediction, and the job's own request counts. Jobs of unknown user count as those of
    one user.

    Parameters
    ----------
    alpha : float, default 0.5
        Weight of the newest run time, 0 to 1: with 1 the last run time, with 0 the first request forever.

    Raises
    ------
    InputError
        If `alpha` is not from 0 to 1.

    Notes
    -----
    **Ties**: jobs that end at one instant are heard of in the order of their dispatch.
    **Cost**: O(1) a job.
    **Source**: Domínguez Medina, UOC 2015, gives the formula for shortest-first as texts on operating systems
    do, over all jobs of a processor; averaging each user's jobs separately follows Tsafrir, Etsion and
    Feitelson, IEEE TPDS 2007, who take the mean of the last two.
    """

    alpha: float = 0.5

    name: ClassVar[str] = "average"
    source: ClassVar[str] = "Domínguez Medina, UOC 2015; Tsafrir, Etsion and Feitelson, IEEE TPDS 2007"

    def __post_init__(self) -> None:
        if not 0 <= self.alpha <= 1:
            raise InputError(f"must be from 0 to 1, got {self.alpha}", field="average, alpha")

    def memory(self) -> Memory:
        """Return a memory without users."""
        return _Averages(self.alpha)

    def forecaster(self, past: Sequence[Experience]) -> Forecaster:
        """Return one that simulates the cluster's queue, each job running for the average of its user.

        Of a user of `past` e(1) is the run time of his first job there.
        """
        return _AverageForecaster(self.alpha, past)


class _Averages:
    """The current average of each user, in seconds."""

    def __init__(self, alpha: float) -> None:
        self._alpha = alpha
        self._average: dict[int, float] = {}

    def predict(self, job: Job) -> float | None:
        return self._average.get(job.user)

    def learn(self, job: Job, run_time: float) -> None:
        before = self._average.get(job.user, job.planned_time)
        self._average[job.user] = self._alpha * run_time + (1 - self._alpha) * before


class _AverageForecaster:
    """The current average of each user, by name, in seconds."""

    def __init__(self, alpha: float, past: Sequence[Experience]) -> None:
        self._alpha = alpha
        self._average: dict[str, float] = {}
        for experience in past:
            self._add(experience, experience.run)

    def forecast(self, job: Job, view: ClusterView) -> Forecast | None:
        def run_time(job: Job, mpl: int) -> float:
            return self._average.get(names_of(job).user, job.planned_time)

        return view.simulate(job, slowdown_of(run_time, view))

    def learn(self, experience: Experience, job: Job, said: Forecast | None) -> None:
        self._add(experience, job.planned_time)

    def _add(self, experience: Experience, first: float) -> None:
        before = self._average.get(experience.user, first)
        self._average[experience.user] = self._alpha * experience.run + (1 - self._alpha) * before
