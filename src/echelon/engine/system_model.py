"""System models: what a scenario can simulate, each kind with the rules that it needs and no others."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from echelon.errors import InputError
from echelon.policies.capabilities import capabilities

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.engine.contract import Scenario
    from echelon.engine.controllers import ControllerKind
    from echelon.engine.immediate.rules import ImmediateRules
    from echelon.engine.multicluster.rules import MulticlusterRules
    from echelon.engine.nodes.rules import NodeRules
    from echelon.model import Platform
    from echelon.policies import Information, Metascheduler, Policy, Scheduler
    from echelon.policies.broker.admissible import Admissible
    from echelon.policies.broker.contract import Broker
    from echelon.policies.decentralized.contract import Decentralized
    from echelon.policies.immediate.contract import Dispatcher
    from echelon.policies.sharing import Sharing


def _all_sites() -> Admissible:
    """Return the admissibility of every site; brokers are not loaded for one machine."""
    from echelon.policies.broker.admissible import Admissible

    return Admissible()


@dataclass(frozen=True)
class OneMachine:
    """One machine of identical processors under the scenario's policy."""

    def check(self, scenario: Scenario) -> None:
        """Refuse any other machine."""
        _check_alone(scenario)
        if not isinstance(scenario.instance.machine, int):
            raise InputError("hardware of nodes needs rules of nodes, got none", field="nodes")


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
        _check_alone(scenario)
        if isinstance(scenario.instance.machine, int):
            raise InputError("rules of nodes need hardware of nodes, got none", field="nodes")
        self.rules.check(scenario.instance.node_level.hardware)
        _check_nodes(self.rules, [scenario.policy])


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

    def check(self, platform: Platform) -> None:
        """Refuse sites that need other rules."""
        if platform.clusters:
            _ = self.shared_rules
        if platform.time_shared:
            _ = self.time_shared_rules
        elif self.time_shared is not None and self.nodes is None:
            raise InputError("time-shared machines are not what the platform has", field="immediate")
        for nodes in platform.node_level.values():
            self.node_rules.check(nodes)

    def for_planning(self) -> LeafRules:
        """Return the rules under which jobs run for their planned times: they do not slow each other down."""
        if self.nodes is None:
            return self
        from echelon.execution import Execution

        return self._replace(nodes=replace(self.nodes, execution=Execution(fixed=True), network=None))


class TreeOfSites(NamedTuple):
    """Sites of any kinds, and sites of sites, each inner one with a controller.

    Parameters
    ----------
    controllers : mapping of str to ControllerKind
        Of every inner site, by its path; ``""`` is the root.
    rules : LeafRules
        The rules of its leaves.
    """

    controllers: Mapping[str, ControllerKind]
    rules: LeafRules

    @property
    def broker(self) -> Metascheduler:
        """What chooses at the root."""
        return self.controllers[""].broker

    @property
    def admissible(self) -> Admissible:
        """Which sites below the root may be chosen from, by the job's size."""
        return self.controllers[""].admissible

    def check(self, scenario: Scenario) -> None:
        """Refuse what these sites cannot run."""
        if (platform := _platform_of(scenario)) is None:
            raise InputError("a broker needs a platform, got none", field="platform")
        self.rules.check(platform)
        _check_policies(scenario.policy, platform)
        self._check_stay()
        if missing := [path for path in platform.inner_paths if path not in self.controllers]:
            raise InputError(f"inner site {missing[0]!r} needs a broker, got none", field="broker")
        for inner in platform.tree.inner():
            self.controllers[inner.path].check(inner, scenario)
        if platform.clusters:
            _check_forecasts(scenario)
        if platform.node_level:
            policies = scenario.policy.distinct_at(platform.node_level)
            _check_nodes(self.rules.node_rules, policies)
        _check_cycles(scenario, platform)

    def _check_stay(self) -> None:
        """Refuse a longest stay that no global queue of the tree has, and that would have no effect."""
        stay = math.inf if self.rules.shared is None else self.rules.shared.longest_stay
        queues = (getattr(one, "queue", None) for one in self.controllers.values())
        if stay < math.inf and not any(queue and queue.longest_stay == stay for queue in queues):
            raise InputError(
                f"of {stay:g} s is set for shared nodes, but only global queues reject jobs; set it in "
                "the QueueRules of a controller",
                field="longest-stay",
            )


SystemModel: TypeAlias = OneMachine | NodeLevelMachine | TreeOfSites
"""What a scenario simulates: a machine, or sites, with the rules that choose among them."""


def is_multicluster(model: TreeOfSites, platform: Platform) -> bool:
    """Return whether sites are clusters of shared nodes right below a root with a global queue."""
    queue = getattr(model.controllers[""], "queue", None)
    return platform.is_shared and not platform.is_nested and queue is not None


def _at_root(*arguments: Any, **more: Any) -> dict[str, ControllerKind]:  # noqa: ANN401  (of a controller)
    """Return the controller of the root alone; one machine does not load what controllers are."""
    from echelon.engine.controllers import Controller

    return {"": Controller(*arguments, **more)}


def BrokeredGrid(broker: Broker, admissible: Admissible) -> TreeOfSites:  # noqa: N802  (the name of a shape)
    """Return a grid of sites with queues, whose jobs a broker assigns when they are submitted."""
    return TreeOfSites(_at_root(broker, admissible), LeafRules())


def DecentralizedGrid(protocol: Decentralized) -> TreeOfSites:  # noqa: N802
    """Return a grid whose sites exchange jobs under a protocol, without a broker; the policy is not used."""
    return TreeOfSites(_at_root(protocol, _all_sites()), LeafRules())


def Multicluster(  # noqa: N802
    broker: Broker,
    rules: MulticlusterRules,
    admissible: Admissible | None = None,
    information: Information | None = None,
) -> TreeOfSites:
    """Return clusters of shared nodes under the global queue of `rules`, which asks the broker."""
    from echelon.engine.controllers import QueueRules

    queue = QueueRules(
        rules.global_queue, rules.limit, rules.longest_stay, rules.two_phase,
        rules.queues or (), rules.queue_order or "listed",
    )  # fmt: skip
    root = _at_root(
        broker, admissible or _all_sites(), rules.decision_time, queue, rules.refresh, information,
        rules.site_filter,
    )  # fmt: skip
    return TreeOfSites(root, LeafRules(shared=rules))


def TimeSharedSites(  # noqa: N802
    broker: Broker | Dispatcher, rules: ImmediateRules, admissible: Admissible
) -> TreeOfSites:
    """Return time-shared machines under a broker or a dispatcher; the policy is not used."""
    root = _at_root(broker, admissible, rules.decision_time)
    return TreeOfSites(root, LeafRules(time_shared=rules))


def tree_of_sites(
    broker: Metascheduler,
    admissible: Admissible | None = None,
    rules: MulticlusterRules | ImmediateRules | None = None,
    information: Information | None = None,
) -> TreeOfSites:
    """Return the tree of several sites under this broker or protocol.

    Parameters
    ----------
    broker : Broker, Dispatcher or Decentralized
        Chooses the site of each job, or is the protocol under which sites exchange jobs.
    admissible : Admissible, default all sites
        Which sites a broker may choose from.
    rules : MulticlusterRules or ImmediateRules, optional
        Those of a multicluster, or of time-shared machines; default: sites with queues.
    information : Information, optional
        The highest level of information that the clusters of a multicluster give; default: all.

    Raises
    ------
    InputError
        If the broker is for other sites, or there is none for `admissible` to hold.
    """
    from echelon.policies import Broker, Decentralized, incompatibility

    if rules is not None:
        return _tree_under_rules(broker, admissible, rules, information)
    if isinstance(broker, Broker):
        return BrokeredGrid(broker, admissible or _all_sites())
    if not isinstance(broker, Decentralized):
        raise InputError(incompatibility(broker, immediate=False) or "expected a broker", field="broker")
    if admissible not in (None, _all_sites()):
        sentence = f"{broker.name} has no broker whose choice admissibility could limit"
        raise InputError(sentence, field="admissible")
    return DecentralizedGrid(broker)


def _tree_under_rules(
    broker: Metascheduler,
    admissible: Admissible | None,
    rules: MulticlusterRules | ImmediateRules,
    information: Information | None,
) -> TreeOfSites:
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
    return Multicluster(broker, rules, admissible, information)


def _platform_of(scenario: Scenario) -> Platform | None:
    """Return the sites of a run; None on one machine."""
    machine = scenario.instance.machine
    if isinstance(machine, int):
        return None
    from echelon.model import NodeLevel

    return machine.platform if isinstance(machine, NodeLevel) else machine


def _check_alone(scenario: Scenario) -> None:
    """Refuse sites."""
    if (platform := _platform_of(scenario)) is not None:
        LeafRules().check(platform)
        raise InputError("a platform needs a broker, got none", field="broker")


def _check_cycles(scenario: Scenario, platform: Platform) -> None:
    """Refuse rules of scheduling cycles that these sites do not have."""
    is_immediate = platform.is_immediate and not (platform.is_nested or platform.inner)
    if is_immediate and scenario.cycles != "instant":
        raise InputError(
            "on time-shared machines every job starts at once, and no local policy decides; choose "
            f"'instant', got {scenario.cycles!r}",
            field="cycles",
        )
    if scenario.cycles == "pyss":
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


def _check_policies(policy: Policy, platform: Platform) -> None:
    """Refuse policies of what is no site with a queue."""
    from echelon.model import TimeSharedMachine

    queued = {site.name for site in platform.sites if not isinstance(site.resource, TimeSharedMachine)}
    for site, _ in policy.elsewhere:
        if site not in queued:
            raise InputError(f"names {site!r}, which is no site with a queue", field="policy")


def _check_sharing(sharing: Sharing, scheduler: Scheduler) -> None:
    """Refuse a policy that cannot let tasks share cores."""
    if capabilities(scheduler).preempts:
        raise InputError(
            f"{sharing.name} lets tasks share cores, but {scheduler.name} suspends jobs, which resume "
            "with a core for each task; choose no sharing, or another policy",
            field="sharing",
        )
    if capabilities(scheduler).plans:
        raise InputError(
            f"{sharing.name} lets jobs start on fewer cores than tasks, which "
            f"{scheduler.name!r} cannot plan with; choose none, first-fit or easy",
            field="sharing",
        )


def _check_nodes(rules: NodeRules, policies: Sequence[Policy]) -> None:
    """Refuse policies that cannot be run on nodes under these rules."""
    if rules.sharing is not None:
        for policy in policies:
            _check_sharing(rules.sharing, policy.scheduler)
