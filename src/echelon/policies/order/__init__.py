"""Orders: which waiting job is next. Orders of one formula share a file; `registry` lists all."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "registry": "ORDER ORDERS order_named",
        "rule": "Order order",
    },
)
