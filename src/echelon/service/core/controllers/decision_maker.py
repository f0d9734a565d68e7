"""DecisionMaker: why a cluster is chosen, with what every cluster was forecast, in records."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from echelon.errors import PolicyError
from echelon.service.core.controllers.forecast_errors import ForecastErrors
from echelon.service.records import Candidate, DecisionRecord, ForecastRecord

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.engine.live import Core
    from echelon.model import Job
    from echelon.service.core.controllers.cluster_note import ClusterNote
    from echelon.service.core.controllers.entry import Entry
    from echelon.service.rules import Rules

MOST_FORECAST = 16
"""Jobs of a step that every cluster forecasts; of more, only the chosen one does, for all of them at once."""


class DecisionMaker:
    """Notes what was known when each cluster was chosen.

    Parameters
    ----------
    rules : Rules
        Names what chooses.
    notes : sequence of ClusterNote
        The clusters.
    uses_forecasts : bool
        Whether what chooses reads planned schedules.
    """

    def __init__(self, rules: Rules, notes: Sequence[ClusterNote], *, uses_forecasts: bool) -> None:
        self._rules, self._notes, self._uses_forecasts = rules, notes, uses_forecasts
        self._errors: dict[str, ForecastErrors] = {}
        self._looked: dict[int, tuple[Candidate, ...]] = {}

    @property
    def _rule(self) -> str:
        queue = self._rules.queues or self._rules.global_queue
        return f"{queue} with {self._rules.broker}" if queue else self._rules.broker

    def candidates(
        self, entry: Entry, job: Job, core: Core, now: float, *, forecasts: bool = True
    ) -> tuple[Candidate, ...]:
        """Return what is known of every cluster for a job, which may be of none yet; `now` is Unix time."""
        clusters = core.clusters
        candidates = []
        for note, cluster in zip(self._notes, clusters, strict=True):
            why_not = self.why_never(entry, job, note) or note.why_closed
            wait = run = None
            if not why_not:
                if not core.accepts(job, note.site):
                    why_not = "limit of its queue"
                if forecasts and note.predictable:
                    forecast = cluster.forecast(job)
                    wait, run = forecast.wait if forecast.wait < math.inf else None, forecast.run
            age = 0.0 if note.looked_at is None else max(0.0, now - note.looked_at)
            candidates.append(
                Candidate(note.name, why_not, wait, run, cluster.free, len(cluster.waiting), age)
            )
        return tuple(candidates)

    def why_never(self, entry: Entry, job: Job, note: ClusterNote) -> str:
        """Return why a cluster will never run a job; empty if it may."""
        if note.site in entry.never:
            return "not among the clusters asked for"
        if job.processors > note.processors:
            return f"has {note.processors} processors, needs {job.processors}"
        return f"refused it: {entry.refusals[note.site]}" if note.site in entry.refusals else ""

    def look(self, entry: Entry, job: Job, core: Core, now: float) -> None:
        """Note what is known of the clusters right before one of them gets `job`.

        Raises
        ------
        PolicyError
            If another has it already: a rule of the user's own sends copies.
        """
        if entry.position in self._looked or entry.is_at_cluster:
            rule = "was sent to several clusters at once; a service sends each job to one"
            raise PolicyError(self._rule, time=core.now, job_id=job.job_id, broken_rule=rule)
        few = len(self._looked) < MOST_FORECAST
        self._looked[entry.position] = self.candidates(entry, job, core, now, forecasts=few)

    def decisions(
        self, submitted: Sequence[tuple[Entry, int]], core: Core, now: float
    ) -> list[tuple[DecisionRecord, ForecastRecord]]:
        """Return the records of the jobs that were submitted to clusters at a step, in order."""
        late: dict[int, Mapping[int, float]] = {}
        records = []
        for entry, site in submitted:
            candidates = self._looked.pop(entry.position)
            if candidates[site].run_time is None and self._notes[site].predictable:
                if site not in late:
                    plan = core.clusters[site].planned_schedule(None)
                    late[site] = {one.job.position: one.start - core.now for one in plan}
                wait = late[site].get(entry.position, math.inf)
                candidates = _with_forecast(candidates, site, wait, entry.job.planned_time)
            records.append(self._records(entry, site, candidates, now))
        self._looked.clear()
        return records

    def _records(
        self, entry: Entry, site: int, candidates: tuple[Candidate, ...], now: float
    ) -> tuple[DecisionRecord, ForecastRecord]:
        entry.decisions += 1
        number, chosen = entry.decisions, candidates[site]
        decision = DecisionRecord(
            entry.id, number, now, self._rules.broker, candidates, chosen.cluster, self.why(candidates, site)
        )
        errors, interval = self._errors.get(self._rules.estimator), None
        if chosen.wait_time is not None and errors is not None:
            interval = errors.interval(chosen.wait_time)
        forecast = ForecastRecord(
            entry.id, number, now, self._rules.estimator, chosen.wait_time, chosen.run_time,
            *(interval or (None, None)),
        )  # fmt: skip
        return decision, forecast

    def note_actual(self, forecast: ForecastRecord, wait: float) -> None:
        """Note how long a job has waited since its decision, in seconds."""
        if forecast.wait_time is not None:
            self._errors.setdefault(forecast.estimator, ForecastErrors()).note(forecast.wait_time, wait)

    def why(self, candidates: Sequence[Candidate], site: int) -> str:
        """Return in one sentence why a cluster was chosen."""
        chosen = candidates[site]
        others = [one for one in candidates if not one.why_not and one is not chosen]
        if not others:
            closed = "; ".join(f"{one.cluster}: {one.why_not}" for one in candidates if one is not chosen)
            only = f"the only one that takes it now ({closed})" if closed else "the only cluster"
            return f"{self._rule} chose {chosen.cluster}, {only}"
        has_waits = all(one.wait_time is not None for one in (chosen, *others))
        if self._uses_forecasts and has_waits:
            ends = "; ".join(f"{one.cluster} in {_end(one):.0f} s" for one in others)
            return f"{self._rule} chose {chosen.cluster}: it would end there in {_end(chosen):.0f} s; {ends}"
        return f"{self._rule} chose {chosen.cluster}: " + "; ".join(map(_load, (chosen, *others)))


def _with_forecast(
    candidates: tuple[Candidate, ...], site: int, wait: float, run: float
) -> tuple[Candidate, ...]:
    forecasted = replace(candidates[site], wait_time=wait if wait < math.inf else None, run_time=run)
    return (*candidates[:site], forecasted, *candidates[site + 1 :])


def _end(candidate: Candidate) -> float:
    return (candidate.wait_time or 0.0) + (candidate.run_time or 0.0)


def _load(candidate: Candidate) -> str:
    jobs = "1 job waits" if candidate.waiting == 1 else f"{candidate.waiting} jobs wait"
    return f"{candidate.cluster} has {candidate.free} processors free and {jobs}"
