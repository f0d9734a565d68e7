"""What the orders within a global queue read of its view, which has less than that of a queue."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from echelon.errors import InputError
from echelon.model import Job
from echelon.policies.global_queue.contract import GlobalQueueView
from echelon.policies.order.rule import Order
from echelon.rules.parameter import parameters

if TYPE_CHECKING:
    from echelon.policies.global_queue.contract import GlobalQueueRule

_JOB = Job(position=0, job_id=1, submit_time=0.0, processors=1, planned_time=1.0)


class _AbsentError(Exception):
    """An order reads what the view of a global queue does not have."""


class _EmptyView:
    """The view of a global queue at time 0, of which only the time has a value."""

    now = 0.0

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  (whatever an order reads)
        raise AttributeError(name) if name in vars(GlobalQueueView) else _AbsentError(name)


def check_orders(rule: GlobalQueueRule) -> GlobalQueueRule:
    """Return a user's own global queue after checking that its view has all that its orders read.

    Raises
    ------
    InputError
        If an order reads something else, such as `multifactor` the users' shares.
    """
    for parameter in parameters(rule).values():
        order = getattr(rule, parameter.name, None)
        if isinstance(order, Order):
            try:
                # Another fault of an order is reported in the run, with its job.
                with suppress(ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
                    order(_JOB, cast("Any", _EmptyView()))
            except _AbsentError as error:
                problem = f"cannot use the order {order.name}: a global queue has no {error} for it"
                raise InputError(problem, field=f"global queue {rule.name}") from None
    return rule
