"""SimulatedBackend: one cluster of a simulation, as the service drives it."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import TYPE_CHECKING

from echelon.backends.contract import Description
from echelon.backends.settings import Settings
from echelon.backends.simulated.clock import RealTime
from echelon.backends.simulated.journal import Journal
from echelon.backends.simulated.roster import ArrivingJobs, instance_of
from echelon.backends.simulated.simulation import Simulation
from echelon.engine.contract import Scenario
from echelon.engine.system_model import BrokeredGrid
from echelon.model import Instance, Platform, Site, Workload
from echelon.policies import admissible, policy_named
from echelon.policies.broker.one_formula import FirstSite

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from echelon.backends.contract import Answer, Evidence, Snapshot, Submission
    from echelon.backends.simulated.clock import Driven

LISTS_ENDED = 60.0
"""Seconds for which ended jobs stay listed."""


class SimulatedBackend:
    """One cluster of a simulation; see `Backend`.

    Parameters
    ----------
    simulation : Simulation
        The clusters.
    site : int
        Which of them.
    clock : Driven or RealTime
        When what is asked happens.
    policy : str, default "easy"
        The spec of its policy.
    journal : Journal, optional
        Where what is asked is written down, so that the cluster outlives its process.
    """

    def __init__(
        self,
        simulation: Simulation,
        site: int,
        clock: Driven | RealTime,
        *,
        policy: str = "easy",
        journal: Journal | None = None,
    ) -> None:
        self._simulation, self._site, self._clock = simulation, site, clock
        self._policy, self._journal = policy, journal

    def describe(self) -> Description:
        """See `Backend.describe`."""
        processors = self._simulation.sizes[self._site]
        return Description(
            processors, has_claims=True, patience=0.0, policy=self._policy, version="simulated"
        )

    def submit(self, submissions: Sequence[Submission]) -> list[Answer]:
        """See `Backend.submit`."""
        with self._clock.instant(self._simulation) as now:
            self._note(now, submit=[asdict(one) for one in submissions])
            return [self._simulation.submit(self._site, one) for one in submissions]

    def look(self) -> Snapshot:
        """See `Backend.look`."""
        with self._clock.instant(self._simulation):
            return self._simulation.snapshot(self._site)

    def evidence(self, tags: Sequence[str]) -> Evidence:
        """See `Backend.evidence`."""
        with self._clock.instant(self._simulation):
            return self._simulation.evidence(self._site, tags)

    def cancel(self, jobs: Sequence[tuple[str, str]]) -> None:
        """See `Backend.cancel`."""
        with self._clock.instant(self._simulation) as now:
            self._note(now, cancel=[*map(list, jobs)])
            for tag, native_id in jobs:
                self._simulation.cancel(self._site, tag, native_id)

    def revoke(self, tags: Sequence[str]) -> dict[str, bool]:
        """See `Backend.revoke`."""
        with self._clock.instant(self._simulation) as now:
            self._note(now, revoke=[*tags])
            return self._simulation.revoke(self._site, tags)

    def _note(self, now: float, **asked: list[object]) -> None:
        if self._journal is not None:
            self._journal.note({"at": now, **asked})

    def close(self) -> None:
        """See `Backend.close`: there is nothing to release."""


def make(
    name: str, settings: Mapping[str, object], state: Path, *, clock: Callable[[], float] = time.time
) -> SimulatedBackend:
    """Return a simulated cluster: nothing is executed, and jobs end when `trial_of` says so.

    ::

        [[cluster]]
        name = "alpha"
        backend = "simulated"
        slots = 64
        speed = 100

    Parameters
    ----------
    name : str
        Name of the cluster.
    settings : mapping of str to object
        ``slots`` (default 8), its processors; ``policy`` (default ``"easy"``), that of its scheduler;
        ``speed`` (default 1): at speed 100 a job of 100 s ends after 1 s, and its time limit is a hundredth,
        too; ``lists_ended`` (default 60), seconds for which ended jobs stay listed.
    state : Path
        The service's own directory, for its journal: the cluster outlives its process.
    clock : callable, default `time.time`
        Unix time in seconds.

    Raises
    ------
    InputError, UnknownNameError
        If a setting is unknown, or not what it must be.
    """
    read = Settings(name, settings)
    slots, policy = read.whole("slots", 8), read.text("policy", "easy")
    speed = read.seconds("speed", 1.0, least=0.001)
    lists_ended = read.seconds("lists_ended", LISTS_ENDED)
    read.refuse_others()
    jobs = ArrivingJobs(_scenario(name, slots, policy), speed=speed)
    simulation = Simulation(jobs, lists_ended=lists_ended)
    state.mkdir(parents=True, exist_ok=True)
    journal = Journal(state / f"{name}.jsonl")
    journal.play(simulation)
    return SimulatedBackend(simulation, 0, RealTime(clock), policy=policy, journal=journal)


def _scenario(name: str, slots: int, policy: str) -> Scenario:
    """Return one cluster without jobs; what chooses above it does not matter."""
    nothing = Workload.from_columns(name="submitted", submit_time=[0], processors=[1], run_time=[1])
    instance = Instance.of(nothing, Platform((Site(name, slots),)))
    return Scenario(
        instance_of([], [], instance),
        policy_named(policy),
        system_model=BrokeredGrid(FirstSite(), admissible(1.0)),
    )
