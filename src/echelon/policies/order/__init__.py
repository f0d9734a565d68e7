"""Orders: which waiting job next. Those of one formula share a file; `registry` lists all built in."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "registry": "ORDER ORDERS order_named",
        "rule": "Order order",
    },
)
