"""Twin: the core over simulated clusters, with a step at every event."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.engine.live.core import Core
from echelon.engine.live.messages import Submitted
from echelon.engine.live.simulated_clusters import SimulatedClusters
from echelon.engine.tree.queues.membership import without_misplaced

if TYPE_CHECKING:
    from echelon.engine.contract import Scenario
    from echelon.model import Instance, Schedule


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
    world: Any = scenario.world
    scenario = without_misplaced(scenario, world.controllers, world.rules)
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
