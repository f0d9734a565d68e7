"""Direct control: what protocols and dispatchers cannot decide for, right below their inner site."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.model import SharedCluster, SiteTree, TimeSharedMachine
from echelon.policies import Admissible, Decentralized, Dispatcher
from echelon.policies.broker.site_filter import EveryFilter

if TYPE_CHECKING:
    from echelon.engine.contract import Scenario
    from echelon.engine.controllers import Controller


_WHY = {"admissible": "may choose every machine that is large enough"}
"""Why a setting of brokers is not one of what decides by itself."""


def check_direct(controller: Controller, tree: SiteTree, scenario: Scenario) -> None:
    """Refuse a protocol or a dispatcher at the inner site `tree` that cannot decide for what is below.

    Raises
    ------
    InputError
        If it cannot.
    """
    rule: Any = controller.broker
    if why := _why_not_below(rule, tree):
        field = f"broker of inner site {tree.path!r}" if tree.path else "broker"
        raise InputError(f"{rule.name} {why}", field=field)
    _check_settings(controller, rule.name, f" (at inner site {tree.path!r})" if tree.path else "")
    if scenario.cycles != "instant":
        raise InputError(
            f"{rule.name} decides over all of its sites together, after all events of an instant; choose "
            f"'instant', got {scenario.cycles!r}",
            field="cycles",
        )


def _check_settings(controller: Controller, name: str, where: str) -> None:
    """Refuse what only brokers have a use for."""
    settings = {
        "admissible": controller.admissible != Admissible(),
        "global_queue": controller.queue is not None,
        "refresh": bool(controller.refresh),
        "information": controller.information is not None,
        "decision_time": bool(controller.decision_time) and isinstance(controller.broker, Decentralized),
        "site_filter": controller.site_filter not in (None, EveryFilter()),
    }
    for field, is_said in settings.items():
        if is_said:
            why = _WHY.get(field, "decides by itself")
            raise InputError(f"is for brokers; {name} {why}{where}", field=field.replace("_", "-"))


def _why_not_below(rule: Decentralized | Dispatcher, tree: SiteTree) -> str | None:
    """Return why `rule` cannot decide for the sites right below an inner site, or None if it can."""
    for place, child in enumerate(tree.children):
        name = tree.child_path(place)
        if isinstance(child, SiteTree):
            return (
                f"decides by itself what starts at each of its sites, but {name!r} is a site of sites, with "
                "a controller of its own; choose a broker above it"
            )
        resource = tree.sites[child].resource
        if isinstance(rule, Dispatcher):
            if not isinstance(resource, TimeSharedMachine):
                return (
                    f"starts a copy of a job as soon as it dispatches it, but at site {name!r} jobs wait in "
                    "a queue; choose a broker, or a dispatcher above time-shared machines alone"
                )
        elif isinstance(resource, TimeSharedMachine):
            return (
                "exchanges jobs that wait at sites, but no job waits at time-shared machines such as "
                f"{name!r}; choose a broker, such as wall-time"
            )
        elif isinstance(resource, SharedCluster) and rule.latency:
            return (
                f"has a latency of {rule.latency:g} s, for which a site holds processors for a job in "
                f"transit, but the nodes of {name!r} are shared with owners and other jobs and cannot be "
                "held; set the latency to 0"
            )
    return None
