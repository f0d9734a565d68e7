"""Orders: which waiting job next. One file a rule; `registry` is the list of all that are built in."""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.policies.order.registry import BY_NAME, ORDERS, order_named
    from echelon.policies.order.rule import Order, order

__all__ = ["BY_NAME", "ORDERS", "Order", "order", "order_named"]

lazily(__name__, {"registry": ("BY_NAME", "ORDERS", "order_named"), "rule": ("Order", "order")})
