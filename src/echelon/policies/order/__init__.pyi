# Public names of `echelon.policies.order`: made by docs/generator from the table in its __init__.py.

from echelon.policies.order.registry import ORDER as ORDER
from echelon.policies.order.registry import ORDERS as ORDERS
from echelon.policies.order.registry import order_named as order_named
from echelon.policies.order.rule import Order as Order
from echelon.policies.order.rule import order as order
