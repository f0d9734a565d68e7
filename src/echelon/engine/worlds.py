"""Worlds: the kinds of systems that a scenario can be, each with the rules that it needs and no others."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from echelon.errors import InputError
from echelon.policies.capabilities import capabilities

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.engine.contract import Scenario
    from echelon.engine.immediate.rules import ImmediateRules
    from echelon.engine.multicluster.rules import MulticlusterRules
    from echelon.engine.nodes.rules import NodeRules
    from echelon.model import NodeLevel, Platform
    from echelon.policies import Information, Metascheduler
    from echelon.policies.broker.admissible import Admissible
    from echelon.policies.broker.contract import Broker
    from echelon.policies.decentralized.contract import Decentralized
    from echelon.policies.immediate.contract import Dispatcher
    from echelon.policies.upper_queue.contract import UpperQueue
    from echelon.policies.upper_queue.limit import QueueLimit


def _all_sites() -> Admissible:
    """Return the admissibility of every site; brokers are not loaded for one machine."""
    from echelon.policies.broker.admissible import Admissible

    return Admissible()


@dataclass(frozen=True)
class OneMachine:
    """One machine of identical processors under the scenario's policy."""

    def check(self, scenario: Scenario) -> None:
        """Refuse any other machine."""
        _check_machine(self, scenario)


class NodeLevelMachine(NamedTuple):
    """One machine whose nodes are modeled individually, under the scenario's policy.

    Parameters
    ----------
    rules : NodeRules
        Placement, execution, sharing and power.
    """

    rules: NodeRules

    def check(self, scenario: Scenario) -> None:
        """Refuse what cannot be run on nodes."""
        _check_machine(self, scenario)
        self.rules.check(scenario.instance.node_level.hardware)
        name = scenario.estimator.name
        _check_sharing(self.rules, scenario)
        if scenario.instance.estimates == "request" and scenario.learns:
            raise InputError(
                f"{name} plans no job beyond its limit, but with --estimates request jobs run "
                "longer than that; use the estimator request",
                field="estimator",
            )
        if scenario.learns and not self.rules.keeps_run_times:
            raise InputError(
                f"{name} learns from run times, which depend on what runs beside a job here; "
                "use request or exact, or --execution fixed",
                field="estimator",
            )


class BrokeredGrid(NamedTuple):
    """A grid of sites with queues, whose jobs a broker assigns when they are submitted.

    Parameters
    ----------
    broker : Broker
        Chooses the site of each job.
    admissible : Admissible
        Which sites it may choose from, by the job's size.
    """

    broker: Broker
    admissible: Admissible

    def check(self, scenario: Scenario) -> None:
        """Refuse what cannot be run under this broker."""
        _check_machine(self, scenario)
        _check_broker(self.broker, scenario)
        _check_not_pyss(scenario)
        _check_belief(self.broker, scenario)


class DecentralizedGrid(NamedTuple):
    """A grid whose sites exchange jobs under a protocol, without a broker; the policy is not used.

    Parameters
    ----------
    protocol : Decentralized
        How they exchange jobs.
    """

    protocol: Decentralized

    def check(self, scenario: Scenario) -> None:
        """Refuse what cannot be run under this protocol."""
        _check_machine(self, scenario)
        _check_broker(self.protocol, scenario)
        _check_cycles(scenario, "sites decide together under a protocol, after all events of an instant")
        if scenario.learns:
            raise InputError(
                f"{self.protocol.name} plans with request or exact, got {scenario.estimator.name!r}",
                field="estimator",
            )


class Multicluster(NamedTuple):
    """Clusters of shared nodes under a global queue.

    Parameters
    ----------
    broker : Broker
        Chooses among clusters.
    rules : MulticlusterRules
        Global queue, execution, local load and what else is set.
    """

    broker: Broker
    rules: MulticlusterRules

    def check(self, scenario: Scenario) -> None:
        """Refuse what cannot be run on a multicluster."""
        _check_machine(self, scenario)
        _check_broker(self.broker, scenario)
        scheduler = scenario.policy.scheduler
        if capabilities(scheduler).preempts:
            raise InputError(
                f"{scheduler.name} suspends jobs, but on shared nodes they run on beside others; "
                "choose an order with or without a backfilling",
                field="policy",
            )
        _check_forecasts(scenario)
        _check_cycles(
            scenario,
            "the global queue and the clusters decide in turn until no event is left at an instant, "
            "and jobs continue at their new speeds afterwards",
        )


class TimeSharedSites(NamedTuple):
    """Time-shared machines, on which every job starts as soon as it is dispatched; the policy is not used.

    Parameters
    ----------
    broker : Broker or Dispatcher
        Chooses the machine of each job, or dispatches and replicates jobs by itself.
    rules : ImmediateRules
        Monitoring, decision time and what else is set.
    admissible : Admissible
        Which machines a broker may choose from, by the job's size.
    """

    broker: Broker | Dispatcher
    rules: ImmediateRules
    admissible: Admissible

    def check(self, scenario: Scenario) -> None:
        """Refuse what cannot be run on time-shared machines."""
        _check_machine(self, scenario)
        from echelon.policies.immediate.contract import Dispatcher

        if isinstance(self.broker, Dispatcher) and self.admissible != _all_sites():
            raise InputError(
                f"is for brokers; {self.broker.name} may choose every machine that is large enough",
                field="admissible",
            )
        if scenario.learns:
            raise InputError(
                f"{scenario.estimator.name} learns from run times, which depend on what runs beside a job "
                "here; use request or exact",
                field="estimator",
            )
        _check_broker(self.broker, scenario)
        _check_cycles(
            scenario, "on time-shared machines every job starts at once, and no local policy decides"
        )


class QueueRules(NamedTuple):
    """A global queue above sites that have queues of their own.

    Parameters
    ----------
    rule : UpperQueue
        Selects the next job and its site.
    limit : QueueLimit
        Limits the queue of a site.
    longest_stay : float, default infinity
        A job that has not started this long after its submission is rejected, in seconds, > 0.
    two_phase : bool, default False
        Whether jobs that wait in a site are offered parts of several.
    """

    rule: UpperQueue
    limit: QueueLimit
    longest_stay: float = math.inf
    two_phase: bool = False


class Controller(NamedTuple):
    """Who chooses among the sites right below an inner site, and how.

    Parameters
    ----------
    broker : Broker
        Chooses the site of each job.
    admissible : Admissible
        Which sites it may choose from, by the job's size.
    decision_time : float, optional
        Time that it takes for each decision, in seconds, >= 0; default: jobs are sent on as they come.
    queue : QueueRules, optional
        The global queue in which jobs wait here until they are dispatched; default: none.
    refresh : float, default 0
        How old what is known of a site below may become, in seconds, >= 0: its status is asked for at most
        every so many seconds.
    information : Information, optional
        The highest level of information that the sites below give; default: all. A broker that needs more
        cannot choose among them.
    """

    broker: Broker
    admissible: Admissible
    decision_time: float | None = None
    queue: QueueRules | None = None
    refresh: float = 0.0
    information: Information | None = None

    def check(self, path: str) -> None:
        """Refuse a broker that needs more information than the sites below the inner site `path` give.

        Raises
        ------
        InputError
            If it does.
        """
        if self.information is None or self.broker.information <= self.information:
            return
        from echelon.policies.broker.contract import information_words

        raise InputError(
            f"the broker {self.broker.name} needs {information_words(self.broker.information)}, but the "
            f"sites below {repr(path) if path else 'the root'} give {information_words(self.information)} at "
            "most; choose a broker that needs no more, or raise their level",
            field="information",
        )


class LeafRules(NamedTuple):
    """The rules of leaves, by what they run jobs on; those of other leaves than a platform has are None.

    Parameters
    ----------
    nodes : NodeRules, optional
        Of leaves whose nodes are modeled individually.
    time_shared : ImmediateRules, optional
        Of time-shared machines.
    shared : MulticlusterRules, optional
        Of shared nodes.
    """

    nodes: NodeRules | None = None
    time_shared: ImmediateRules | None = None
    shared: MulticlusterRules | None = None

    @property
    def node_rules(self) -> NodeRules:
        """The rules of leaves with nodes, where there must be some."""
        if self.nodes is None:
            raise InputError("hardware of nodes needs rules of nodes, got none", field="nodes")
        return self.nodes

    @property
    def time_shared_rules(self) -> ImmediateRules:
        """The rules of time-shared machines, where there must be some."""
        if self.time_shared is None:
            raise InputError("time-shared machines need rules of their own, got none", field="immediate")
        return self.time_shared

    @property
    def shared_rules(self) -> MulticlusterRules:
        """The rules of shared nodes, where there must be some."""
        if self.shared is None:
            raise InputError("shared nodes need rules of a multicluster, got none", field="multicluster")
        return self.shared

    def planned(self) -> LeafRules:
        """Return the rules under which jobs run for their planned times: they do not slow each other down."""
        if self.nodes is None:
            return self
        from echelon.execution import Execution

        return self._replace(nodes=replace(self.nodes, execution=Execution(fixed=True), network=None))


class TreeOfSites(NamedTuple):
    """Sites of any kinds, and sites of sites, each inner one with a broker.

    Parameters
    ----------
    controllers : mapping of str to Controller
        Of every inner site, by its path; ``""`` is the root.
    rules : LeafRules
        The rules of its leaves.
    """

    controllers: Mapping[str, Controller]
    rules: LeafRules

    @property
    def broker(self) -> Broker:
        """The broker of the root."""
        return self.controllers[""].broker

    @property
    def admissible(self) -> Admissible:
        """Which sites below the root may be chosen from, by the job's size."""
        return self.controllers[""].admissible

    def check(self, scenario: Scenario) -> None:
        """Refuse what these sites cannot run."""
        platform = scenario.instance.sites
        if missing := [path for path in platform.inner_paths if path not in self.controllers]:
            raise InputError(f"inner site {missing[0]!r} needs a broker, got none", field="broker")
        for path in platform.inner_paths:
            self.controllers[path].check(path)
        if platform.clusters:
            self._check_shared(scenario)
        hardware = [*platform.node_level.values()]
        for nodes in hardware:
            self.rules.node_rules.check(nodes)
        if self.rules.nodes is not None:
            _check_sharing(self.rules.nodes, scenario)
        _check_not_pyss(scenario)
        # Under a global queue information is actual.
        if all(one.queue is None for one in self.controllers.values()):
            for one in self.controllers.values():
                _check_belief(one.broker, scenario)
        if scenario.learns and (hardware or platform.time_shared):
            raise InputError(
                f"{scenario.estimator.name} learns from run times, which depend on what runs beside a job "
                "here; use request or exact",
                field="estimator",
            )

    def _check_shared(self, scenario: Scenario) -> None:
        """Refuse what shared nodes beside other sites cannot run."""
        rules, scheduler = self.rules.shared_rules, scenario.policy.scheduler
        if scenario.passes != "instant":
            _check_cycles(scenario, "jobs on shared nodes continue at their new speeds after all events")
        if capabilities(scheduler).preempts:
            raise InputError(
                f"{scheduler.name} suspends jobs, but on shared nodes they run on", field="policy"
            )
        if rules.longest_stay < math.inf:
            raise InputError(
                "rejects jobs of a multicluster alone; leave it out beside sites of other kinds",
                field="longest stay",
            )
        if scenario.learns:
            raise InputError(
                f"{scenario.estimator.name} learns from waits in clusters; beside sites of other kinds use "
                "request or exact",
                field="estimator",
            )
        _check_forecasts(scenario)


World: TypeAlias = (
    OneMachine
    | NodeLevelMachine
    | BrokeredGrid
    | DecentralizedGrid
    | Multicluster
    | TimeSharedSites
    | TreeOfSites
)
"""What a scenario simulates: the machine or the sites, with the rules that choose among them."""


def world_of_sites(
    broker: Metascheduler,
    admissible: Admissible | None = None,
    rules: MulticlusterRules | ImmediateRules | None = None,
) -> World:
    """Return the world of several sites under this broker or protocol.

    Parameters
    ----------
    broker : Broker, Dispatcher or Decentralized
        Chooses the site of each job, or is the protocol under which sites exchange jobs.
    admissible : Admissible, default all sites
        Which sites a broker may choose from.
    rules : MulticlusterRules or ImmediateRules, optional
        Those of a multicluster, or of time-shared machines; default: sites with queues.

    Raises
    ------
    InputError
        If the broker is for other sites, or there is none for `admissible` to hold.
    """
    from echelon.policies import Broker, Decentralized, incompatibility

    if rules is not None:
        return _world_under_rules(broker, admissible, rules)
    if isinstance(broker, Broker):
        return BrokeredGrid(broker, admissible or _all_sites())
    if not isinstance(broker, Decentralized):
        raise InputError(incompatibility(broker, immediate=False) or "expected a broker", field="broker")
    if admissible not in (None, _all_sites()):
        raise InputError(f"{broker.name} has no broker, which admissibility is for", field="admissible")
    return DecentralizedGrid(broker)


def _world_under_rules(
    broker: Metascheduler, admissible: Admissible | None, rules: MulticlusterRules | ImmediateRules
) -> World:
    from echelon.engine.immediate.rules import ImmediateRules
    from echelon.policies import Broker, Decentralized, incompatibility

    if isinstance(rules, ImmediateRules):
        if isinstance(broker, Decentralized):
            raise InputError(incompatibility(broker, immediate=True) or "expected a broker", field="broker")
        return TimeSharedSites(broker, rules, admissible or _all_sites())
    if not isinstance(broker, Broker):
        raise InputError(
            f"needs a broker that chooses among clusters, got {getattr(broker, 'name', None)!r}",
            field="broker",
        )
    if admissible not in (None, _all_sites()):
        raise InputError("is for grids; on a multicluster every cluster may be chosen", field="admissible")
    return Multicluster(broker, rules)


def _kind_of(machine: int | Platform | NodeLevel) -> str:
    if isinstance(machine, int):
        return "processors"
    from echelon.model.machines.platform import Platform

    sites = machine if isinstance(machine, Platform) else machine.platform
    if sites is None:
        return "nodes"
    if sites.is_nested or sites.is_mixed or sites.node_level:
        return "tree"
    shape = "multicluster" if sites.is_shared else "grid"
    return "time-shared" if sites.is_immediate else shape


_LACKS = {
    "processors": ("platform", "processors alone have no sites and no nodes"),
    "nodes": ("nodes", "hardware of nodes needs rules of nodes"),
    "grid": ("broker", "a platform needs a broker"),
    "multicluster": ("multicluster", "shared nodes need rules of a multicluster"),
    "time-shared": ("immediate", "time-shared machines need rules of their own"),
    "tree": ("platform", "sites of several kinds or levels, or with nodes, need a tree of controllers"),
}
"""What a machine of each kind needs that another world does not have: the field, and the sentence."""

_NEEDS = {
    "nodes": ("nodes", "rules of nodes need hardware of nodes"),
    "grid": ("platform", "a broker needs a platform"),
    "multicluster": ("multicluster", "rules of a multicluster need shared nodes"),
    "time-shared": ("immediate", "time-shared machines are not what the platform has"),
}
"""What a world needs that processors or other sites do not have."""


_RUNS_ON: dict[type, str] = {
    OneMachine: "processors",
    NodeLevelMachine: "nodes",
    BrokeredGrid: "grid",
    DecentralizedGrid: "grid",
    Multicluster: "multicluster",
    TimeSharedSites: "time-shared",
}
"""The kind of machine that each kind of world is for."""


def _check_machine(world: World, scenario: Scenario) -> None:
    """Refuse an instance whose machine is not of the kind that `world` is for."""
    has, needs = _kind_of(scenario.instance.machine), _RUNS_ON[type(world)]
    if has == needs:
        return
    special = has in {"multicluster", "time-shared", "nodes", "tree"} or needs == "processors"
    at, sentence = _LACKS[has] if special else _NEEDS[needs]
    raise InputError(f"{sentence}, got none" if at != "immediate" else sentence, field=at)


def _check_broker(broker: Metascheduler, scenario: Scenario) -> None:
    """Refuse a broker that is for other sites."""
    from echelon.policies import incompatibility

    sites = scenario.instance.sites
    reason = incompatibility(broker, immediate=sites.is_immediate, shared=sites.is_shared)
    if reason is not None:
        raise InputError(reason, field="broker")


def _check_belief(broker: Broker, scenario: Scenario) -> None:
    """Refuse a broker that uses planned information if planned times are learned during the run."""
    if scenario.learns and broker.belief == "allocation":
        raise InputError(
            f"{broker.name} uses planned information, so it plans with request or exact, "
            f"got {scenario.estimator.name!r}",
            field="estimator",
        )


def _check_cycles(scenario: Scenario, why: str) -> None:
    """Refuse any other rule of scheduling cycles than one per instant."""
    if scenario.passes != "instant":
        raise InputError(f"{why}; choose 'instant', got {scenario.passes!r}", field="cycles")


def _check_not_pyss(scenario: Scenario) -> None:
    if scenario.passes == "pyss":
        raise InputError(
            "pyss is the order of one machine, whose jobs have all been submitted to it; choose 'instant' or "
            "'event', got 'pyss'",
            field="cycles",
        )


def _check_forecasts(scenario: Scenario) -> None:
    """Refuse an estimator that says nothing of waits in clusters."""
    from echelon.policies.estimators.forecast import ForecastingEstimator

    if not isinstance(scenario.estimator, ForecastingEstimator):
        raise InputError(
            f"{scenario.estimator.name!r} does not forecast waits, which clusters need; implement "
            "forecaster(past)",
            field="estimator",
        )


def _check_sharing(rules: NodeRules, scenario: Scenario) -> None:
    """Refuse to suspend jobs whose tasks share cores, or to plan with them."""
    if rules.sharing is None:
        return
    scheduler = scenario.policy.scheduler
    if capabilities(scheduler).preempts:
        raise InputError(
            f"{rules.sharing.name} lets tasks share cores, but {scheduler.name} suspends jobs, which resume "
            "with a core for each task; choose no sharing, or another policy",
            field="sharing",
        )
    if capabilities(scheduler).plans:
        raise InputError(
            f"{rules.sharing.name} lets jobs start on fewer cores than tasks, which {scheduler.name!r} "
            "cannot plan with; choose none, first-fit or easy",
            field="sharing",
        )
