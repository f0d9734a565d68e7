"""The resource orders in which the place of each core depends on the machine alone."""

from __future__ import annotations

from echelon.model import Cluster, Core, Hardware, Node, Processor
from echelon.policies import RESOURCE_ORDERS

_ONE = Hardware((Cluster((Node((Processor((Core(1.0),)),)),)),))
STATIC = tuple(kind() for kind in RESOURCE_ORDERS if kind().ranks(_ONE) is not None)
