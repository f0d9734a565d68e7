"""The orders by name; a new order is added here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.lazy import Rules
from echelon.rules.family import Family

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.policies.order.rule import Order
    from echelon.rules import Named

_ONE_FORMULA = (
    *("fcfs", "largest-first", "smallest-first", "longest-first", "shortest-first", "better-fit"),
    *("smallest-area-first", "low-memory", "low-memory-bandwidth", "low-memory-volume"),
    *("f1", "f2", "f3", "f4", "wfp3", "unicef"),
)

ORDERS: Rules[Order] = Rules(
    __package__,
    {
        **{name: f"one_formula.{name.replace('-', '_')}" for name in _ONE_FORMULA},
        "multifactor": "multifactor.multifactor",
        "random": "one_formula.random",
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
"""All built-in orders, in the sequence of the tables."""


def values() -> Sequence[Named]:
    """Return the types of parameters whose values have names: orders and priorities."""
    from echelon.policies.order.priorities import Priorities
    from echelon.policies.order.rule import Order
    from echelon.rules.parameter import Named

    return (
        Named(Order, "an order", ORDER.parse, needs_key=False),
        Named(Priorities, "names and factors such as high=1+normal=0.5", Priorities.read),
    )


def is_order(thing: object) -> bool:
    """Return whether an object is an order; nothing is imported."""
    return hasattr(thing, "columnar") and hasattr(thing, "rule")


ORDER: Family[Order] = Family(
    "order",
    [ORDERS],
    example="multifactor:max-age=3d",
    is_rule=is_order,
    must="be an order (use @order)",
    groups=["echelon.orders"],
)
order_named = ORDER.parse
