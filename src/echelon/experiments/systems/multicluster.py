"""The rules of a multicluster: from settings, and back to specs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from echelon.errors import InputError
from echelon.experiments.settings.multicluster import ON_SHARED_NODES
from echelon.experiments.settings.setting import MULTICLUSTER, NODES
from echelon.experiments.systems.refusals import kinds_of_machine
from echelon.experiments.systems.site_trees import NOT_SEVERAL, is_tree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.engine.contract import Scenario
    from echelon.engine.controllers import Controller
    from echelon.engine.multicluster.rules import MulticlusterRules
    from echelon.model import Experience, Platform
    from echelon.policies import Estimator
    from echelon.policies.estimators import ForecastingEstimator

_RULES = tuple(one for one in ON_SHARED_NODES if one.field is not None)
_WATCHED = next(one for one in _RULES if one.field == "watched")


def multicluster_rules_of(
    machine: object,
    settings: Mapping[str, Any],
    *,
    estimator: Estimator | None = None,
    past: Sequence[Experience] = (),
    decision_time: float = 0.0,
    refresh: float = 0.0,
) -> MulticlusterRules | None:
    """Return the rules of `machine`, or None if it has no shared nodes.

    In a tree the global queue is that of inner sites.

    Parameters
    ----------
    machine : object
        A platform of shared nodes, or anything else.
    settings : mapping of str to object
        What was asked for, by setting; what is not there is the setting's default.
    estimator : Estimator, optional
        The run's own, which need not be watched: it is asked anyway.
    past : sequence of Experience, default empty
        What estimators may learn from.
    decision_time : float, default 0
        That the broker takes for each decision, in seconds.
    refresh : float, default 0
        How old what is known of a cluster may become, in seconds.

    Raises
    ------
    InputError
        If what is given is wrong.
    UnknownNameError
        If a spec names nothing.
    MissingExtraError
        If the co-allocation needs a library that is not installed.
    """
    if MULTICLUSTER not in kinds_of_machine(machine):
        return None
    from echelon.engine.multicluster.rules import MulticlusterRules
    from echelon.execution import time_shared_of

    shared = settings.get("execution")
    if NODES in kinds_of_machine(machine) and not is_shared_execution(shared):
        shared = None  # what is said is of the sites whose nodes are not shared
    watched = _watched_estimators(settings.get(_WATCHED.name), estimator)
    rules = MulticlusterRules(
        **{
            **{one.attribute: one.value(settings.get(one.name)) for one in _RULES if one is not _WATCHED},
            "execution": time_shared_of(shared),
            _WATCHED.attribute: watched,
            "past": past,
            "decision_time": decision_time,
            "refresh": refresh,
        }
    )
    if rules.queue_order is not None and not rules.queues and not is_tree(machine):
        raise InputError(NOT_SEVERAL, field="queue-order")
    if rules.site_filter is not None and not rules.site_filter.filters:
        rules = replace(rules, site_filter=None)  # as if nothing were said
    if extra := getattr(rules.co_allocation, "extra", None):
        extra.load()  # not only when the first job is co-allocated, hours into a run
    return rules


def is_shared_execution(execution: object) -> bool:
    """Return whether an execution model is one of shared nodes."""
    from echelon.execution import TimeShared
    from echelon.execution.registry import TIME_SHARED_NODES

    return isinstance(execution, TimeShared) or (
        isinstance(execution, str) and TIME_SHARED_NODES.means(execution)
    )


def with_shared_rules(
    platform: Platform, controllers: Mapping[str, Controller], rules: MulticlusterRules | None
) -> Mapping[str, Controller]:
    """Return the controllers of a tree, whose global queues may spread jobs over the clusters right below.

    Raises
    ------
    InputError
        If jobs are to be spread, but no global queue is right above clusters.
    """
    if rules is None or rules.co_allocation is None:
        return controllers
    if not (paths := find_spreading(platform, controllers, rules)):
        raise InputError(
            "gives a job that waits in a global queue nodes of several clusters right below, but no global "
            "queue is right above clusters; give one with --global-queue",
            field="co-allocate",
        )
    return {
        path: one
        if one.queue is None or path not in paths
        else one._replace(queue=one.queue._replace(two_phase=rules.two_phase))
        for path, one in controllers.items()
    }


def find_spreading(
    machine: object, controllers: Mapping[str, Controller], rules: MulticlusterRules | None
) -> tuple[str, ...]:
    """Return the inner sites that may give a job nodes of several clusters; none without co-allocation.

    Without `controllers` it is the root of a multicluster.
    """
    if rules is None or rules.co_allocation is None:
        return ()
    if not controllers:
        return ("",)
    from echelon.engine.tree.unable_jobs import co_allocating_sites

    return co_allocating_sites(cast("Platform", machine), controllers, rules)


def shared_rules_in(scenario: Scenario) -> MulticlusterRules | None:
    """Return the rules of the shared nodes of a run, a multicluster or sites of a tree; None without any."""
    from echelon.engine.system_model import TreeOfSites

    model = scenario.system_model
    return model.rules.shared if isinstance(model, TreeOfSites) else None


def multicluster_settings(rules: MulticlusterRules | None) -> dict[str, Any]:
    """Return the rules by setting, in canonical form; all None where there are none."""
    if rules is None:
        return dict.fromkeys(one.stored for one in ON_SHARED_NODES)
    from echelon.execution import format_time_shared

    return {
        **{one.stored: one.format(getattr(rules, one.attribute)) for one in _RULES if one is not _WATCHED},
        "execution": format_time_shared(rules.execution),
        _WATCHED.name: _watched_specs(rules),
        "past_experiences": len(rules.past),
        "decision_time": float(rules.decision_time),
        **({"refresh": float(rules.refresh)} if rules.refresh else {}),
    }


def information_settings(scenario: Scenario) -> dict[str, str]:
    """Return by setting the most that the clusters of a multicluster tell; nothing where that is all."""
    from echelon.engine.system_model import TreeOfSites

    if scenario.multicluster is None or not isinstance(scenario.system_model, TreeOfSites):
        return {}
    from echelon.policies.broker.contract import format_information

    level = getattr(scenario.system_model.controllers[""], "information", None)
    return {} if level is None else {"information": format_information(level)}


def global_queue_label(rules: MulticlusterRules) -> str:
    """Return the specification of the global queue: ``nb.rs limit=3 co=optimal``; empty by default."""
    from echelon.policies.global_queue.registry import format_global_queue, format_queue_limit

    spec, limit = format_global_queue(rules.global_queue), format_queue_limit(rules.limit)
    parts = [] if limit == "unlimited" else [f"limit={limit}"]
    parts += co_allocation_label(rules)
    parts += [f"queues={','.join(one.name for one in rules.queues)}"] if rules.queues else []
    return " ".join([spec, *parts]) if parts or spec != _RULES[0].default else ""


def co_allocation_label(rules: MulticlusterRules) -> list[str]:
    """Return how the jobs of a global queue are spread over clusters: ``co=threshold``, ``two-phase``."""
    from echelon.policies.coallocation.registry import format_co_allocation

    named = rules.co_allocation is not None
    parts = [f"co={format_co_allocation(rules.co_allocation)}"] if named else []
    return [*parts, "two-phase"] if rules.two_phase else parts


def _watched_specs(rules: MulticlusterRules) -> list[str]:
    # What can forecast is an estimator as well, with the settings of one.
    watched: tuple[Any, ...] = rules.watched
    from echelon.policies import format_estimator

    return [format_estimator(estimator) for estimator in watched]


def _watched_estimators(spec: Any, own: Estimator | None) -> tuple[ForecastingEstimator, ...]:  # noqa: ANN401  (a spec, or several)
    """Return the estimators that are asked beside the run's own, each once."""
    if spec is None:
        return ()
    from echelon.policies import estimator as as_estimator
    from echelon.policies import format_estimator, split_policies

    named = split_policies(spec, field="watch") if isinstance(spec, str) else list(spec)
    estimators: dict[str, ForecastingEstimator] = {}
    from echelon.policies.estimators import ForecastingEstimator

    for one in named:
        estimator = as_estimator(one)
        name = format_estimator(estimator)
        if not isinstance(estimator, ForecastingEstimator):
            raise InputError(f"{name!r} does not predict waits: it has no forecaster(past)", field="watch")
        if name in estimators:
            raise InputError(f"must all be different, got {name!r} twice", field="watch")
        estimators[name] = estimator
    if own is not None:
        estimators.pop(format_estimator(own), None)
    return tuple(estimators.values())
