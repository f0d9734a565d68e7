"""MachineNodes: the nodes of machines of every kind, by site."""

from __future__ import annotations

import pytest

from echelon.availability.machine_nodes import MachineNodes
from echelon.errors import InputError, UnknownNameError
from echelon.model import Platform
from echelon.model.machines.platform import Site
from echelon.platforms import platform

GRID = MachineNodes((4, 2, 3), ("spain/uab", "spain/upc", "italy"), ("spain",))


def test_processors_are_nodes():
    """On counted processors each is a node."""
    assert MachineNodes.of(5).counts == (5,)


def test_sites_have_their_own_nodes():
    """A platform has the nodes of each site, and the paths of inner sites."""
    nodes = MachineNodes.of(Platform((Site("a/x", 3), Site("a/y", 2), Site("b", 1))))
    assert nodes == MachineNodes((3, 2, 1), ("a/x", "a/y", "b"), ("a",))


def test_modeled_nodes_count_not_their_cores():
    """A machine with nodes has fewer nodes than cores."""
    hardware = platform("irmasim-a").hardware
    assert hardware is not None
    assert MachineNodes.of(hardware).counts == (len(hardware.nodes),) != (hardware.cores,)


def test_a_path_names_a_site_or_all_below():
    """An inner site stands for its sites; nothing, for all."""
    assert [GRID.sites(path) for path in ("", "spain", "spain/upc", "italy")] == [
        *((0, 1, 2), (0, 1), (1,), (2,))
    ]


def test_numbers_are_of_one_site():
    """All nodes of several sites may be named, single ones not: each site numbers its own."""
    assert GRID.nodes("spain") == [(0, (0, 1, 2, 3)), (1, (0, 1))]
    assert GRID.nodes("italy", (1, 3)) == [(2, (0, 2))]
    with pytest.raises(InputError, match=r"add a column site .* with one of spain/uab, spain/upc$"):
        GRID.nodes("spain", (1,))
    with pytest.raises(InputError, match="names node 4, but there are 3"):
        GRID.nodes("italy", (4,))


def test_unknown_sites_are_refused():
    """The nearest is suggested; one machine has none at all."""
    with pytest.raises(UnknownNameError, match="did you mean 'italy'"):
        GRID.sites("itali")
    with pytest.raises(InputError, match="no sites"):
        MachineNodes((4,)).sites("italy")
