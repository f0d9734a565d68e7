"""One rule, two drivers: a portal that is told of a simulation's jobs selects the sites chosen there."""

from __future__ import annotations

import pytest

import echelon as ec
from echelon.engine.contract import Scenario
from echelon.engine.immediate.rules import ImmediateRules
from echelon.engine.reference import simulate
from echelon.engine.system_model import tree_of_sites
from echelon.policies import broker_named, policy
from echelon.testing import immediate_instances

POLICIES = (
    "random",
    "cpu-load",
    "cpu-load:ties=random",
    "lottery",
    "lottery-load",
    "wall-time",
    "ml",
    "met:times=history",
)


class Doubled:
    """A broker of a simulation that also asks a portal, and watches jobs end to tell it."""

    information, grid_state, immediate = 4, "actual", True

    def __init__(self, words, instance, seed):
        self.name, self._rule = words, broker_named(words)
        self._portal = ec.MetaScheduler(words, seed=seed)
        self._instance = instance
        self._runs = {}
        self.chosen = []
        for site in instance.platform.sites:
            self._portal.register(site.name, cores=site.processors)

    def choose(self, job, view):
        """Return what the rule chooses; note what the portal would."""
        names, application = self._instance.platform.names, f"application {job.executable}"
        for site, name in enumerate(names):
            self._portal.publish(name, view.load(site), at=view.now)
        site = self._rule.choose(job, view)
        ranked = self._portal.select(application, processes=job.processors, at=view.now)
        self.chosen.append((names[site], ranked[0].site))
        self._runs[job.position] = (
            site,
            self._portal.started(names[site], application, processes=job.processors, at=view.now),
        )
        return site

    def submitted(self, time, job, place):
        """Hear of a job."""

    def started(self, time, job, place):
        """Hear of a start."""

    def decided(self, time, waiting, free, place):
        """Hear of a decision."""

    def ended(self, time, job, place):
        """Tell the portal of an end, with the CPU time that the machine took."""
        site, run_id = self._runs[job.position]
        speed = self._instance.platform.sites[site].resource.speed
        self._portal.ended(run_id, float(self._instance.run_time[job.position]) / speed, at=time)


@pytest.mark.parametrize("words", POLICIES)
@pytest.mark.parametrize("place", range(6))
def test_the_same_choices(words, place):
    """Every job's site is the first that the portal ranks, under cold experience and the same seed."""
    instance = immediate_instances(seed=3)[place]
    both = Doubled(words, instance, seed=11)
    simulate(
        Scenario(
            instance,
            policy("fcfs"),
            seed=11,
            observers=(both,),
            system_model=tree_of_sites(both, rules=ImmediateRules(experience="cold")),
        )
    )
    assert len(both.chosen) == len(instance)
    assert [simulated for simulated, _ in both.chosen] == [selected for _, selected in both.chosen]
