"""Which orders that change with time the kernels know, and what these need of the jobs, as records."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.lazy import Rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.model import Instance
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies import Order
    from echelon.policies.order.priorities import Priorities

_ORDERS: Rules[Order] = Rules(
    "echelon.policies.order", {name: f"one_formula.{name}" for name in ("wfp3", "unicef")}
)
_WEIGHED: Rules[Any] = Rules("echelon.policies.order", {"multifactor": "multifactor.Multifactor"})


def has_kernel(order: Order) -> bool:
    """Return whether `order` changes with time by a rule that kernels know."""
    # Exactly these: a class of the user's that is derived from one may order otherwise.
    return any(order.rule == entry.rule for entry in _ORDERS.loaded) or type(order.rule) in _WEIGHED


def order_records(orders: Sequence[Order | None]) -> NDArray[Any]:
    """Return one `ORDER_TYPE` record an order; FIXED for those that do not change with time, and for None.

    The first is the queue's order, the second the candidates'.
    """
    from echelon.engine.compiled.machine.reorder import MULTIFACTOR, ORDER_TYPE, UNICEF, WFP3

    records = np.zeros(len(orders), dtype=ORDER_TYPE)
    records["candidates"][1:] = True
    for record, order in zip(records, orders, strict=True):
        if order is None or not has_kernel(order):
            continue
        from echelon.policies.order.multifactor import WEIGHTS, Multifactor
        from echelon.policies.order.one_formula import unicef, wfp3

        if order.rule == wfp3.rule:
            record["rule"] = WFP3
        elif order.rule == unicef.rule:
            record["rule"] = UNICEF
        elif type(order.rule) is Multifactor:
            record["rule"] = MULTIFACTOR
            for name in (*WEIGHTS, "max_age"):
                record[name] = getattr(order.rule, name)
            record["decay"] = math.log(2.0) / order.rule.half_life
    return records


def traits(instance: Instance, rank: IntColumn, orders: Sequence[Order | None]) -> NDArray[Any]:
    """Return one `TRAIT_TYPE` record a job, by rank; a single one if no order changes with time.

    Parameters
    ----------
    instance : Instance
        The jobs.
    rank : IntColumn, shape (n_jobs,)
        Of each.
    orders : sequence of Order or None
        The queue's and the candidates'.

    Notes
    -----
    Cost: O(n log n).
    """
    from echelon.engine.compiled.machine.reorder import TRAIT_TYPE

    if not any(order is not None and has_kernel(order) for order in orders):
        return np.zeros(1, dtype=TRAIT_TYPE)
    from echelon.policies.order.multifactor import PRIORITIES
    from echelon.policies.order.one_formula import unicef_weight

    place = np.empty(len(instance), dtype=np.int64)
    place[np.argsort(instance.submit_time, kind="stable")] = np.arange(len(instance))
    users = instance.workload.int_column("user")[instance.kept]
    records = np.empty(len(instance), dtype=TRAIT_TYPE)
    records["place"][rank] = place
    # One by one: numpy's logarithm of whole columns may differ in the last bit from that of one number.
    sized = zip(instance.size.tolist(), instance.planned_time.tolist(), strict=True)
    records["weight"][rank] = [unicef_weight(size, planned) for size, planned in sized]
    records["user"][rank] = np.unique(users, return_inverse=True)[1]
    for order, prefix in zip(orders, ("", "candidate_"), strict=True):
        for column in PRIORITIES:
            records[f"{prefix}{column}_factor"][rank] = _factors(instance, order, column)
    return records


def _factors(instance: Instance, order: Order | None, column: str) -> FloatColumn:
    """Return what `order` gives each job for its code in a column; 0 if it knows no priorities."""
    from echelon.policies.order.multifactor import PRIORITIES, Multifactor

    if order is None or type(order.rule) is not Multifactor:
        return np.zeros(len(instance))
    priorities: Priorities = getattr(order.rule, PRIORITIES[column])
    names = instance.workload.names.get(column, ())
    codes, place = np.unique(instance.workload.int_column(column)[instance.kept], return_inverse=True)
    return np.array([priorities.factor(code, names) for code in codes.tolist()])[place]
