"""Small time-shared machines, and runs on them."""

from __future__ import annotations

from echelon.engine.contract import Scenario
from echelon.engine.immediate.rules import ImmediateRules
from echelon.engine.reference import simulate
from echelon.engine.system_model import tree_of_sites
from echelon.model import Instance, Platform, Site, TimeSharedMachine, Workload
from echelon.policies import broker_named, policy


def platform(*machines):
    """Return machines of (cores, speed), named after their places."""
    return Platform(
        tuple(Site(f"m{k}", TimeSharedMachine(cores, v)) for k, (cores, v) in enumerate(machines))
    )


def instance(*jobs, on=((1, 1.0),), estimates="raise", **columns):
    """Return jobs (submit, run, processors) on machines of (cores, speed)."""
    submit, run, size = zip(*jobs, strict=True)
    workload = Workload.from_columns(submit_time=submit, run_time=run, processors=size, **columns)
    return Instance.of(workload, platform(*on), estimates=estimates)


def run(given, spec="mlp", rules=None, admissible=None, **more):
    chosen = broker_named(spec) if isinstance(spec, str) else spec
    return simulate(
        Scenario(
            given,
            policy("fcfs"),
            system_model=tree_of_sites(chosen, admissible, rules or ImmediateRules()),
            **more,
        )
    )
