"""Assembly: from a scenario to the system that its run drives."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from echelon.engine.ledger import Ledger
from echelon.engine.look_ahead import unsupported_reason
from echelon.engine.machine import Machine
from echelon.engine.system import LATEST
from echelon.engine.worlds import (
    BrokeredGrid,
    DecentralizedGrid,
    Multicluster,
    NodeLevelMachine,
    OneMachine,
    TimeSharedSites,
)
from echelon.errors import InputError
from echelon.policies import Information, Request

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.contract import Scenario
    from echelon.engine.system import System
    from echelon.engine.tree.brokerage import Brokerage
    from echelon.engine.tree.leaves import Leaves
    from echelon.engine.tree.statistics import SiteStatistics
    from echelon.policies.broker.contract import Broker


def system_of(scenario: Scenario) -> System:
    """Return the system of `scenario`, before its first event."""
    match scenario.world:
        case OneMachine():
            return Machine(Ledger(scenario), scenario.instance.processors)
        case NodeLevelMachine():
            from echelon.engine.nodes.machine import NodeMachine

            return NodeMachine(Ledger(scenario))
        case BrokeredGrid(broker):
            return _grid(scenario, broker)
        case DecentralizedGrid(protocol):
            from echelon.engine.decentralized import DecentralizedSites

            return DecentralizedSites(scenario, protocol, scenario.instance.sites)
        case TimeSharedSites():
            return _time_shared(scenario)
        case Multicluster():
            from echelon.engine.multicluster.assembly import multicluster_of
            from echelon.engine.multicluster.queue_prediction import predict_queue

            return multicluster_of(scenario, predict_queue)


def _grid(scenario: Scenario, broker: Broker) -> System:
    """Return sites with queues under a broker."""
    from echelon.engine.tree.brokered_sites import BrokeredSites

    check_foreseen(broker, scenario)
    states = [_queues(Ledger(scenario))]
    if broker.belief == "allocation":
        planned = Ledger(planned_scenario(scenario))
        planned.releases = states[0].ledger.releases
        states.append(_queues(planned))
    return BrokeredSites(states, [_root(scenario, broker, states)])


def _time_shared(scenario: Scenario) -> System:
    """Return time-shared machines under a broker or a dispatcher."""
    from echelon.engine.immediate.dispatched_sites import DispatchedSites
    from echelon.engine.immediate.machines import parts_of, time_shared_sites
    from echelon.engine.tree.brokered_sites import BrokeredSites
    from echelon.engine.tree.leaves import Leaves
    from echelon.policies.immediate.contract import Dispatcher

    platform, world = scenario.instance.sites, scenario.world_as(TimeSharedSites)
    ledger, rules, broker = Ledger(scenario), world.rules, world.broker
    parts = parts_of(ledger, platform, rules)
    sites = time_shared_sites(parts, platform, rules)
    leaves = Leaves(ledger, [sites[index] for index in range(len(platform))])
    is_dispatched = isinstance(broker, Dispatcher)
    record = partial(parts.record.schedule, replicated=is_dispatched)
    if isinstance(broker, Dispatcher):
        return DispatchedSites(
            scenario, broker, leaves, statistics=_statistics(leaves),
            allowed=scenario.admissible.sites(platform, scenario.instance.size),
            record=record, decision_time=rules.decision_time, latest=LATEST,
        )  # fmt: skip
    root = _root(scenario, broker, [leaves], decision_time=rules.decision_time)
    return BrokeredSites([leaves], [root], [record], latest=LATEST)


def _queues(ledger: Ledger) -> Leaves:
    """Return the sites with queues, each of identical processors."""
    from echelon.engine.tree.leaves import Leaves

    sites = enumerate(ledger.scenario.instance.sites.sites)
    return Leaves(ledger, [Machine(ledger, one.processors, one.name, site=place) for place, one in sites])


def _root(
    scenario: Scenario, broker: Broker, states: Sequence[Leaves], decision_time: float | None = None
) -> Brokerage:
    """Return the root of a platform whose sites are all leaves; the broker believes in the last state."""
    from echelon.engine.tree.broker_view import BrokerView
    from echelon.engine.tree.brokerage import Brokerage, LeafBranch
    from echelon.engine.tree.load_view import LoadView

    statistics = [_statistics(leaves) for leaves in states]
    instance = scenario.instance
    kind = BrokerView if decision_time is None else LoadView
    return Brokerage(
        broker, [LeafBranch(states, site) for site in range(len(instance.sites))],
        ledger=states[0].ledger, view=kind(scenario, broker, statistics[-1]),
        allowed=scenario.admissible.sites(instance.sites, instance.size), decision_time=decision_time,
    )  # fmt: skip


def _statistics(leaves: Leaves) -> SiteStatistics:
    """Return the statistics of all leaves, kept by them."""
    from echelon.engine.tree.statistics import SiteStatistics

    statistics = SiteStatistics(leaves.leaves)
    for site, leaf in enumerate(leaves.leaves):
        leaf.above.append((statistics, site))
    return statistics


def check_foreseen(broker: Broker, scenario: Scenario) -> None:
    """Refuse a broker that needs planned schedules of sites whose policy cannot be simulated ahead.

    Raises
    ------
    InputError
        If it does.
    """
    if broker.information >= Information.SCHEDULES and (reason := unsupported_reason(scenario)):
        raise InputError(f"{broker.name} needs planned schedules, but {reason}", field="broker")


def planned_scenario(scenario: Scenario) -> Scenario:
    """Return `scenario` with jobs that run for their planned times, without observers."""
    instance = replace(scenario.instance, run_time=scenario.instance.planned_time)
    return replace(scenario, instance=instance, observers=(), estimator=Request())
