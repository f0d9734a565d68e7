"""Scenario: every word that a run was asked for is read, every default is filled in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.contract import Scenario
from echelon.experiments.decision_time import decision_time as decision_time_given
from echelon.experiments.grid import choice_of, machine_of
from echelon.experiments.immediate import ImmediateChoice, check_local_policy, immediate_rules_of
from echelon.experiments.multicluster import MulticlusterChoice, multicluster_rules_of
from echelon.experiments.nodes import NodeChoice, node_rules_of
from echelon.experiments.unused_choices import refuse_unasked, refuse_unused
from echelon.model import Instance, Workload
from echelon.policies import estimator as as_estimator
from echelon.policies import estimator_capabilities
from echelon.policies import policy as as_policy

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from echelon.engine.multicluster.rules import MulticlusterRules
    from echelon.engine.nodes.rules import NodeRules
    from echelon.engine.observer import Observer
    from echelon.experiments.decision_time import DecisionTimeGiven
    from echelon.experiments.grid import AdmissibleGiven, BrokerGiven, PlatformGiven
    from echelon.experiments.immediate import MonitoringGiven
    from echelon.experiments.multicluster import (
        CoAllocationGiven,
        LocalUsersGiven,
        QueueLimitGiven,
        UpperQueueGiven,
        WatchGiven,
    )
    from echelon.experiments.nodes import ExecutionGiven, NetworkGiven, PlacementGiven, SharingGiven
    from echelon.model import Hardware, Platform
    from echelon.policies import Estimator, Order, Policy, Scheduler

DEFAULT_POLICY = "fcfs"
"""The policy where none is named, of sites, too."""


def scenario_of(
    workload: Workload,
    *,
    policy: str | Order | Scheduler | Policy | None = None,
    processors: int | None = None,
    platform: PlatformGiven | None = None,
    broker: BrokerGiven | None = None,
    admissible: AdmissibleGiven | None = None,
    place: PlacementGiven | None = None,
    execution: ExecutionGiven | None = None,
    network: NetworkGiven | None = None,
    sharing: SharingGiven | None = None,
    power_cap: float | None = None,
    governor: str | None = None,
    sleep_after: float | None = None,
    release: str | None = None,
    sequential: str | None = None,
    upper_queue: UpperQueueGiven | None = None,
    queue_limit: QueueLimitGiven | None = None,
    co_allocate: CoAllocationGiven | None = None,
    two_phase: bool | None = None,
    longest_stay: float | None = None,
    local_users: LocalUsersGiven | None = None,
    watch: WatchGiven | None = None,
    history: str | Path | None = None,
    monitoring: MonitoringGiven | None = None,
    decision_time: DecisionTimeGiven | None = None,
    experience: str | None = None,
    cpu_use: str | None = None,
    estimates: str = "raise",
    dependencies: str = "keep",
    estimator: str | Estimator = "request",
    passes: str = "instant",
    seed: int = 0,
    strict: bool = False,
    observers: Sequence[Observer] = (),
) -> Scenario:
    """Return what `simulate` would run: every word read, every default filled in; all as there.

    Nothing is learned from a history yet: only whether there may be one is looked at.
    """
    guess = as_estimator(estimator)
    # What is for sites or nodes is refused before anybody asks for the size of a machine without them.
    machine = None if platform is None else machine_of(workload, processors, platform)
    choice = choice_of(machine, broker, admissible)
    inside = NodeChoice(
        *(place, execution, network, sharing, power_cap, governor, sleep_after, release, sequential)
    )
    rules = node_rules_of(machine, workload, inside)
    upper = MulticlusterChoice(
        *(upper_queue, queue_limit, co_allocate, two_phase, longest_stay, local_users, watch, history)
    )
    seconds = decision_time_given(decision_time, choice.broker)
    shared = multicluster_rules_of(
        machine, upper, execution=execution, estimator=guess, decision_time=seconds
    )
    if broker is not None:
        refuse_unasked("broker", broker, [shared])
    desk = ImmediateChoice(monitoring, decision_time, experience, cpu_use)
    immediate = immediate_rules_of(machine, desk, choice.broker)
    if policy is not None:
        refuse_unused("policy", policy, [choice.broker])
    local = as_policy(DEFAULT_POLICY if policy is None else policy)
    check_local_policy(machine, local, DEFAULT_POLICY)
    if machine is None:
        machine = machine_of(workload, processors, None)
    taken = instance_of(
        workload, machine, rules, shared, estimates=estimates, strict=strict, dependencies=dependencies
    )
    instance = planned_by(guess, taken)
    return Scenario(
        instance,
        local,
        passes=passes,
        seed=seed,
        estimator=guess,
        observers=observers,
        broker=choice.broker,
        admissible=choice.admissible,
        nodes=rules,
        multicluster=shared,
        immediate=immediate,
    )


def instance_of(
    workload: Workload,
    machine: int | Platform | Hardware,
    rules: NodeRules | None = None,
    shared: MulticlusterRules | None = None,
    *,
    estimates: str,
    strict: bool,
    dependencies: str = "keep",
) -> Instance:
    """Return the jobs that a run on `machine` takes, under rules of its nodes or of a multicluster.

    Raises
    ------
    InputError
        As `Instance.of`; if `strict`, also for jobs that no cluster could ever run.
    """
    crowd = 1 if rules is None else rules.tasks_per_core
    spanning = shared is not None and shared.co_allocation is not None
    taken = Instance.of(
        workload,
        machine,
        estimates=estimates,
        strict=strict,
        tasks_per_core=crowd,
        spanning=spanning,
        straddle=rules is not None and rules.straddles,
        dependencies=dependencies,
    )
    if strict and shared is not None:
        from echelon.engine.multicluster.admission import admitted
        from echelon.model import Platform

        if isinstance(machine, Platform):
            co_allocation = shared.co_allocation
            return admitted(taken, machine, spanning=spanning, strict=True, co_allocation=co_allocation)
    return taken


def planned_by(estimator: Estimator, instance: Instance) -> Instance:
    """Return the instance that a run under `estimator` takes: one that knows run times plans with them."""
    known = estimator_capabilities(estimator).knows_run_times
    return instance.with_known_run_times() if known else instance
