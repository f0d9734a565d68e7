"""Orders: which waiting job next. One file a rule; this is the list of all that are built in."""

from echelon.errors import UnknownNameError
from echelon.policies.order.better_fit import better_fit
from echelon.policies.order.f1 import f1
from echelon.policies.order.f2 import f2
from echelon.policies.order.f3 import f3
from echelon.policies.order.f4 import f4
from echelon.policies.order.fcfs import fcfs
from echelon.policies.order.largest_first import largest_first
from echelon.policies.order.longest_first import longest_first
from echelon.policies.order.multifactor import multifactor
from echelon.policies.order.random import random
from echelon.policies.order.rule import Order, order
from echelon.policies.order.shortest_first import shortest_first
from echelon.policies.order.smallest_area_first import smallest_area_first
from echelon.policies.order.smallest_first import smallest_first
from echelon.policies.order.unicef import unicef
from echelon.policies.order.wfp3 import wfp3

ORDERS: tuple[Order, ...] = (
    fcfs,
    largest_first,
    smallest_first,
    longest_first,
    shortest_first,
    better_fit,
    smallest_area_first,
    f1,
    f2,
    f3,
    f4,
    wfp3,
    unicef,
    multifactor,
    random,
)

BY_NAME: dict[str, Order] = {word: rule for rule in ORDERS for word in (rule.name, *rule.aliases)}


def order_named(name: str) -> Order:
    """Return the built-in order of that name or alias.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    try:
        return BY_NAME[name]
    except KeyError:
        raise UnknownNameError("order", name, BY_NAME) from None


__all__ = ["BY_NAME", "ORDERS", "Order", "order", "order_named"]
