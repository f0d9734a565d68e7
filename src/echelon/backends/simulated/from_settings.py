"""A simulated cluster of a service's configuration."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from echelon.backends.simulated.backend import SimulatedBackend
from echelon.backends.simulated.clock import RealTime
from echelon.backends.simulated.journal import Journal
from echelon.backends.simulated.roster import ArrivingJobs, instance_of
from echelon.backends.simulated.simulation import Simulation
from echelon.engine.contract import Scenario
from echelon.engine.worlds import BrokeredGrid
from echelon.errors import InputError, UnknownNameError
from echelon.model import Instance, Platform, Site, Workload
from echelon.policies import admissible, policy_named
from echelon.policies.broker.one_formula import FirstSite

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from echelon.backends.contract import Backend

_KEYS = ("processors", "slots", "policy", "speed")
LISTS_ENDED = 60.0
"""Seconds for which ended jobs stay listed."""


def simulated_backend(
    name: str, settings: Mapping[str, object], state: Path, *, clock: Callable[[], float] = time.time
) -> Backend:
    """Return a simulated cluster: nothing is executed, and jobs end when `trial_of` says so.

    ::

        [[cluster]]
        name = "alpha"
        backend = "simulated"
        processors = 64
        speed = 100

    Parameters
    ----------
    name : str
        Of the cluster.
    settings : mapping of str to object
        ``processors`` (or ``slots``), at least 1; ``policy``, the policy of its scheduler, by default
        ``"easy"``; ``speed``, by default 1: a job of 100 s takes 1 s at speed 100.
    state : Path
        A folder for its journal: it outlives the process.
    clock : callable, default `time.time`
        Unix time in seconds.

    Raises
    ------
    InputError, UnknownNameError
        If a setting is unknown or wrong.
    """
    if unknown := [key for key in settings if key not in _KEYS]:
        raise UnknownNameError(f"setting of cluster {name!r}", unknown[0], _KEYS)
    processors, speed = _processors(name, settings), _number(name, settings, "speed", 1.0)
    policy = str(settings.get("policy", "easy"))
    simulation = Simulation(
        ArrivingJobs(_scenario(name, processors, policy), speed=speed), lists_ended=LISTS_ENDED
    )
    state.mkdir(parents=True, exist_ok=True)
    journal = Journal(state / "journal.jsonl")
    journal.play(simulation)
    return SimulatedBackend(simulation, 0, RealTime(clock), policy=policy, journal=journal)


def _scenario(name: str, processors: int, policy: str) -> Scenario:
    """Return one cluster without jobs; who chooses above it does not matter."""
    nothing = Workload.from_columns(name="submitted", submit_time=[0], processors=[1], run_time=[1])
    instance = Instance.of(nothing, Platform((Site(name, processors),)))
    return Scenario(
        instance_of([], [], instance),
        policy_named(policy),
        world=BrokeredGrid(FirstSite(), admissible(1.0)),
    )


def _processors(name: str, settings: Mapping[str, object]) -> int:
    given: Any = settings.get("processors", settings.get("slots"))
    if not isinstance(given, int) or isinstance(given, bool) or given < 1:
        raise InputError(f"must be a whole number of at least 1, got {given!r}", field=f"{name}, processors")
    return given


def _number(name: str, settings: Mapping[str, object], key: str, usual: float) -> float:
    given: Any = settings.get(key, usual)
    if not isinstance(given, int | float) or isinstance(given, bool) or not 0 < given < float("inf"):
        raise InputError(f"must be a number above 0, got {given!r}", field=f"{name}, {key}")
    return float(given)
