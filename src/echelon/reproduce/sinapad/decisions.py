"""What a decision of each policy costs here: of the rule alone, and of the selection call of a portal."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.experiments.scenario import scenario_of
from echelon.experiments.simulation import run_scenario
from echelon.policies import broker_of
from echelon.portal import MetaScheduler
from echelon.reproduce.sinapad.evidence import DecisionCost
from echelon.reproduce.sinapad.setups import INTERLEAVED, POLICIES, jobs_of, platform_of, study_setup

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies import Broker

_CALLS = 40
"""Selections of a repetition: as many as jobs of a run."""


class _Timed:
    """A broker that notes how long its choices take."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self.seconds: list[float] = []

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  (whatever the broker has)
        return getattr(self._broker, name)

    def choose(self, job: Job, view: Any) -> int:  # noqa: ANN401  (as the broker's)
        """Return the broker's choice."""
        began = perf_counter()
        site = self._broker.choose(job, view)
        self.seconds.append(perf_counter() - began)
        return site


def decision_costs(repetitions: int) -> dict[str, DecisionCost]:
    """Return what a decision costs by policy, in RH with a job every 20 s, where Table 2 was measured.

    Of each repetition the median, since whatever else the machine does makes some calls longer. Policies take
    turns, so that what slows the machine down for a while does so to all of them.
    """
    samples = [
        {policy: (_rule_alone(policy, seed), _selection_call(policy, seed)) for policy in POLICIES}
        for seed in range(repetitions)
    ]
    return {
        policy: DecisionCost(
            *(np.array(column) for column in zip(*(row[policy] for row in samples), strict=True))
        )
        for policy in POLICIES
    }


def _rule_alone(policy: str, seed: int) -> float:
    setup = study_setup("RH", INTERLEAVED, policy)
    broker: Any = broker_of(setup.broker)
    timed: Any = _Timed(broker)
    platform = platform_of("RH", "any", seed)
    scenario = scenario_of(jobs_of(setup, seed), platform=platform, broker=timed, decision_time=0, seed=seed)
    run_scenario(scenario, engine="reference")
    return 1e6 * float(np.median(timed.seconds))


def _selection_call(policy: str, seed: int) -> float:
    portal = MetaScheduler(POLICIES[policy][0], seed=seed)
    names = [f"r1-{place}" for place in range(1, 11)]
    for name in names:
        portal.register(name, cores=1)
    for run in [portal.started(name, "linpack", "1.0", at=0.0) for name in names]:
        portal.ended(run, cpu_time=60.0, at=60.0)
    seconds = []
    for call in range(_CALLS):
        now = 100.0 + 20 * call
        for name in names:
            portal.publish(name, 0.5, at=now)
        began = perf_counter()
        first = portal.select("linpack", "1.0", at=now)[0]
        seconds.append(perf_counter() - began)
        portal.started(first.site, "linpack", "1.0", at=now)
    return 1e6 * float(np.median(seconds))
