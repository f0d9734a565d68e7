"""A trace on a machine: its nodes become the machine's, its times those of the run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from echelon.availability.machine_nodes import MachineNodes
from echelon.availability.traces import parse_trace, place_trace
from echelon.errors import InputError, UnknownNameError
from echelon.model import Cluster, Core, Hardware, Node, Platform, Processor, Site

ONE = MachineNodes((4,))
TWO = MachineNodes((4, 2), ("uab", "udl"))
NAMES = (("a", "b", "c", "d"), ("a", "x"))


def read(text):
    return parse_trace(text.encode(), "file")


def rows_of(outages):
    """Return site, nodes, begin and end of each outage."""
    return [
        (
            int(outages.site[row]),
            outages.nodes_of(row).tolist(),
            float(outages.start[row]),
            float(outages.end[row]),
        )
        for row in range(len(outages))
    ]


def test_our_file_is_placed_as_it_says():
    """Nodes are numbered from 1 in the file and from 0 in the run; seconds are those of the log."""
    found = place_trace(read("node,down,up\n2,40,60\n3-4,5,9\n"), ONE)
    assert rows_of(found.outages) == [(0, [2, 3], 5, 9), (0, [1], 40, 60)]
    assert found.notes == ()


def test_our_file_names_sites_and_nodes():
    """A number needs its site where there are several; a name only where two nodes share it."""
    text = "node,down,up,site\n1,0,1,udl\nx,2,3,\na,4,5,uab\n"
    assert rows_of(place_trace(read(text), TWO, names=NAMES).outages) == [
        (1, [0], 0, 1),
        (1, [1], 2, 3),
        (0, [0], 4, 5),
    ]


def test_names_are_those_of_the_platform():
    """Nodes that a platform names one by one are found by these names; nodes of one kind share the kind's."""
    node = Node((Processor((Core(1e9),)),), name="thin")
    pair = Hardware((Cluster((replace(node, name="left"), replace(node, name="right"))),))
    text = "node,down,up\nright,0,1\n"
    assert rows_of(place_trace(read(text), MachineNodes.of(pair)).outages) == [(0, [1], 0, 1)]
    grid = MachineNodes.of(Platform((Site("a", Hardware((Cluster((node, node)),))), Site("b", pair))))
    assert grid.names == ((), ("left", "right"))
    assert rows_of(place_trace(read(text), grid).outages) == [(1, [1], 0, 1)]


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("node,down,up\n5,0,1\n", InputError, "says which nodes, but not of which site"),
        (
            "node,down,up,site\n5,0,1,uab\n",
            InputError,
            "must be a number from 1 to 4, as site 'uab' has 4 nodes",
        ),
        ("node,down,up,site\n1,0,1,uib\n", UnknownNameError, "did you mean 'uab'"),
        ("node,down,up\na,0,1\n", UnknownNameError, "file: no node is named 'a'"),
        ("node,down,up\nxx,0,1\n", UnknownNameError, "did you mean 'x'"),
    ],
)
def test_nodes_that_are_not_there_are_named(text, error, said):
    """A number too large, a site or a name that the machine has not, and a name of two nodes are refused."""
    with pytest.raises(error) as found:
        place_trace(read(text), TWO, names=NAMES)
    assert said in str(found.value)


FTA = """\
node_id node_name event_type event_start_time event_stop_time
n10 a 0 1000 1100
n2 b 0 1050 1200
n9 c 0 1020 1030
"""


def test_nodes_of_another_machine_stand_for_ours_by_number():
    """n2, n9 and n10 are nodes 1, 2 and 3; the trace begins at second 0; what is left over is said."""
    found = place_trace(read(FTA), ONE)
    assert rows_of(found.outages) == [(0, [2], 0, 100), (0, [1], 20, 30), (0, [0], 50, 200)]
    assert found.notes == (
        "3 nodes of file stand for those of the machine, by number",
        "1 node of the machine without outages",
    )
    few = place_trace(read(FTA), MachineNodes((2,)))
    assert rows_of(few.outages) == [(0, [1], 20, 30), (0, [0], 50, 200)]
    assert "1 further node of it left out, with 1 outage" in few.notes


def test_nodes_that_the_machine_knows_by_name_are_those():
    """If every node of a trace is one of the machine's by name, nothing stands for anything else."""
    found = place_trace(read(FTA), MachineNodes((3,)), names=[("n9", "n10", "n2")])
    assert rows_of(found.outages) == [(0, [1], 0, 100), (0, [0], 20, 30), (0, [2], 50, 200)]
    assert found.notes == ()


def test_a_clock_of_the_run_moves_a_trace_with_dates():
    """With Unix time 1025 as second 0, what was over then is left out and counted; what is on begins at 0."""
    found = place_trace(read(FTA.replace("1020 1030", "1020 1022")), ONE, zero=1025.0)
    assert rows_of(found.outages) == [(0, [2], 0, 75), (0, [0], 25, 175)]
    assert "1 outage of file ended before the run's second 0" in found.notes


def test_nodes_of_lanl_keep_their_numbers():
    """The file lists only nodes that failed: node 3, from 0, is the fourth, though it is the only one."""
    text = "System,nodenumz,Prob Started,Down Time\n20,3,6/21/2005 10:54,6\n20,9,6/21/2005 10:54,6\n"
    found = place_trace(read(text), ONE)
    assert rows_of(found.outages) == [(0, [3], 0, 360)]
    assert "1 further node of it left out, with 1 outage" in found.notes


def test_overlapping_outages_of_a_node_are_one():
    """An operator's list may have a node down twice at once."""
    assert rows_of(place_trace(read("node,down,up\n1,0,10\n1,5,20\n"), ONE).outages) == [(0, [0], 0, 20)]


def test_names_where_nodes_have_none():
    """On a machine whose nodes have no names, the message says which numbers there are."""
    with pytest.raises(InputError, match="file, node all: is not a number from 1 to 4, and the nodes"):
        place_trace(read("node,down,up\nall,0,1\n"), ONE)


def test_a_name_that_is_no_number_is_told_how_many_nodes_its_own_site_has():
    """The limit in the message is that of the site of the row, not of the largest."""
    machine = MachineNodes((6, 24), ("west", "south"))
    trace = read("node,down,up,site\nw1,1,2,west\n")
    with pytest.raises(InputError, match="from 1 to 6,"):
        place_trace(trace, machine)
