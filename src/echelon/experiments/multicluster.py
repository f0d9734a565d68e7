"""What a run on a multicluster is told besides: its upper queue, co-allocation, owners, who else is asked."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from echelon.errors import InputError
from echelon.experiments.misplaced_choices import refuse_choices
from echelon.model import Platform

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from echelon.engine.multicluster.rules import MulticlusterRules
    from echelon.experiments.nodes import ExecutionGiven
    from echelon.model import Experience, LocalUsers
    from echelon.policies import Estimator
    from echelon.policies.coallocation.contract import CoAllocation
    from echelon.policies.estimators import ForecastingEstimator
    from echelon.policies.upper_queue.contract import UpperQueue
    from echelon.policies.upper_queue.limit import QueueLimit

    UpperQueueGiven: TypeAlias = str | UpperQueue
    QueueLimitGiven: TypeAlias = str | int | QueueLimit
    CoAllocationGiven: TypeAlias = str | CoAllocation
    LocalUsersGiven: TypeAlias = str | Path | LocalUsers
    WatchGiven: TypeAlias = str | Sequence[str | Estimator]

DEFAULT_UPPER_QUEUE = "fcfs"


class MulticlusterChoice(NamedTuple):
    """What was asked for on a multicluster, None where nothing was: as of `echelon.simulate`."""

    upper_queue: UpperQueueGiven | None = None
    queue_limit: QueueLimitGiven | None = None
    co_allocate: CoAllocationGiven | None = None
    two_phase: bool | None = None
    longest_stay: float | None = None
    local_users: LocalUsersGiven | None = None
    watch: WatchGiven | None = None
    history: str | Path | None = None


def is_multicluster(machine: object) -> bool:
    """Return whether a machine is a platform whose nodes may belong to someone."""
    return isinstance(machine, Platform) and machine.is_shared


def multicluster_rules_of(
    machine: object,
    choice: MulticlusterChoice,
    *,
    execution: ExecutionGiven | None = None,
    estimator: Estimator | None = None,
    past: Sequence[Experience] = (),
    decision_time: float = 0.0,
) -> MulticlusterRules | None:
    """Return the rules of `machine`, or None if its nodes are not shared.

    Parameters
    ----------
    machine : object
        A platform of shared nodes, or anything else.
    choice : MulticlusterChoice
        By default jobs are handed on first come, first served, to queues without limit; each stays in one
        cluster, however long; nobody is at work at the nodes, and no further estimator is asked.
    execution : str, TimeShared or Execution, optional
        How fast jobs run on shared nodes.
    estimator : Estimator, optional
        The run's own, which need not be watched: it is asked anyway.
    past : sequence of Experience, default empty
        What estimators may learn from.
    decision_time : float, default 0
        That the broker takes for each decision, in seconds.

    Raises
    ------
    InputError
        If a choice is for shared nodes and there are none, or what is given is wrong.
    UnknownNameError
        If words name nothing.
    MissingExtraError
        If the co-allocation needs a library that is not installed.
    """
    if not is_multicluster(machine):
        refuse_choices(
            {name: given for name, given in choice._asdict().items() if given is not False},
            "for a multicluster, whose nodes are shared; say which with a platform that is one "
            "(--platform FILE|PRESET)",
        )
        return None
    stay = math.inf if choice.longest_stay is None else choice.longest_stay
    from echelon.engine.multicluster.rules import MulticlusterRules
    from echelon.execution import time_shared_of
    from echelon.policies.coallocation.registry import co_allocation
    from echelon.policies.upper_queue.registry import queue_limit, upper_queue
    from echelon.workloads.local_users import local_users

    spanning = co_allocation(choice.co_allocate)
    if extra := getattr(spanning, "extra", None):
        extra.load()  # not only when the first job is co-allocated, hours into a run

    return MulticlusterRules(
        upper_queue(DEFAULT_UPPER_QUEUE if choice.upper_queue is None else choice.upper_queue),
        queue_limit(choice.queue_limit),
        spanning,
        bool(choice.two_phase),
        stay,
        local_users(choice.local_users),
        time_shared_of(execution),
        _watched(choice.watch, estimator),
        past,
        decision_time,
    )


def multicluster_words(rules: MulticlusterRules | None) -> dict[str, Any]:
    """Return the rules by the names of the options, in canonical words; all None where there are none."""
    if rules is None:
        return dict.fromkeys(MulticlusterChoice._fields)
    from echelon.execution import time_shared_words
    from echelon.policies.coallocation.registry import co_allocation_words
    from echelon.policies.upper_queue.registry import upper_queue_words

    return {
        "upper_queue": upper_queue_words(rules.upper_queue),
        "queue_limit": rules.limit.words,
        "co_allocate": co_allocation_words(rules.co_allocation),
        "two_phase": rules.two_phase,
        "longest_stay": rules.longest_stay if math.isfinite(rules.longest_stay) else None,
        "local_users": rules.local_users.words,
        "execution": time_shared_words(rules.execution),
        "watch": _watched_words(rules),
        "past_experiences": len(rules.past),
        "decision_time": float(rules.decision_time),
    }


def upper_label(rules: MulticlusterRules) -> str:
    """Return what sets the upper queue apart: ``nb.rs limit=3 co=optimal``; nothing where all is as usual."""
    from echelon.policies.upper_queue.registry import upper_queue_words

    words, limit = upper_queue_words(rules.upper_queue), rules.limit.words
    parts = [] if limit == "unlimited" else [f"limit={limit}"]
    from echelon.policies.coallocation.registry import co_allocation_words

    if rules.co_allocation is not None:
        parts.append(f"co={co_allocation_words(rules.co_allocation)}")
    parts += ["two-phase"] if rules.two_phase else []
    return " ".join([words, *parts]) if parts or words != DEFAULT_UPPER_QUEUE else ""


def _watched_words(rules: MulticlusterRules) -> list[str]:
    # What can forecast is an estimator as well, with the settings of one.
    watched: tuple[Any, ...] = rules.watched
    from echelon.policies import estimator_words

    return [estimator_words(estimator) for estimator in watched]


def _watched(given: WatchGiven | None, own: Estimator | None) -> tuple[ForecastingEstimator, ...]:
    """Return the estimators that are asked beside the run's own, each once."""
    if given is None:
        return ()
    from echelon.policies import estimator as as_estimator
    from echelon.policies import estimator_words, split_policies

    named = split_policies(given, field="watch") if isinstance(given, str) else list(given)
    found: dict[str, ForecastingEstimator] = {}
    from echelon.policies.estimators import ForecastingEstimator

    for one in named:
        estimator = as_estimator(one)
        words = estimator_words(estimator)
        if not isinstance(estimator, ForecastingEstimator):
            raise InputError(f"{words!r} says nothing of waits: it has no forecaster(past)", field="watch")
        if words in found:
            raise InputError(f"must all be different, got {words!r} twice", field="watch")
        found[words] = estimator
    if own is not None:
        found.pop(estimator_words(own), None)
    return tuple(found.values())
