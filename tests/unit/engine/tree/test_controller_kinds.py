"""A new kind of controller: a value that is planted on an inner site, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tests.unit.engine.tree.trees import instance, of, platform, run

from echelon.engine.tree.controlled_site import ControlledSite
from echelon.policies import Admissible, broker_named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.controllers import ControllerKind


class ByWeights(NamedTuple):
    """Jobs go to the branch that is furthest behind its weight."""

    weights: Sequence[float]
    broker = broker_named("ml")
    admissible = Admissible()
    keeps_jobs = wants_plans = copies_jobs = False

    def check(self, tree, scenario):
        """See `ControllerKind`: it can stand anywhere."""

    def plant(self, site):
        """See `ControllerKind`."""
        return Weighed(self.weights, site)


class Weighed(ControlledSite):
    """The inner site during a run."""

    def __init__(self, weights, site):
        self._weights, self._site = weights, site
        self._work = [0.0] * len(weights)

    def choose(self, job):
        """See `ControlledSite.choose`."""
        behind = [
            ((work + job.area) / weight, place)
            for place, (work, weight) in enumerate(zip(self._work, self._weights, strict=True))
        ]
        return min(behind)[1]

    def join(self, job, *, is_reported=False):
        """See `ControlledSite.join`."""
        place = self.choose(job)
        self._work[place] += job.area
        self._site.send(job, place, is_reported=is_reported)


def test_a_new_kind_needs_two_classes_of_its_own():
    """Six equal jobs, 2 : 1 to labs, where a broker decides between x and y."""
    kind: ControllerKind = ByWeights((1, 2))
    given = instance(platform(a=4, labs__x=1, labs__y=1), *[(0, 10, 1)] * 6)
    assert run(given, {"": kind, "labs": of("ml")}).site.tolist() == [1, 0, 2, 1, 0, 2]


def test_it_stands_below_a_broker_and_beside_a_protocol():
    """The root asks it where a job would go, for its forecast."""
    on = platform(g__a=1, g__b=1, h__c=2)
    given = instance(on, *[(0, 10, 1)] * 4)
    found = run(given, {"": of("mct:of=job"), "g": ByWeights((1, 1)), "h": of("ml")})
    assert sorted(found.start_time.tolist()) == [0, 0, 0, 0]
