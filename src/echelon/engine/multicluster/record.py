"""Record: the history of each job of a multicluster, and the resulting schedule."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.model import Experience, Schedule, TaskPlaces, names_of
from echelon.model.jobs.columns import read_only
from echelon.model.schedules.kept_jobs import drop_rejected, kept_positions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.engine.ledger.ledger import Ledger
    from echelon.engine.multicluster.forecasting.forecasts import ForecastBook
    from echelon.engine.multicluster.sharing.nodes import SharedNodes
    from echelon.model import Attempts, Instance, Job, OwnerDelays
    from echelon.model.jobs.columns import IntColumn


class QueueAtArrival(NamedTuple):
    """The jobs in a cluster's queue when a job joined it, and their work."""

    waiting_jobs: int
    waiting_work: float


class Record:
    """Dispatches, starts and ends of jobs, and the nodes of their tasks.

    Parameters
    ----------
    instance : Instance
        The jobs.
    nodes : SharedNodes
        The nodes of all clusters.
    at : sequence of int
        The leaf that each cluster is.
    """

    def __init__(self, instance: Instance, nodes: SharedNodes, at: Sequence[int]) -> None:
        self._instance, self._nodes, self._at = instance, nodes, at
        self.delivered = np.full(len(instance), np.nan)
        self.planned = instance.planned_time.copy()
        self._replanned: set[int] = set()
        self.end, self._ran = (np.full(len(instance), np.nan) for _ in range(2))
        self._cut = np.zeros(len(instance), dtype=np.bool_)
        self.rejected: dict[str, list[int]] = {}
        self.joined: dict[tuple[int, int], QueueAtArrival] = {}
        self._places: dict[int, tuple[int, ...]] = {}
        # Of each job, by when it got them.
        self._stays: dict[int, dict[float, tuple[int, ...]]] = {}
        self._mpl: dict[int, int] = {}
        self._learned: dict[int, Experience] = {}

    def plan(self, position: int, planned: float) -> None:
        """Note that policies plan so many seconds for the job at `position`, by a forecast."""
        self.planned[position] = planned
        self._replanned.add(position)

    def note_start(self, job: Job, nodes: tuple[int, ...], now: float) -> None:
        """Note that `job` has started or resumed on these nodes; its tasks are already there."""
        self._places[job.position] = nodes
        self._stays.setdefault(job.position, {})[now] = nodes
        self._mpl.setdefault(job.position, max(self._nodes.tasks(node) for node in nodes))

    def note_end(self, job: Job, site: int, times: tuple[float, float, float], *, cut: bool) -> Experience:
        """Note that `job` has ended, cut at its request or not; return its record for estimators.

        The times are its first start, how long it ran in all its attempts and without switches, and now.
        """
        start, ran, now = times
        self.end[job.position], self._ran[job.position] = now, ran
        self._cut[job.position] = cut
        delivered = float(self.delivered[job.position])
        joined = self.joined.pop((job.position, site), QueueAtArrival(0, 0.0))
        self._learned[job.position] = Experience(
            *names_of(job), job.processors, *joined, self._mpl[job.position],
            start - delivered, ran, now,
        )  # fmt: skip
        return self._learned[job.position]

    def site_of(self, position: int) -> int:
        """Return the cluster with most tasks of a job, the lowest on ties."""
        sites = [self._nodes.site_of[node] for node in self._places[position]]
        return max(sorted(set(sites)), key=sites.count)

    def schedule(
        self,
        ledger: Ledger,
        forecasts: ForecastBook,
        delays: OwnerDelays,
        counts: dict[str, int],
    ) -> Schedule:
        """Return the schedule of the jobs that ended; those rejected are dropped from its instance.

        Raises
        ------
        InputError
            If all jobs were rejected.
        """
        kept = kept_positions(self._instance, self.rejected)
        submitted = self._instance.release_at(ledger.released_instance().submit_time)
        instance = drop_rejected(submitted, self.rejected)
        site = np.array([self.site_of(position) for position in kept.tolist()], dtype=np.int64)
        attempts = self._attempts(ledger, kept, site)
        end, ran = self.end[kept], self._ran[kept]
        if attempts is not None:
            # Some have not ended as they should.
            end = np.where(np.isnan(end), attempts.last_end(), end)
            ran = np.where(np.isnan(ran), attempts.held_time(), ran)
            counts |= {"preemptions": ledger.dispatches.preemptions}
        plain = Schedule(
            replace(instance, run_time=read_only(ran), killed=read_only(self._cut[kept])),
            ledger.dispatches.starts()[kept],
            counts,
            recorded=attempts,
            site=site,
            end=read_only(end),
            places=self._task_places(kept.tolist(), attempts=attempts),
        )
        return self._add_forecasts(plain, kept, forecasts, delays)

    def _attempts(self, ledger: Ledger, kept: IntColumn, site: IntColumn) -> Attempts | None:
        """Return the attempts of the jobs at these positions; None if each had one, without a break."""
        sites = np.full(len(self._instance), -1)
        sites[kept] = site
        interrupted = ledger.dispatches.interrupted
        attempts = ledger.dispatches.attempts(self._instance, sites) if interrupted else None
        if attempts is None:
            return None
        if ledger.dispatches.cut:
            self._cut[[*ledger.dispatches.cut]] = True
        return attempts.take(kept).with_killed(self._cut[kept])

    def complete_schedule(
        self, plain: Schedule, ledger: Ledger, forecasts: ForecastBook, delays: OwnerDelays
    ) -> Schedule:
        """Return the schedule of all jobs with what happened to those on shared nodes, beside other sites."""
        here = np.isfinite(self.end)
        end = np.where(here, self.end, plain.end_time)
        run_time = np.where(here, self._ran, plain.instance.run_time)
        killed = np.where(here, self._cut, plain.instance.killed)
        positions = np.flatnonzero(here)
        site = plain.site
        assert site is not None
        site = site.copy()
        site[positions] = [self._at[self.site_of(position)] for position in positions.tolist()]
        attempts = plain.recorded and plain.recorded.with_killed(killed)
        numbers = positions.tolist()
        schedule = replace(
            plain,
            recorded=attempts,
            instance=replace(plain.instance, run_time=read_only(run_time), killed=read_only(killed)),
            site=site,
            end=read_only(end),
            places=self._task_places(numbers, numbers, attempts if ledger.dispatches.interrupted else None)
            if numbers
            else None,
        )
        predicted = plain.predicted_time
        forecast_schedule = self._add_forecasts(schedule, np.arange(len(here)), forecasts, delays)
        if predicted is None:
            return forecast_schedule
        # What was predicted at submission counts where no cluster was forecast to take another time.
        predicted, rows = predicted.copy(), [job for job in positions.tolist() if job in self._replanned]
        predicted[rows] = self.planned[rows]
        return replace(forecast_schedule, predicted_time=read_only(predicted))

    def _add_forecasts(
        self, schedule: Schedule, kept: IntColumn, forecasts: ForecastBook, delays: OwnerDelays
    ) -> Schedule:
        """Add what was forecast and learned of the jobs at these positions."""
        return replace(
            schedule,
            predicted_time=self.planned[kept]
            if (self.planned != self._instance.planned_time).any()
            else None,
            delivered=read_only(self.delivered[kept]),
            forecasts=forecasts.forecasts(kept),
            owner_delays=delays,
            experiences=tuple(self._learned[p] for p in kept.tolist() if p in self._learned),
        )

    def _task_places(
        self, kept: list[int], numbers: Iterable[int] | None = None, attempts: Attempts | None = None
    ) -> TaskPlaces:
        """Return the node of every task of the jobs at these positions, which have these `numbers`.

        In each of the `attempts`, if there are any.
        """
        node_of, whose = self._nodes, dict(zip(count() if numbers is None else numbers, kept, strict=False))
        stays = [(number, 0.0, 0.0, self._places[position]) for number, position in whose.items()]
        if attempts is not None:
            columns = (attempts.job.tolist(), attempts.start.tolist(), attempts.end.tolist())
            stays = [
                (number, start, end, self._stays[whose[number]][start])
                for number, start, end in zip(*columns, strict=True)
                if number in whose
            ]
        rows = [
            (number, self._at[node_of.site_of[node]], node - node_of.first[node_of.site_of[node]], start, end)
            for number, start, end, nodes in stays
            for node in sorted(nodes)
        ]
        job, site, node, start, end = (np.array(column) for column in zip(*rows, strict=True))
        places = TaskPlaces(job, site, node)
        return places if attempts is None else replace(places, start=read_only(start), end=read_only(end))
