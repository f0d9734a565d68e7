# Public names of `echelon.model.topology`: made by docs/generator from the table in its __init__.py.

from echelon.model.topology.contract import Topology as Topology
from echelon.model.topology.dragonfly import Dragonfly as Dragonfly
from echelon.model.topology.fat_tree import FatTree as FatTree
from echelon.model.topology.lattice import Lattice as Lattice
from echelon.model.topology.mesh import Mesh as Mesh
from echelon.model.topology.network import Network as Network
from echelon.model.topology.star import Star as Star
from echelon.model.topology.topology_spec import FORMS as FORMS
from echelon.model.topology.topology_spec import topology_named as topology_named
from echelon.model.topology.torus import Torus as Torus
from echelon.model.topology.tree import Tree as Tree
