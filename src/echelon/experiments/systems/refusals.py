"""Refusals: settings that a run would not use, and why; nothing that was asked for is dropped silently."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.experiments.settings.setting import MULTICLUSTER, NODES, PLAIN, SITES, TIME_SHARED, load
from echelon.experiments.settings.table import SETTINGS
from echelon.experiments.settings.values.values_by_site import as_by_site

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from echelon.engine.multicluster.rules import MulticlusterRules
    from echelon.experiments.settings.setting import Setting
    from echelon.policies import Metascheduler
    from echelon.policies.broker.site_filter import SiteFilter
    from echelon.policies.global_queue.contract import GlobalQueueRule


def kind_of_machine(machine: object) -> str:
    """Return which kind of machine it is: plain, of nodes, sites, a multicluster, or time-shared."""
    # To ask about a plain machine, neither sites nor nodes are loaded.
    if machine is None or isinstance(machine, int):
        return PLAIN
    from echelon.model import Hardware, Platform

    if isinstance(machine, Platform):
        return MULTICLUSTER if machine.is_shared else TIME_SHARED if machine.is_immediate else SITES
    return NODES if isinstance(machine, Hardware) else PLAIN


def kinds_of_machine(machine: object) -> frozenset[str]:
    """Return all kinds of machine of which it has a part: sites may be of several."""
    kind = kind_of_machine(machine)
    if kind == PLAIN:
        return frozenset((kind,))
    from echelon.model import Platform

    if not isinstance(machine, Platform) or (kind != SITES and not machine.is_nested):
        return frozenset((kind,))
    parts = {NODES: machine.node_level, MULTICLUSTER: machine.clusters, TIME_SHARED: machine.time_shared}
    return frozenset((SITES, *(part for part, is_present in parts.items() if is_present)))


def incompatibility(settings: Mapping[str, object], machine: object) -> Iterator[tuple[str, InputError]]:
    """Yield every setting that is for another kind of machine or changes nothing, with the error.

    Parameters
    ----------
    settings : mapping of str to object
        What was asked for, by setting.
    machine : object
        Processors, nodes or a platform; None is one plain machine.
    """
    kinds = kinds_of_machine(machine)
    for setting in SETTINGS:
        value = settings.get(setting.name)
        if value is None or value is setting.default is False or setting.scope is None:
            continue
        refusal = setting.scope.refusal(kinds)
        if refusal is None and setting.idle:
            refusal = load(setting.idle)(setting, settings, kinds)
        if refusal is not None:
            yield setting.name, InputError(f"{value!r:.60} {refusal}", field=setting.dashed)


def idle_filters(setting: Setting, settings: Mapping[str, object], kinds: frozenset[str]) -> str | None:
    """Return why site filters, perhaps of queues, leave out no site; None if they may. See `Setting.idle`."""
    filters = () if MULTICLUSTER in kinds else _filters_of(setting, settings[setting.name])
    name = next((one.name for one in filters if getattr(one, "of_shared_nodes", False)), None)
    if name is None:
        return None
    return (
        f"would leave out no site: {name} is for sites of shared nodes, and there is none; use not-running, "
        "or give a platform of shared nodes"
    )


def _filters_of(setting: Setting, value: object) -> Iterator[SiteFilter]:
    """Yield the site filters of a setting, at all paths and of all queues."""
    for one in as_by_site(setting.value(value)).values.values():
        filtering = (queue.sites for queue in one) if setting.name == "queues" else (one,)
        for every in filtering:
            yield from () if every is None else every.filters


def refuse_misplaced(settings: Mapping[str, object], machine: object) -> None:
    """Refuse the first setting that is for another machine or changes nothing, if any; see `incompatibility`.

    Raises
    ------
    InputError
        If something was asked for that this machine has not.
    """
    for _, error in incompatibility(settings, machine):
        raise error


def refuse_unused(field: str, argument: object, brokers: Sequence[Metascheduler | None]) -> None:
    """Refuse a choice that no run would use, since none of them has a broker.

    Parameters
    ----------
    field : str
        What was chosen, as it was spelled: ``"policy"``, ``"policies"``, ``"admissible"`` ...
    argument : object
        The choice.
    brokers : sequence
        Of all runs.

    Raises
    ------
    InputError
        If every run is decentralized; or has a dispatcher, where levels of information are for brokers.
    """
    if all(broker is None for broker in brokers):
        return
    from echelon.policies import Decentralized, Dispatcher

    alone: list[Decentralized | Dispatcher] = [one for one in brokers if isinstance(one, Decentralized)]
    if alone and len(alone) == len(brokers):
        why = f"sites exchange jobs and use no {_UNUSED[field]}"
    elif field in UNUSED_ALONE[1:] and (alone := [one for one in brokers if isinstance(one, Dispatcher)]):
        why = "waiting jobs are dispatched to time-shared machines, whose present state is known"
    if alone and len(alone) == len(brokers):
        from echelon.policies import format_broker

        names = ", ".join(dict.fromkeys(format_broker(broker) for broker in alone))
        raise InputError(
            f"{argument!r:.60} would not be used: under {names} {why}; leave it out, or name a broker",
            field=field.replace("_", "-"),
        )


UNUSED_ALONE = (
    *("decision_time", "information", "refresh", "global_queue", "queue_limit"),
    *("queues", "queue_order", "site_filter"),
)
"""Further settings that decentralized runs have no use for; a dispatcher uses the first of them."""

_UNUSED = {
    "policy": "local policy",
    "policies": "local policy",
    "admissible": "broker, which admissibility needs",
    "decision_time": "broker that takes time to decide",
    "information": "broker that knows anything",
    "refresh": "broker that knows anything",
    "global_queue": "global queue",
    "queue_limit": "global queue",
    "queues": "global queue",
    "queue_order": "global queue",
    "site_filter": "broker whose choice it could limit",
}
"""What decentralized runs have no use for, by the name of the setting."""


def refuse_unasked(field: str, argument: object, rules: Sequence[MulticlusterRules | None]) -> None:
    """Refuse a broker that is never asked, since the clusters of a multicluster take jobs themselves.

    Parameters
    ----------
    field : str
        What was chosen: ``"broker"`` or ``"brokers"``.
    argument : object
        The choice.
    rules : sequence of MulticlusterRules, optional
        Of all runs.

    Raises
    ------
    InputError
        If the global queue of every run asks no broker.
    """
    queues = [rule for one in rules if one is not None for rule in _rules_of_queues(one)]
    alone = [queue.name for queue in queues if not getattr(queue, "asks_broker", True)]
    if alone and len(alone) == len(queues) and all(rules):
        raise InputError(
            f"{argument!r:.60} would not be used: under the global queue {', '.join(dict.fromkeys(alone))} "
            "clusters take jobs themselves; leave it out",
            field=field.replace("_", "-"),
        )


def _rules_of_queues(rules: MulticlusterRules) -> list[GlobalQueueRule]:
    """Return the rules of the queues of a multicluster that have no broker of their own."""
    if not rules.queues:
        return [rules.global_queue]
    return [one.rule or rules.global_queue for one in rules.queues if one.broker is None]


def unused_sentence(brokers: Sequence[Metascheduler | None]) -> str | None:
    """Return a sentence on the runs of a comparison that local policies do not apply to, or None.

    Parameters
    ----------
    brokers : sequence
        Of all runs.
    """
    from echelon.policies import Decentralized, format_broker

    names = dict.fromkeys(format_broker(broker) for broker in brokers if isinstance(broker, Decentralized))
    if not names:
        return None
    which = ", ".join(names)
    return f"Local policies and admissibility do not apply to {which}: sites exchange jobs among themselves."
