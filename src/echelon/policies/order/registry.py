"""The orders by name: the lines to add a new one to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.errors import UnknownNameError
from echelon.lazy import Rules, by_word

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.policies.order.rule import Order

ORDERS: Rules[Order] = Rules(
    __package__,
    {
        "fcfs": "fcfs.fcfs",
        "largest-first": "largest_first.largest_first",
        "smallest-first": "smallest_first.smallest_first",
        "longest-first": "longest_first.longest_first",
        "shortest-first": "shortest_first.shortest_first",
        "better-fit": "better_fit.better_fit",
        "smallest-area-first": "smallest_area_first.smallest_area_first",
        "low-memory": "low_memory.low_memory",
        "low-memory-bandwidth": "low_memory_bandwidth.low_memory_bandwidth",
        "low-memory-volume": "low_memory_volume.low_memory_volume",
        "f1": "f1.f1",
        "f2": "f2.f2",
        "f3": "f3.f3",
        "f4": "f4.f4",
        "wfp3": "wfp3.wfp3",
        "unicef": "unicef.unicef",
        "multifactor": "multifactor.multifactor",
        "random": "random.random",
    },
    {
        "fifo": "fcfs",
        "fiarr": "fcfs",
        "first": "fcfs",
        "largefirst": "largest-first",
        "ljf-size": "largest-first",
        "smallfirst": "smallest-first",
        "small": "smallest-first",
        "smallest": "smallest-first",
        "ljf": "longest-first",
        "longfirst": "longest-first",
        "lpt": "longest-first",
        "longest": "longest-first",
        "sjf": "shortest-first",
        "shortfirst": "shortest-first",
        "spt": "shortest-first",
        "short": "shortest-first",
        "shortest": "shortest-first",
        "betterfit": "better-fit",
        "saf": "smallest-area-first",
        "lrmem": "low-memory",
        "low-mem": "low-memory",
        "lrmbw": "low-memory-bandwidth",
        "low-mem-bw": "low-memory-bandwidth",
        "low-mem-ops": "low-memory-volume",
        "unicep": "unicef",
        "randm": "random",
    },
)
"""Every order that is built in, in the order in which tables show them."""

BY_NAME: Mapping[str, Order] = by_word(ORDERS)
"""The same by name and alias."""


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
