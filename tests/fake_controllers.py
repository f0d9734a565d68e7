"""Controllers that send each job to the first open cluster that is not forbidden to it, for tests."""

from __future__ import annotations

import math

from echelon.service.core.controllers.choices import Assign, Recall, Reject
from echelon.service.records import DecisionRecord, ForecastRecord


class FakeControllers:
    """As `echelon.service.core.controllers.controllers.Controllers`, but it knows nothing of time and load.

    Attributes
    ----------
    calls : list of tuple
        What was told, in order.
    """

    def __init__(self, rules, sizes, now):
        self.calls = []
        self._clusters = [one.name for one in rules.clusters]
        self._open = set(self._clusters)
        self._queued, self._refused, self._after, self._place, self._recalls = {}, {}, {}, {}, []
        self._running, self._wanted = set(), {}
        self.waits = False

    def _told(self, *call):
        self.calls.append(call)

    def restore(self, now, queued, placed, ended):
        for job, cluster, since in placed:
            self._place[job.id] = cluster
            self._running |= {job.id} if since is not None else set()
        self.arrive(now, queued)

    def arrive(self, now, jobs):
        for job in jobs:
            self._told("arrive", job.id)
            self._queued[job.id], self._after[job.id] = job, set(job.spec.after)

    def _over(self, job):
        self._queued.pop(job, None)
        self._place.pop(job, None)
        self._running.discard(job)
        for waits in self._after.values():
            waits.discard(job)

    def hold(self, job):
        self._told("hold", job)
        self._queued.pop(job, None)
        self._place.pop(job, None)
        self._running.discard(job)

    def cancel(self, job):
        self._told("cancel", job)
        self._over(job)

    def started(self, job, cluster, at):
        self._told("started", job, cluster, at)
        assert self._place[job] == cluster
        self._running.add(job)

    def requeued(self, job, cluster):
        self._told("requeued", job, cluster)
        assert self._place[job] == cluster
        self._running.discard(job)

    def ended(self, job, cluster, run_time):
        self._told("ended", job, cluster, run_time)
        assert self._place[job] == cluster
        self._over(job)

    def refused(self, job, cluster, why):
        self._told("refused", job, cluster, why)
        self._refused.setdefault(job, set()).add(cluster)
        self._back(job)

    def returned(self, job, cluster):
        self._told("returned", job, cluster)
        self._back(job)

    def _back(self, job):
        self._place.pop(job, None)
        self._running.discard(job)
        self._queued[job] = None

    def stayed(self, job, cluster):
        self._told("stayed", job, cluster)
        self._queued.pop(job, None)
        self._place[job] = cluster

    def recall(self, job, to=None):
        """Have a job back at the next decision, if it waits at a cluster then, and send it to another one."""
        self._recalls.append(job)
        self._wanted[job] = to

    def _recalled(self):
        for job in self._recalls:
            if job in self._place and job not in self._running:
                yield Recall(job, self._place.pop(job))
                self._queued[job] = None
        self._recalls = []

    def closed(self, cluster, why):
        self._told("closed", cluster, why)
        self._open.discard(cluster)

    def opened(self, cluster):
        self._told("opened", cluster)
        self._open.add(cluster)

    def resized(self, cluster, processors):
        self._told("resized", cluster, processors)

    def reserved(self, cluster, starts):
        self._told("reserved", cluster, tuple(starts))

    def others(self, cluster, jobs):
        self._told("others", cluster, tuple(jobs))

    def looked(self, cluster, at):
        """Take no note of looks."""

    def teach(self, lessons):
        return len(list(lessons))

    def note_actual(self, forecast, wait):
        self._told("waited", forecast.job, wait)

    def decide(self, now):
        choices = [*self._recalled()]
        # A job that is rejected releases those that follow it, which may have come before it.
        while chosen := [*self._chosen(now)]:
            choices += chosen
        return choices

    def _chosen(self, now):
        for job in [*self._queued]:
            left = [one for one in self._clusters if one not in self._refused.get(job, ())]
            ready = [one for one in left if one in self._open]
            if not left:
                self._over(job)
                yield Reject(job, "all clusters have refused it")
            elif ready and not self._after.get(job):
                del self._queued[job]
                to = self._place[job] = self._wanted.pop(job, None) or ready[0]
                decision = DecisionRecord(job, 1, now, "first", (), to, f"{to} is the first.")
                yield Assign(job, to, decision, ForecastRecord(job, 1, now, "none"))

    def next_time(self):
        return math.inf

    def forecast(self, now, spec, owner=""):
        return ()

    def choice(self, now, spec, owner=""):
        return ""

    def outlook(self, now):
        return {}
