"""Trees of sites: the controller of every inner site, from what the run says and the platform."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from echelon.errors import InputError, UnknownNameError
from echelon.experiments.settings.setting import MULTICLUSTER
from echelon.experiments.settings.table import SETTINGS
from echelon.experiments.settings.values.value_reader import seconds
from echelon.experiments.settings.values.values_by_site import EVERY, ROOT, as_by_site, format_by_site
from echelon.experiments.systems.immediate import OWN_TIME, decision_time
from echelon.experiments.systems.refusals import idle_filters, kind_of_machine, kinds_of_machine
from echelon.experiments.systems.site_values import site_value
from echelon.policies.broker.contract import decision_time_of
from echelon.rules import text_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeGuard

    from echelon.engine.contract import Scenario
    from echelon.engine.controllers import Controller, QueueRules
    from echelon.model import InnerSite, Platform
    from echelon.policies import Information, Metascheduler

DEFAULT_BROKER = "mpl"
"""The default broker of sites with queues: it needs little information, and is the best in the grid study."""

IMMEDIATE_BROKER = "wall-time"
"""The default broker of time-shared machines: the best one in the SINAPAD study."""

_STAY = "longest_stay"

_USUAL = {
    **{"admissible": "1.0", "decision_time": OWN_TIME, "information": "schedules", "refresh": "0"},
    **{"queue_limit": "unlimited", "queues": None, "queue_order": "listed", "site_filter": "none"},
}
"""Specs of the defaults; those of brokers depend on what is below."""

_QUEUE, _QUEUES = "global_queue", "queues"
_OF_ROOT = (_QUEUE, _QUEUES)
"""The settings whose value for the root holds for the root alone."""

_OF_BROKERS = ("admissible", "information", "refresh", "site_filter")
"""The settings whose value for the root is not one of a protocol or a dispatcher at another inner site."""

_NEEDS_QUEUE = {"queue_limit": "limits the queues below", _STAY: "rejects jobs that wait in or below"}
"""What is said of a global queue, and what it does."""

_ABOVE_SITES = ("information", "refresh", *_OF_ROOT, "queue_limit", "queue_order", "site_filter")
"""What can be said only of sites under brokers, and makes a tree of sites right below a root."""


class Controls(NamedTuple):
    """What a run says about what chooses among sites, each as one value or by the paths of inner sites."""

    broker: Any = None
    admissible: Any = None
    decision_time: Any = None
    information: Any = None
    refresh: Any = None
    global_queue: Any = None
    queue_limit: Any = None
    queues: Any = None
    queue_order: Any = None
    site_filter: Any = None
    longest_stay: Any = None


_CONTROLS = {setting.name: setting for setting in SETTINGS if setting.name in Controls._fields}
"""The settings that each inner site may have a value of, by name."""

_AS_SPECS = tuple(name for name in _CONTROLS if name != _STAY)
"""Those that `control_settings` tells; of stays see `experiments.systems.stays`."""

CONTROL_KEYS = tuple(_CONTROLS[name].stored for name in _AS_SPECS)
"""Their keys in manifests."""


NOT_SEVERAL = (
    "says which of several global queues is served first, but there are not several; give them with --queues"
)
"""What is wrong with an order of queues where there is one queue."""


def is_tree(machine: object, controls: Controls | None = None) -> TypeGuard[Platform]:
    """Return whether the sites of a run are a tree.

    They are where they are of several kinds or levels or have nodes, and where there is a global queue, or a
    broker takes time to decide or does not know everything.
    """
    if machine is None or isinstance(machine, int):
        return False
    from echelon.model import Platform

    if not isinstance(machine, Platform):
        return False
    from echelon.policies import Decentralized, Dispatcher

    if machine.is_shared and not machine.is_nested:  # whose global queue a protocol has no use for
        return controls is not None and isinstance(controls.broker, Decentralized)
    if machine.is_nested or machine.inner or len(kinds_of_machine(machine)) > 1:
        return True
    if controls is None or isinstance(controls.broker, Decentralized | Dispatcher):
        return False
    takes_time = controls.decision_time not in (None, OWN_TIME) or getattr(controls.broker, "decision", None)
    has_controls = any(getattr(controls, name) is not None for name in _ABOVE_SITES)
    return has_controls or (bool(takes_time) and not machine.is_immediate)


def brokers_of(platform: Platform, controls: Controls) -> dict[str, Metascheduler]:
    """Return the broker of every inner site of a tree, by its path, the root's first.

    It is the one that the run names for the site, else the platform's, else the one that the run names for
    the root, else the default of what is below.

    Raises
    ------
    InputError
        If the run says something about what is no inner site.
    UnknownNameError
        If a spec names nothing.
    """
    from echelon.policies import broker_of

    _check_paths(platform, controls)
    brokers: dict[str, Metascheduler] = {}
    for inner in platform.tree.inner():
        usual = IMMEDIATE_BROKER if all(_are_time_shared(platform, inner.path)) else DEFAULT_BROKER
        chosen = _find_value("broker", controls, inner.described)
        brokers[inner.path] = broker_of(usual if chosen is None else chosen)
    return brokers


def controllers_of(
    platform: Platform, controls: Controls, *, compared: Sequence[object] = ()
) -> dict[str, Controller]:
    """Return the controller of every inner site of a tree, by its path, the root's first; see `brokers_of`.

    Parameters
    ----------
    platform : Platform
        The tree.
    controls : Controls
        What the run says.
    compared : sequence of object, default empty
        All brokers of a comparison, of which the slowest one says what a decision time ``equal`` is.

    Raises
    ------
    InputError
        If what decides is no broker, or one for other sites; if the run says something about what is no inner
        site, or the platform what no run uses.
    UnknownNameError
        If a spec names nothing.
    """
    from echelon.engine.controllers import Controller
    from echelon.policies import admissible
    from echelon.policies.broker.site_filter import site_filter

    brokers = brokers_of(platform, controls)
    controllers: dict[str, Controller] = {}
    for inner in platform.tree.inner():
        path, broker = inner.path, brokers[inner.path]
        names = (name for name in Controls._fields if name != "broker")
        said_here = {name: _find_value(name, controls, inner.described, broker) for name in names}
        share = said_here["admissible"]
        controllers[path] = Controller(
            broker,
            admissible(1.0 if share is None else share),
            _seconds(said_here["decision_time"], broker, compared),
            _queue(said_here),
            seconds(said_here["refresh"] or 0),
            information_limit(said_here["information"]),
            site_filter(said_here["site_filter"]),
        )
    _check_queues(controls, controllers)
    _refuse_idle(platform, controllers)
    return controllers


def information_limit(spec: Any) -> Information | None:  # noqa: ANN401  (a spec, or a level)
    """Return the most that sites tell, by what is said of it; None if that is all."""
    if spec is None:
        return None
    from echelon.policies import Information
    from echelon.policies.broker.contract import information_named

    level = information_named(spec)
    return None if level == max(Information) else level


def _check_queues(controls: Controls, controllers: Mapping[str, Controller]) -> None:
    """Refuse what is said of global queues where there are none, or not several."""
    if controls.queue_limit is not None and not any(one.queue for one in controllers.values()):
        raise InputError(
            "limits the queues below a global queue, but there is none; give one with --global-queue",
            field="queue-limit",
        )
    if controls.queue_order is not None and not any(
        one.queue and one.queue.queues for one in controllers.values()
    ):
        raise InputError(NOT_SEVERAL, field="queue-order")
    for name, does in _NEEDS_QUEUE.items():
        values = as_by_site(getattr(controls, name)).values
        without = (path for path in values if path and path in controllers and not controllers[path].queue)
        if (path := next((one for one in without if not _is_nothing(name, values[one])), None)) is not None:
            raise InputError(
                f"{does} a global queue, but there is none at inner site {path!r}; give one with "
                f"--global-queue @{path}=NAME",
                field=_CONTROLS[name].dashed,
            )


def _refuse_idle(platform: Platform, controllers: Mapping[str, Controller]) -> None:
    """Refuse what the platform says of an inner site and nothing there would use."""
    kinds = kinds_of_machine(platform)
    for here in platform.inner:
        if not controllers[here.path].queue:
            _refuse_queueless(here)
        for name in ("site_filter", _QUEUES):
            if name in here.settings and (reason := idle_filters(_CONTROLS[name], here.settings, kinds)):
                raise InputError(f"{here.settings.get(name)!r:.60} {reason}", field=here.place_of(name))


def _refuse_queueless(here: InnerSite) -> None:
    """Refuse what the platform says of the global queue of an inner site that has none."""
    path = here.path
    for name in ("queue_limit", "queue_order", _STAY):
        value = here.settings.get(name)
        if value is not None and not _is_nothing(name, value):
            raise InputError(
                f"applies to a global queue, but inner site {path!r} has none; add global_queue there, or "
                f"give one with --global-queue {f'@{path}=' if path else ''}NAME",
                field=f"inner site {path!r}, {name}",
            )


def _is_nothing(name: str, spec: object) -> bool:
    """Return whether a limit or a stay is none."""
    setting = _CONTROLS[name]
    return setting.format(setting.value(spec)) in (None, _USUAL.get(name))


def root_controls(platform: Platform, controls: Controls) -> Controls:
    """Return what decides at the root of sites that are no tree: what the run says, else the platform.

    Raises
    ------
    InputError
        If the run says something about other inner sites.
    """
    _check_paths(platform, controls)
    here = platform.tree.described
    return Controls(*(_find_value(name, controls, here) for name in Controls._fields))


def controllers_in(scenario: Scenario) -> Mapping[str, Controller]:
    """Return the controllers of the inner sites of a run, by path; none if its sites are no tree."""
    from echelon.engine.system_model import TreeOfSites

    if not isinstance(scenario.system_model, TreeOfSites):
        return {}
    from echelon.engine.controllers import Controller

    controllers = {
        path: one for path, one in scenario.system_model.controllers.items() if isinstance(one, Controller)
    }
    return controllers if is_tree(scenario.instance.sites, _said_by(controllers.get(ROOT))) else {}


def _said_by(root: Controller | None) -> Controls | None:
    """Return what a run must have said for its root to have this controller."""
    if root is None:
        return None
    return Controls(
        broker=root.broker,
        decision_time=root.decision_time,
        information=root.information,
        refresh=root.refresh or None,
        global_queue=root.queue,
    )


def control_settings(scenario: Scenario) -> dict[str, str]:
    """Return what decides in a tree of sites, by key of manifests, in canonical form, if not all is usual.

    The root comes first. Inner sites with the same value are not named, unless the platform says another;
    where all of several have one value that is not the root's, ``*`` names them. For the same
    platform, these texts give the same run.
    """
    if not (controllers := controllers_in(scenario)):
        return {}
    described = {one.path: one.settings for one in scenario.instance.sites.inner if one.path in controllers}
    controls: dict[str, str] = {}
    for name in _AS_SPECS:
        specs = {path: _format_in(name, one) for path, one in controllers.items()}
        own = {path: _format_spec(name, one.get(name)) for path, one in described.items() if name in one}
        if name in _OF_ROOT:
            controls[name] = format_by_site({path: one for path, one in specs.items() if one is not None})
        elif {*specs.values()} != {_USUAL.get(name)} or {*own.values()} - {_USUAL.get(name)}:
            controls[name] = format_by_site(_select_specs(specs, own))
    return {_CONTROLS[name].stored: text for name, text in controls.items() if text}


def queue_label(scenario: Scenario) -> str:
    """Return the global queues of a tree: ``fpfs limit=2 @spain=nb co=threshold``."""
    from echelon.experiments.systems.multicluster import co_allocation_label, find_spreading, shared_rules_in

    controllers = controllers_in(scenario)
    queues = {path: one.queue for path, one in controllers.items() if one.queue is not None}
    rules = shared_rules_in(scenario) if queues else None
    spread = [] if rules is None else co_allocation_label(rules)
    above = find_spreading(scenario.instance.sites, controllers, rules) if spread else ()
    labels = {path: _queue_label(queue, spread if path in above else []) for path, queue in queues.items()}
    return " ".join(f"@{path}={text}" if path else text for path, text in labels.items())


def _queue_label(queue: QueueRules, spread: Sequence[str]) -> str:
    """Return what a global queue is called, in the sequence in which that of a multicluster is."""
    limit = _format("queue_limit", queue.limit)
    parts = [_format(_QUEUE, queue.rule), *([] if limit == _USUAL["queue_limit"] else [f"limit={limit}"])]
    several = [f"queues={','.join(one.name for one in queue.queues)}"] if queue.queues else []
    return " ".join([*parts, *spread, *several])


def controller_table(scenario: Scenario) -> dict[str, dict[str, Any]]:
    """Return what decides in every inner site of a tree, by path and by setting, in canonical form."""
    return {
        path: {name: _format_in(name, one) for name in _AS_SPECS}
        for path, one in controllers_in(scenario).items()
    }


def queue_at_root(machine: object) -> dict[str, Any]:
    """Return what a multicluster's file says of its global queue, by setting; nothing of other machines."""
    if kind_of_machine(machine) != MULTICLUSTER:
        return {}
    here = cast("Platform", machine).tree.described
    settings = {name: site_value(here, _CONTROLS[name]) for name in (*_OF_QUEUES, "site_filter")}
    return {name: value for name, value in settings.items() if value is not None}


def _find_value(name: str, controls: Controls, here: InnerSite, broker: Metascheduler | None = None) -> Any:  # noqa: ANN401  (what the setting takes)
    """Return what is said of an inner site: by the run, by the platform, by the run of the root; or None."""
    by_site = as_by_site(getattr(controls, name))
    if (value := by_site.at(here.path)) is not None:
        return value
    if (own := site_value(here, _CONTROLS[name])) is not None or by_site.usual is None:
        return own
    return None if name in _of_root_alone(broker) else by_site.usual


def _of_root_alone(broker: Metascheduler | None) -> tuple[str, ...]:
    """Return the settings whose value for the root does not hold where `broker` decides below it."""
    from echelon.policies import Decentralized, Dispatcher

    if isinstance(broker, Decentralized):
        return (*_OF_ROOT, *_OF_BROKERS, "decision_time")
    return (*_OF_ROOT, *_OF_BROKERS) if isinstance(broker, Dispatcher) else _OF_ROOT


def _check_paths(platform: Platform, controls: Controls) -> None:
    """Refuse what a run says about what is no inner site."""
    inner = [path for path in platform.inner_paths if path]
    for name, choice in controls._asdict().items():
        for path in as_by_site(choice).values:
            if path == ROOT or path in inner or (path == EVERY and inner):
                continue
            if not inner:
                raise InputError(
                    f"names {path!r}, but all sites of platform {platform.name!r} are right below the root",
                    field=_CONTROLS[name].dashed,
                )
            raise UnknownNameError("inner site", path, inner, where=_CONTROLS[name].dashed)


def _are_time_shared(platform: Platform, path: str) -> list[bool]:
    """Return of each leaf below an inner site whether it is a time-shared machine."""
    from echelon.model import TimeSharedMachine

    below = f"{path}/" if path else ""
    return [
        isinstance(one.resource, TimeSharedMachine) for one in platform.sites if one.name.startswith(below)
    ]


def _seconds(spec: str | float | None, broker: Metascheduler, compared: Sequence[object]) -> float | None:
    """Return how long a broker takes for each decision, None where jobs are sent on as they come."""
    if spec in (None, OWN_TIME):
        return decision_time_of(broker) or None
    return decision_time(spec, broker, compared=compared)


_OF_QUEUES = (_QUEUE, "queue_limit", _QUEUES, "queue_order", _STAY)


def _queue(settings: Mapping[str, Any]) -> QueueRules | None:
    """Return the global queue of what is said of an inner site, as specs or as what they name."""
    rule, limit, queues, order, stay = (settings[name] for name in _OF_QUEUES)
    if rule is None and not queues:
        return None
    from echelon.engine.controllers import QueueRules
    from echelon.policies.global_queue.registry import global_queue, queue_limit
    from echelon.policies.global_queue.several import job_queues, serving_order

    served = serving_order("listed" if order is None else order)
    return QueueRules(
        global_queue(_CONTROLS[_QUEUE].default if rule is None else rule),
        queue_limit("unlimited" if limit is None else limit),
        math.inf if stay is None else stay,
        queues=job_queues(queues) if queues else (),
        order=served if queues else "listed",
    )


def _format_in(name: str, controller: Controller) -> str | None:
    """Return the spec of what decides somewhere; None of the global queue where there is none."""
    if name == _QUEUE:
        return controller.queue and _format(name, controller.queue.rule)
    if name in ("queue_limit", _QUEUES, "queue_order"):
        attribute = {"queue_limit": "limit", "queue_order": "order"}.get(name, name)
        value = getattr(controller.queue, attribute, None)
        return _format(name, value) if value else _USUAL[name]
    if name == "site_filter" and not (controller.site_filter and controller.site_filter.filters):
        return _USUAL[name]
    value = getattr(controller, name)
    return _USUAL[name] if value is None else _format(name, value)


def _format(name: str, value: Any) -> str:  # noqa: ANN401  (what the setting takes)
    form = _CONTROLS[name].format(value)
    return form if isinstance(form, str) else text_of(form)


def _format_spec(name: str, spec: Any) -> str:  # noqa: ANN401  (what a platform says)
    return _format(name, _CONTROLS[name].value(spec))


def _select_specs(specs: Mapping[str, str | None], own: Mapping[str, str | None]) -> dict[str, str | None]:
    """Return the specs to be said: of the root, and of those inner sites that would else get other ones."""
    root, *inner = specs
    if len(inner) > 1 and len({specs[path] for path in inner}) == 1 and specs[inner[0]] != specs[root]:
        return {root: specs[root], EVERY: specs[inner[0]]}
    others = [path for path in inner if not specs[root] == specs[path] == own.get(path, specs[path])]
    return {root: specs[root], **{path: specs[path] for path in others}}
