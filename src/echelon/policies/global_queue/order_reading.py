"""What the orders within a global queue read of its view, which has less than that of a queue."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.model import Job
from echelon.policies.global_queue.contract import GlobalQueueView
from echelon.policies.order.rule import Order
from echelon.rules.parameter import parameters

if TYPE_CHECKING:
    from echelon.policies.global_queue.contract import GlobalQueueRule


def check_orders(rule: GlobalQueueRule) -> GlobalQueueRule:
    """Return a user's own global queue after checking that its view has all that its orders read.

    Raises
    ------
    InputError
        If an order reads something else, such as `multifactor` the users' shares.
    """
    for parameter in parameters(rule).values():
        order = getattr(rule, parameter.name, None)
        if isinstance(order, Order) and (lacks := _find_lack(order)):
            problem = f"cannot use the order {order.name}: a global queue has no {lacks} for it"
            raise InputError(problem, field=f"global queue {rule.name}")
    return rule


def _find_lack(order: Order) -> str | None:
    """Return the name of what an order reads that no view of a global queue has."""
    view: Any = SimpleNamespace(now=0.0)
    try:
        order(Job(position=0, job_id=1, submit_time=0.0, processors=1, planned_time=1.0), view)
    except AttributeError as error:
        return error.name if error.obj is view and error.name not in vars(GlobalQueueView) else None
    except Exception:
        return None  # the run reports it with its job
    return None
