# Public names of `echelon.policies.placement`: made by docs/generator from the table in its __init__.py.

from echelon.policies.placement.contract import Allocator as Allocator
from echelon.policies.placement.contract import Placement as Placement
from echelon.policies.placement.contract import Room as Room
from echelon.policies.placement.node_order import NodeOrder as NodeOrder
from echelon.policies.placement.node_order import node_sequence as node_sequence
from echelon.policies.placement.node_search import FITS as FITS
from echelon.policies.placement.node_search import NodeSearch as NodeSearch
from echelon.policies.placement.own_order import IdleCore as IdleCore
from echelon.policies.placement.own_order import OwnOrder as OwnOrder
from echelon.policies.placement.own_order import placement as placement
from echelon.policies.placement.own_placement import OwnPlacement as OwnPlacement
from echelon.policies.placement.own_placement import spread_violation as spread_violation
from echelon.policies.placement.registry import ALLOCATORS as ALLOCATORS
from echelon.policies.placement.registry import PLACEMENT as PLACEMENT
from echelon.policies.placement.registry import RESOURCE_ORDERS as RESOURCE_ORDERS
from echelon.policies.placement.registry import SEARCHES as SEARCHES
from echelon.policies.placement.registry import format_placement as format_placement
from echelon.policies.placement.registry import names_placement as names_placement
from echelon.policies.placement.registry import placement_named as placement_named
from echelon.policies.placement.registry import placement_names as placement_names
from echelon.policies.placement.registry import placement_of as placement_of
from echelon.policies.placement.resource_order import ResourceOrder as ResourceOrder
