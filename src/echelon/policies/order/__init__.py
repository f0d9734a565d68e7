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
from echelon.policies.order.low_memory import low_memory
from echelon.policies.order.low_memory_bandwidth import low_memory_bandwidth
from echelon.policies.order.low_memory_volume import low_memory_volume
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
    low_memory,
    low_memory_bandwidth,
    low_memory_volume,
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
    """Return the built-in order of that name or alias; capitals and underscores do as well.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    found = BY_NAME.get(name.lower().replace("_", "-"))
    if found is None:
        raise UnknownNameError("order", name, BY_NAME)
    return found


__all__ = ["BY_NAME", "ORDERS", "Order", "order", "order_named"]
