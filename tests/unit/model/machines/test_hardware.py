"""Hardware: how nodes, processors and cores are numbered, and which machines are refused."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.model import Cluster, Core, Hardware, Node, Processor
from echelon.model.topology import topology_named

SLOW, FAST = Core(1e9, 2.0, 5.0), Core(3e9, 1.0, 9.0)
MIXED = Processor((SLOW, SLOW, FAST), static_power=10)
SINGLE = Processor((FAST,))


def unequal() -> Hardware:
    """Two clusters: a node of two processors and one of one, then a node of one core."""
    small = Node((SINGLE,), memory=4.0, network_bandwidth=2.0)
    return Hardware((Cluster((Node((MIXED, SINGLE)), Node((MIXED,)))), Cluster((small,), "b")), name="odd")


def test_numbers_run_through_the_clusters():
    """Every core knows its processor and node, every processor its node, counted from 0 in order."""
    machine = unequal()
    assert machine.cores == 8
    assert machine.node_of_processor.tolist() == [0, 0, 1, 2]
    assert machine.first_processor.tolist() == [0, 2, 3, 4]
    assert machine.first_core.tolist() == [0, 4, 7, 8]
    assert machine.first_core_of_processor.tolist() == [0, 3, 4, 7, 8]
    assert machine.processor_of_core.tolist() == [0, 0, 0, 1, 2, 2, 2, 3]
    assert machine.node_of_core.tolist() == [0, 0, 0, 0, 1, 1, 1, 2]
    assert machine.node_cores.tolist() == [4, 3, 1]


def test_figures_of_parts_as_columns():
    """Speeds are clock times operations a cycle; what is not said is without limit."""
    machine = unequal()
    assert machine.core_speed.tolist() == [2e9, 2e9, 3e9, 3e9, 2e9, 2e9, 3e9, 3e9]
    assert machine.core_power.tolist() == [5, 5, 9, 9, 5, 5, 9, 9]
    assert machine.node_memory.tolist() == [np.inf, np.inf, 4.0]
    assert machine.node_bandwidth.tolist() == [np.inf, np.inf, 2.0]
    assert machine.slowest == 2e9
    assert machine.mean_speed == 2.5e9
    with pytest.raises(ValueError, match="read-only"):
        machine.core_speed[0] = 1.0


def test_the_mean_of_equal_cores_is_their_speed():
    """To the last bit, whatever the sum of so many would round to."""
    core = Core(1e9 / 3)
    machine = Hardware((Cluster((Node((Processor((core,) * 7),)),) * 11),))
    assert machine.mean_speed == core.speed


def test_refusals():
    """No cluster, too many cores, a network that joins too few nodes: each is told with what was got."""
    with pytest.raises(InputError, match="at least one cluster, got none"):
        Hardware(())
    with pytest.raises(InputError, match="has 2147483648 cores"):
        Hardware((Cluster((Node((Processor((FAST,) * 2**11),) * 2**10),) * 2**10),))
    with pytest.raises(InputError, match="joins 2 nodes, but there are 3"):
        Hardware(unequal().clusters, topology_named("star:2"))
    with pytest.raises(InputError, match="needs at least one node"):
        Cluster(())


def test_a_machine_is_shown_by_its_sizes():
    """In one line, however many parts it has."""
    assert repr(unequal()) == "Hardware('odd', 3 nodes, 4 processors, 8 cores)"


def test_equal_machines_stay_equal():
    """Asked again, of one rebuilt, of another, and of something else."""
    one, other = unequal(), unequal()
    assert one == other
    assert one == other
    assert hash(one) == hash(other)
    assert one != Hardware(one.clusters[:1])
    assert one != "machine"
    assert {one: 1}[other] == 1
