"""SimulatedClusters: the clusters of a scenario without the controllers above them, and a core over them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.engine.ledger.ledger import Ledger
from echelon.engine.ledger.observer import QuietObserver
from echelon.engine.live.core import Core
from echelon.engine.live.messages import Ended, Reject, Reserved, Started, Submit, Submitted, Suspended
from echelon.engine.live.open_scenario import growing_scenario
from echelon.engine.machine import Machine
from echelon.engine.tree.leaf_kinds import LeafKinds
from echelon.engine.tree.leaves import Leaves
from echelon.engine.tree.queues.membership import drop_misplaced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.contract import Scenario
    from echelon.engine.ledger.observer import Place
    from echelon.engine.live.messages import Effect, Observation
    from echelon.model import Instance, Job, Schedule


class SimulatedClusters(QuietObserver):
    """Clusters that take jobs, start and end them, and report it.

    A job that is submitted to several starts at one: the others lose it at that moment.

    Parameters
    ----------
    scenario : Scenario
        Its platform has counted processors; what its controllers are does not matter here.
    grows : bool, default False
        Whether jobs may become known later: see `grow`.
    """

    def __init__(self, scenario: Scenario, *, grows: bool = False) -> None:
        model: Any = scenario.system_model
        if grows:
            scenario = growing_scenario(scenario)
        self._ledger = Ledger(scenario)
        self._ledger.observers = (self,)
        self._leaves = Leaves(self._ledger, LeafKinds(self._ledger, scenario, model.rules).leaves())
        self._rejected: dict[str, list[int]] = {}
        self._where: dict[int, list[int]] = {}
        self._reported: list[Observation] = []
        self._reserved: dict[int, tuple[tuple[int, float], ...]] = {}
        for site, leaf in enumerate(self._leaves.leaves):
            leaf.on_start = (self._note_start,)
            self._reserved[site] = ()

    def grow(self, scenario: Scenario) -> None:
        """Take in the jobs at the end of the instance of `scenario` that were not known before."""
        self._leaves.grow(growing_scenario(scenario))
        for leaf in self._leaves.leaves:
            assert isinstance(leaf, Machine)
            leaf.cluster.grow(self._ledger.scenario)

    def job(self, position: int) -> Job:
        """Return a job as the clusters know it."""
        return self._ledger.jobs[position]

    def waiting(self, site: int) -> Sequence[Job]:
        """Return the jobs that wait at a cluster, in the order of its queue."""
        return self._leaves.leaves[site].waiting

    def reservations_at(self, site: int) -> tuple[tuple[int, float], ...]:
        """Return the reservations of a cluster as it reported them last."""
        return self._reserved[site]

    def next_time(self) -> float:
        """Return when something next happens at a cluster, in seconds; infinity if nothing does."""
        return self._leaves.next_event(math.inf)

    def begin(self, now: float) -> list[Observation]:
        """Begin the instant `now`, in seconds; return the jobs that end."""
        leaves = self._leaves
        leaves.begin(now)
        ending: list[Observation] = []
        for job in leaves.take_ends():
            ending.append(Ended(job.position, leaves.site_of[job.position]))
            leaves.end(job)
        leaves.correct()
        return ending

    def carry_out(self, effects: Sequence[Effect]) -> None:
        """Take jobs, or lose them."""
        for effect in effects:
            if isinstance(effect, Submit):
                self._where.setdefault(effect.job.position, []).append(effect.site)
                self._leaves.join(effect.job, effect.site, is_reported=True)
            elif isinstance(effect, Reject):
                self._rejected.setdefault(effect.why, []).append(effect.job.position)
            elif effect.site in self._where.get(effect.job.position, ()):
                self._lose(effect.job, effect.site)

    def stop(self, position: int) -> None:
        """End a running job now, before it ends by itself; nothing is reported."""
        job, dispatches = self._ledger.jobs[position], self._ledger.dispatches
        dispatches.run_time[position] = dispatches.progress_of(position, self._ledger.now)
        self._leaves.end(job)

    def _lose(self, job: Job, site: int) -> None:
        self._where[job.position].remove(site)
        self._leaves.touch(site)
        self._leaves.leaves[site].withdraw(job)

    def decide(self) -> list[Observation]:
        """Let the clusters concerned decide; return what has started or waits again, and what is reserved."""
        self._leaves.decide()
        reported, self._reported = self._reported, []
        moved = {one.site for one in reported if isinstance(one, Started | Suspended)}
        for site, leaf in enumerate(self._leaves.leaves):
            assert isinstance(leaf, Machine)
            reserved = tuple(leaf.cluster.reservations.items())
            if reserved != self._reserved[site] or (reserved and site in moved):
                self._reserved[site] = reserved
                reported.append(Reserved(site, reserved))
        return reported

    def settle(self) -> None:
        """End the instant."""
        self._leaves.settle()

    def schedule(self) -> Schedule:
        """Return the schedule, all jobs having ended."""
        sites = np.array(self._leaves.site_of, dtype=np.int64)
        return self._ledger.finish_schedule(self._ledger.schedule(sites), self._rejected)

    def _note_start(self, job: Job, site: int) -> None:
        dispatches, now = self._ledger.dispatches, self._ledger.now
        self._leaves.site_of[job.position] = site
        for other in [*self._where.get(job.position, ())]:
            if other != site:
                self._lose(job, other)
        self._where.pop(job.position, None)
        self._reported.append(Started(job.position, site, dispatches.pay_time(job.position, now) - now))

    def preempted(self, time: float, job: Job, place: Place) -> None:
        """See `Observer.preempted`."""
        self._reported.append(Suspended(job.position, place.site or 0))


class Submissions:
    """The submissions of a log, by time, then position.

    Those of jobs that follow others come first: these wait for nothing but the ends of others.

    Parameters
    ----------
    instance : Instance
        The jobs.
    """

    def __init__(self, instance: Instance) -> None:
        submit = instance.submit_time
        if instance.dependencies is not None and len(submit):
            submit = np.where(instance.dependencies.follows, submit.min(), submit)
        self._order: list[int] = np.argsort(submit, kind="stable").tolist()
        self._times: list[float] = submit[self._order].tolist()
        self._next = 0

    @property
    def next_time(self) -> float:
        """When the next job is submitted, in seconds; infinity if all have been."""
        return self._times[self._next] if self._next < len(self._times) else math.inf

    def take(self, now: float) -> list[int]:
        """Return the positions of the jobs submitted now."""
        first = self._next
        while self.next_time == now:
            self._next += 1
        return self._order[first : self._next]


def replay(scenario: Scenario) -> Schedule:
    """Run the core over simulated clusters; the schedule is that of `echelon.simulate`.

    Parameters
    ----------
    scenario : Scenario
        See `Core`.
    """
    model: Any = scenario.system_model
    scenario = drop_misplaced(scenario, model.controllers, model.rules)
    core, clusters = Core(scenario), SimulatedClusters(replace(scenario, observers=()))
    submissions = Submissions(scenario.instance)
    while (now := min(submissions.next_time, core.next_time(), clusters.next_time())) < math.inf:
        observations = clusters.begin(now)
        observations += map(Submitted, submissions.take(now))
        clusters.carry_out(core.step(now, observations))
        while core.waits:
            clusters.carry_out(core.step(now, clusters.decide()))
        clusters.settle()
    return clusters.schedule()
