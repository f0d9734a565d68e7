"""Orders: which waiting job next. Those of one formula share a file; `registry` lists all built in."""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.policies.order.registry import ORDER, ORDERS, order_named
    from echelon.policies.order.rule import Order, order

__all__ = ["ORDER", "ORDERS", "Order", "order", "order_named"]

lazily(__name__, {"registry": ("ORDER", "ORDERS", "order_named"), "rule": ("Order", "order")})
