"""The specs of topologies."""

from __future__ import annotations

import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.model.topology import Dragonfly, Mesh, Star, Tree, topology_named


@pytest.mark.parametrize(
    ("spec", "topology"),
    [
        ("star", Star()),
        ("star:16", Star(16)),
        (" mesh : 4x3 ", Mesh((4, 3))),
        ("tree:4x8:growth=2.5", Tree((4, 8), 2.5)),
        ("dragonfly:groups=9,routers=4,nodes=2", Dragonfly(9, 4, 2)),
        ("dragonfly:a=4,h=2,p=2", Dragonfly(9, 4, 2)),
    ],
)
def test_specs_are_read(spec, topology):
    """Sizes, settings by colons or commas, and the letters of the dragonfly's authors."""
    assert topology_named(spec) == topology


def test_bandwidth_is_given_beside_the_spec():
    """It is every link's, and no part of the spec."""
    mesh = topology_named("mesh:2x2", bandwidth=1.25e9)
    assert set(mesh.bandwidth.tolist()) == {1.25e9}
    assert mesh.spec == "mesh:2x2"


@pytest.mark.parametrize(
    "spec",
    [
        "mesh", "mesh:", "mesh:4xx4", "mesh:4x-1", "mesh:0x4", "mesh:4x4:wrap=yes", "mesh:4x4,5", "mesh:²x2",
        "torus:1.5x2", "star:2x2", "star:k=3", "tree", "tree:2:growth=big", "tree:2:grow=2", "fat-tree",
        "fat-tree:4", "fat-tree:k=", "fat-tree:k=4:k=6", "dragonfly", "dragonfly:groups=2",
        "dragonfly:a=2,h=2", "dragonfly:a=1,h=1,p=1,groups=3", "mesh:99999999999999999999",
    ],
)  # fmt: skip
def test_misread_specs_say_what_is_expected(spec):
    """Whatever does not fit is refused with the form expected and the spec got."""
    with pytest.raises(InputError, match=r"topology: must be .*, got") as error:
        topology_named(spec)
    assert repr(spec) in str(error.value)


def test_unknown_topologies():
    """The nearest name is suggested; no spec at all are refused too."""
    with pytest.raises(UnknownNameError, match="did you mean 'torus'"):
        topology_named("tours:4x4")
    with pytest.raises(InputError, match="must be a specification"):
        topology_named(4)
    with pytest.raises(UnknownNameError):
        topology_named("")
