"""Settings of a run on a grid: its sites, the broker that chooses among them, and the name of the run."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from echelon.errors import InputError
from echelon.experiments.settings.setting import MULTICLUSTER, NODES, PLAIN, TIME_SHARED
from echelon.experiments.settings.values.value_reader import seconds
from echelon.experiments.systems.refusals import kind_of_machine
from echelon.experiments.systems.site_trees import (
    DEFAULT_BROKER,
    IMMEDIATE_BROKER,
    brokers_of,
    control_settings,
    controllers_in,
    controllers_of,
    information_limit,
    is_tree,
    queue_label,
    root_controls,
)
from echelon.policies import Admissible

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.engine.contract import Scenario
    from echelon.engine.controllers import Controller
    from echelon.experiments.systems.site_trees import Controls
    from echelon.model import Hardware, Platform, Workload
    from echelon.policies import Information, Metascheduler

SHARED_BROKER = "tat"
"""The same on a multicluster: the balanced choice of the M-CISNE thesis."""


class Choice(NamedTuple):
    """What chooses the site of each job, among which sites, and how long that takes.

    Attributes
    ----------
    broker : Metascheduler or None
        That of the root of a tree.
    admissible : Admissible
        The sites that it may choose from.
    decision_time : float or None
        Of each decision, in seconds; None if jobs are sent on as they come.
    controllers : mapping of str to Controller
        What decides in every inner site of a tree, by path; empty of other sites.
    refresh : float
        How old what the global queue of a multicluster knows may become, in seconds.
    information : Information or None
        The most that its clusters tell; None is all.
    """

    broker: Metascheduler | None = None
    admissible: Admissible = Admissible()
    decision_time: float | None = None
    controllers: Mapping[str, Controller] = MappingProxyType({})
    refresh: float = 0.0
    information: Information | None = None


def machine_of(
    workload: Workload,
    processors: int | None,
    platform: Any,  # noqa: ANN401  (what `echelon.platforms.platform` takes)
) -> int | Platform | Hardware:
    """Return the sites or nodes given, else the processors given, else those that the log's header says.

    A platform of one site whose nodes are modeled individually is that machine.

    Raises
    ------
    InputError
        If both or none are given, or the platform is wrong.
    UnknownNameError
        If the platform's name is that of none.
    """
    if platform is None:
        return machine_size(workload, processors)
    if processors is not None:
        raise InputError(
            f"{processors!r} cannot be combined with a platform, which defines the processors of its sites; "
            "leave out one of the two",
            field="processors",
        )
    from echelon.model import Hardware

    if isinstance(platform, Hardware):
        return platform
    from echelon.platforms import platform as as_platform

    machine = as_platform(platform)
    return machine if machine.hardware is None else machine.hardware


def machine_size(workload: Workload, processors: int | None) -> int:
    """Return the machine's processors: those given, else what the log's header says.

    Raises
    ------
    InputError
        If neither says.
    """
    if processors is not None:
        return processors
    if workload.header.max_procs is None:
        raise InputError(
            "does not give the processors of the machine; give them with --processors N",
            file=workload.name,
        )
    return workload.header.max_procs


def choice_of(machine: object, controls: Controls, *, compared: Sequence[object] = ()) -> Choice:
    """Return what chooses the sites of a run on `machine`: among sites `DEFAULT_BROKER` by default.

    Parameters
    ----------
    machine : object
        Processors, nodes or sites.
    controls : Controls
        What the run says.
    compared : sequence of object, default empty
        All brokers of a comparison.

    Raises
    ------
    InputError
        If what is given is wrong.
    UnknownNameError
        If a spec names nothing.
    """
    kind = kind_of_machine(machine)
    if kind in (PLAIN, NODES):
        return Choice()
    if is_tree(machine, controls):
        controllers = controllers_of(machine, controls, compared=compared)
        root = controllers[""]
        return Choice(root.broker, root.admissible, root.decision_time, controllers)
    from echelon.experiments.systems.immediate import decision_time
    from echelon.policies import admissible as as_admissible

    at_root = root_controls(cast("Platform", machine), controls)
    broker = _broker_of(kind, at_root)
    share = at_root.admissible
    return Choice(
        broker,
        Admissible() if share is None else as_admissible(share),
        decision_time(at_root.decision_time, broker, compared=compared),
        refresh=seconds(at_root.refresh or 0),
        information=information_limit(at_root.information),
    )


def list_brokers(machine: object, controls: Controls) -> list[Metascheduler]:
    """Return all brokers of a run on `machine`, that of the root first; none on one machine."""
    kind = kind_of_machine(machine)
    if kind in (PLAIN, NODES):
        return []
    if is_tree(machine, controls):
        return [*brokers_of(machine, controls).values()]
    return [_broker_of(kind, root_controls(cast("Platform", machine), controls))]


def _broker_of(kind: str, controls: Controls) -> Metascheduler:
    from echelon.policies import broker_of

    usual = {TIME_SHARED: IMMEDIATE_BROKER, MULTICLUSTER: SHARED_BROKER}.get(kind, DEFAULT_BROKER)
    return broker_of(usual if controls.broker is None else controls.broker)


def broker_text(scenario: Scenario) -> str | None:
    """Return what chooses the sites of a run as a canonical spec, ``mct@spain=ml``; None on one machine."""
    from echelon.policies import format_broker

    if scenario.broker is None:
        return None
    return control_settings(scenario).get("broker") or format_broker(scenario.broker)


def has_local_policy(scenario: Scenario) -> bool:
    """Return whether the policy orders a queue, which decentralized and time-shared sites lack."""
    if scenario.broker is None:
        return True
    from echelon.model.schedules.features import Feature, platform_features
    from echelon.policies import Decentralized

    queues = Feature.QUEUES in platform_features(scenario.instance.platform)
    return queues and not isinstance(scenario.broker, Decentralized)


def format_choice(scenario: Scenario) -> str:
    """Return the spec of the brokers of a run, and that of their admissibility unless that is all sites."""
    from echelon.experiments.settings.values.value_format import format_admissible

    shares = {one.admissible for one in controllers_in(scenario).values()} or {scenario.admissible}
    if shares == {Admissible()}:
        return f"{broker_text(scenario)}"
    share = control_settings(scenario).get("admissible", format_admissible(scenario.admissible))
    return f"{broker_text(scenario)} a={share}"


def run_label(scenario: Scenario) -> str:
    """Return what a run is called: ``easy``; on a grid ``mpl + easy`` or ``mpl a=0.5 + easy``.

    Decentralized sites have no local policy, so that only their protocol is named; nor have time-shared
    machines, whose broker alone is: ``wall-time``. On nodes the placement is named unless it is the usual
    one: ``easy + best-fit``, ``mct + easy + best-fit``. On a multicluster the global queue is named unless
    all of it is as usual: ``nb.rs limit=3 + tat + fcfs``. In a tree of sites the brokers of inner sites are
    named where they are not the root's, ``mct@spain=ml + easy``, and every global queue, also a platform's.
    """
    return " + ".join(filter(None, (_global_queue(scenario), *_choice_specs(scenario), _placement(scenario))))


def _global_queue(scenario: Scenario) -> str:
    if scenario.multicluster is None:
        return queue_label(scenario)
    from echelon.experiments.systems.multicluster import global_queue_label

    return global_queue_label(scenario.multicluster)


def _choice_specs(scenario: Scenario) -> tuple[str, str]:
    """Return the spec of the brokers and that of the local policy; empty where there is none."""
    chooses = "" if scenario.broker is None else format_choice(scenario)
    return chooses, scenario.policy.name if has_local_policy(scenario) else ""


def _placement(scenario: Scenario) -> str:
    if scenario.nodes is None:
        return ""
    from echelon.experiments.systems.nodes import DEFAULT_PLACEMENT
    from echelon.policies.placement import format_placement

    spec = format_placement(scenario.nodes.placement)
    return "" if spec == DEFAULT_PLACEMENT else spec


def label_of_scenario(scenario: Scenario, varied: Sequence[tuple[str, str]] = ()) -> str:
    """Return what the run of `scenario` is called, with settings that its label does not tell before it.

    ``easy``; ``mpl a=0.5 + easy``; ``estimates=kill seed=2 + easy``. See `run_label`.
    """
    before = " ".join(f"{name}={value}" for name, value in varied)
    return " + ".join(filter(None, (before, run_label(scenario))))
