"""Settings of a run on a grid: its sites, the broker that chooses among them, and the name of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from echelon.errors import InputError
from echelon.experiments.refusals import kind_of_machine
from echelon.experiments.settings.setting import MULTICLUSTER, NODES, PLAIN, TIME_SHARED
from echelon.policies import Admissible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.contract import Scenario
    from echelon.engine.multicluster.rules import MulticlusterRules
    from echelon.engine.nodes.rules import NodeRules
    from echelon.model import Hardware, Platform, Workload
    from echelon.policies import Metascheduler, Policy

DEFAULT_BROKER = "mpl"
"""The default broker of a grid: it needs little information, and is the best one in the grid study."""

SHARED_BROKER = "tat"
"""The same on a multicluster: the balanced choice of the M-CISNE thesis."""

IMMEDIATE_BROKER = "wall-time"
"""The default broker of time-shared machines: the best one in the SINAPAD study."""


class Choice(NamedTuple):
    """Who chooses the site of each job, and among which sites."""

    broker: Metascheduler | None = None
    admissible: Admissible = Admissible()


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
        If the platform's words name none.
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

    found = as_platform(platform)
    refuse_unready(found)
    return found if found.hardware is None else found.hardware


def refuse_unready(platform: Platform) -> None:
    """Refuse a platform that a file can describe and no engine can run.

    Raises
    ------
    InputError
        If it has shared nodes beside or below other sites.
    """
    if (problem := _unready(platform)) is not None:
        raise InputError(problem, field=f"platform {platform.name!r}")


def _unready(platform: Platform) -> str | None:
    if 0 < len(platform.clusters) < len(platform) or (platform.is_nested and platform.clusters):
        return "has shared nodes beside or below other sites; give all sites shared nodes, or none"
    return None


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


def choice_of(
    machine: object, broker: str | Metascheduler | None, admissible: float | str | Admissible | None
) -> Choice:
    """Return who chooses the sites of a run on `machine`: among sites `DEFAULT_BROKER` by default.

    Raises
    ------
    InputError
        If what is given is wrong.
    UnknownNameError
        If words name nothing.
    """
    kind = kind_of_machine(machine)
    if kind in (PLAIN, NODES):
        return Choice()
    usual = {TIME_SHARED: IMMEDIATE_BROKER, MULTICLUSTER: SHARED_BROKER}.get(kind, DEFAULT_BROKER)
    from echelon.policies import admissible as as_admissible
    from echelon.policies import broker_of

    return Choice(
        broker_of(usual if broker is None else broker),
        Admissible() if admissible is None else as_admissible(admissible),
    )


def choice_words(choice: Choice) -> str:
    """Return the canonical words of a broker, with its admissibility unless that is all sites; or none."""
    if choice.broker is None:
        return ""
    from echelon.experiments.settings.value_format import admissible_words
    from echelon.policies import broker_words

    words = broker_words(choice.broker)
    return words if choice.admissible == Admissible() else f"{words} a={admissible_words(choice.admissible)}"


def has_local_policy(scenario: Scenario) -> bool:
    """Return whether the policy orders a queue, which decentralized and time-shared sites lack."""
    if scenario.broker is None:
        return True
    from echelon.model.schedules.features import Feature, platform_features
    from echelon.policies import Decentralized

    queues = Feature.QUEUES in platform_features(scenario.instance.platform)
    return queues and not isinstance(scenario.broker, Decentralized)


def run_label(
    policy: Policy | None,
    choice: Choice,
    rules: NodeRules | None = None,
    shared: MulticlusterRules | None = None,
) -> str:
    """Return what a run is called: ``easy``; on a grid ``mpl + easy`` or ``mpl a=0.5 + easy``.

    Decentralized sites have no local policy, so that only their protocol is named; nor have time-shared
    machines, whose broker alone is: ``wall-time``. On nodes the placement is named unless it is the usual
    one: ``easy + best-fit``, ``mct + easy + best-fit``. On a multicluster the global queue is named unless
    all of it is as usual: ``nb.rs limit=3 + tat + fcfs``.
    """
    parts = [
        "" if shared is None else _upper_label(shared),
        choice_words(choice),
        "" if policy is None else policy.name,
        "" if rules is None else _unusual_placement(rules),
    ]
    return " + ".join(filter(None, parts))


def _upper_label(shared: MulticlusterRules) -> str:
    from echelon.experiments.multicluster import upper_label

    return upper_label(shared)


def _unusual_placement(rules: NodeRules) -> str:
    from echelon.experiments.nodes import DEFAULT_PLACEMENT
    from echelon.policies.placement import placement_words

    place = placement_words(rules.placement)
    return "" if place == DEFAULT_PLACEMENT else place


def label_of_scenario(scenario: Scenario, varied: Sequence[tuple[str, str]] = ()) -> str:
    """Return what the run of `scenario` is called, with settings that its words do not tell before it.

    ``easy``; ``mpl a=0.5 + easy``; ``estimates=kill seed=2 + easy``. See `run_label`.
    """
    choice = Choice(scenario.broker, scenario.admissible)
    policy = scenario.policy if has_local_policy(scenario) else None
    label = run_label(policy, choice, scenario.nodes, scenario.multicluster)
    return " + ".join(filter(None, (" ".join(f"{name}={words}" for name, words in varied), label)))
