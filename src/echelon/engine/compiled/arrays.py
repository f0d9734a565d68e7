"""From a scenario to arrays: what one machine and a grid have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from echelon.engine.compiled.changing_orders import changing_rule
from echelon.engine.ranking import ranks
from echelon.errors import UnsupportedError
from echelon.policies import Conservative, Easy, FirstFit, Plan, Selective
from echelon.policies.order.fcfs import fcfs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.engine.contract import Scenario
    from echelon.model.columns import FloatColumn, IntColumn
    from echelon.policies import Order

CHANGING = "the order {!r} reads the view, so its keys change with time"
REFUSAL = "the compiled engine can not run this: {}; use engine='reference'"


class Rules(NamedTuple):
    """How a machine decides: a scenario's policy, as arrays."""

    machine: NDArray[Any]  # MACHINE_TYPE[1]: all but its processors
    orders: NDArray[Any]  # ORDER_TYPE[2]
    traits: NDArray[Any]  # TRAIT_TYPE[...]
    users: int


def ranks_of(scenario: Scenario, order: Order) -> IntColumn:
    """Return ranks that last: of an order that changes with time, those of its ties."""
    order = fcfs if changing_rule(order) else order
    rank = ranks(scenario.instance, order, scenario.seed)
    if rank is None:
        raise UnsupportedError(REFUSAL.format(CHANGING.format(order.name)))
    return rank


def jobs_of(scenario: Scenario, rank: IntColumn, by_rank: IntColumn) -> NDArray[Any]:
    """Return the jobs as records, by rank."""
    from echelon.engine.compiled.state import JOB_TYPE

    instance = scenario.instance
    jobs = np.empty(len(instance), dtype=JOB_TYPE)
    jobs["submit"] = instance.submit_time[by_rank]
    jobs["run"] = instance.run_time[by_rank]
    jobs["planned"] = instance.planned_time[by_rank]
    jobs["size"] = instance.size[by_rank]
    jobs["position"] = by_rank
    jobs["candidate"] = candidate_keys(scenario, rank)[by_rank]
    jobs["start"] = jobs["promise"] = np.nan
    if isinstance(scenario.policy.scheduler, Conservative | Selective):
        jobs["shape"] = shapes_of(jobs["size"], jobs["planned"])
    return jobs


def shapes_of(size: IntColumn, planned: FloatColumn) -> IntColumn:
    """Return a number for each job that only jobs of the same size and planned time share."""
    order = np.lexsort((planned, size))
    size, planned = size[order], planned[order]
    shapes = np.zeros(len(order), dtype=np.int64)
    shapes[order[1:]] = np.cumsum((size[1:] != size[:-1]) | (planned[1:] != planned[:-1]))
    return shapes


def candidate_order(scenario: Scenario) -> Order:
    """Return the order in which backfilling candidates are tried: their own, or the queue's."""
    own = getattr(scenario.policy.scheduler, "candidates", None)
    return scenario.policy.order if own is None else own


def candidate_keys(scenario: Scenario, rank: IntColumn) -> NDArray[Any]:
    """Return a key for each job, in the instance's order, by which backfilling candidates are tried."""
    scheduler, instance = scenario.policy.scheduler, scenario.instance
    order = candidate_order(scenario)
    base = rank if order is scenario.policy.order else ranks_of(scenario, order)
    keys = np.asarray(base, dtype=np.float64)
    if isinstance(scheduler, Easy) and scheduler.fit == "best-fit":
        largest_first = np.lexsort((keys, -instance.size))
        keys = np.empty(len(largest_first))
        keys[largest_first] = np.arange(len(largest_first))
    return keys


def rules_of(scenario: Scenario, rank: IntColumn) -> Rules:
    """Return how every machine of `scenario` decides.

    Cost: O(n log n) if an order changes with time.
    """
    from echelon.engine.compiled import state
    from echelon.engine.compiled.changing_orders import order_records, traits
    from echelon.engine.compiled.reorder import MULTIFACTOR

    scheduler, n_jobs = scenario.policy.scheduler, len(scenario.instance)
    limit, own_order = 1, False
    match scheduler:
        case FirstFit():
            kind = state.FIRST_FIT
        case Easy():
            kind = state.EASY if scheduler.reservations == 1 else state.RESERVED
            limit = scheduler.reservations
            own_order = scheduler.candidates is not None or scheduler.fit == "best-fit"
        case Conservative():
            kind = state.CONSERVATIVE
        case Selective():
            kind = state.SELECTIVE
        case Plan():
            kind, limit = state.RESERVED, n_jobs
        case _:
            kind = state.NONE
    orders = order_records((scenario.policy.order, candidate_order(scenario) if own_order else None))
    machine = np.zeros(1, dtype=state.MACHINE_TYPE)
    machine["kind"], machine["limit"], machine["own_order"] = kind, min(limit, n_jobs), own_order
    machine["head"] = -1
    if isinstance(scheduler, Selective):
        # Not a number stands for the threshold that adapts.
        machine["threshold"] = np.nan if scheduler.threshold == "adaptive" else scheduler.threshold
    machine["changing"] = orders["rule"].any()
    machine["accounting"] = accounting = (orders["rule"] == MULTIFACTOR).any()
    machine["best_fit"] = isinstance(scheduler, Easy) and scheduler.fit == "best-fit"
    users = scenario.instance.users if accounting else 0
    return Rules(machine, orders, traits(scenario.instance, rank, orders), users)
