"""A user's own topology: named as a rule of any family, in a platform file, too."""

from __future__ import annotations

import pytest

import echelon as ec
from echelon.errors import InputError, UnknownNameError
from echelon.model.topology import Torus, topology_named
from echelon.platforms import read_platform, write_platform
from echelon.testing import check_rule

OWN = '''
from dataclasses import dataclass

import numpy as np

from echelon.model.topology import Network, Torus


@dataclass(frozen=True)
class Line(Network):
    """Nodes in a row.

    Parameters
    ----------
    length : int, default 8
        How many.
    """

    length: int = 8

    @property
    def nodes(self):
        return self.length

    @property
    def links(self):
        return 2 * (self.length - 1)

    @property
    def place(self):
        return np.arange(self.length)[:, None]

    @property
    def switch(self):
        return np.arange(self.length)

    @property
    def ends(self):
        up = [(k, k + 1) for k in range(self.length - 1)]
        return np.array(up + [(b, a) for a, b in up]).reshape(-1, 2)

    def distances(self, a, b):
        return np.abs(np.asarray(a) - b)

    def total_hops(self, nodes, weights):
        pair = weights[:, None] * weights
        return int((pair * self.distances(nodes[:, None], nodes)).sum()) // 2

    def route(self, a, b):
        back = self.length - 1
        return tuple(range(a, b)) if a < b else tuple(back + k for k in range(a - 1, b - 1, -1))


@dataclass(frozen=True)
class Square(Torus):
    """A square torus of some side.

    Parameters
    ----------
    side : int, default 4
        Nodes along each dimension.
    """

    shape: tuple[int, ...] = (4, 4)
    side: int = 4

    def __post_init__(self):
        object.__setattr__(self, "shape", (self.side, self.side))
        super().__post_init__()


@dataclass(frozen=True)
class Crooked(Line):
    """Says more hops than it has links on the way."""

    def distances(self, a, b):
        return 2 * super().distances(a, b)


@dataclass(frozen=True)
class Bent(Line):
    """Is wrong in the middle alone."""

    def route(self, a, b):
        return () if (a, b) == (2, 5) else super().route(a, b)


class Broken(Line):
    def route(self, a, b):
        raise ValueError("no idea")


class Other:
    pass
'''

ROW = """name = "row"
topology = "mine.py:Line:length=6"
[[node]]
count = 6
memory = "8 GB"
[node.processor]
cores = 2
clock = "1 GHz"
"""


@pytest.fixture
def own(tmp_path):
    """Return the path of a file of topologies."""
    path = tmp_path / "mine.py"
    path.write_text(OWN)
    return path


def test_it_takes_parameters_and_a_bandwidth(own):
    """Both reach the network; it has its spec, whatever it derives from."""
    line = topology_named(f"{own}:Line:length=5", bandwidth=1e9)
    assert (line.nodes, line.hops(0, 4), set(line.bandwidth.tolist())) == (5, 4, {1e9})
    assert line.spec == f"{own}:Line:length=5"
    square = topology_named(f"{own}:Square(side=3)")
    assert (square.shape, square.spec) == ((3, 3), f"{own}:Square(side=3)")
    assert square.hops(0, 8) == Torus((3, 3)).hops(0, 8)
    with pytest.raises(UnknownNameError, match="did you mean 'length'"):
        topology_named(f"{own}:Line:lenght=5")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Crooked", "as many hops as links, got 14 hops and a route of 7 links from node 0 to 7"),
        ("Broken", "fails with ValueError: no idea"),
        ("Other", "must derive from Network; got Other"),
    ],
)
def test_what_is_wrong_is_one_sentence(own, name, said):
    """A route and its hops agree; errors inside are the rule's; a class must be one of these."""
    with pytest.raises(InputError, match=said):
        topology_named(f"{own}:{name}")


def test_it_is_checked(own):
    """Routes between many pairs are followed link by link."""
    assert check_rule(f"{own}:Line:length=12").passed
    assert check_rule(f"{own}:Square").passed
    checked = check_rule(f"{own}:Bent")
    assert not checked.passed
    assert "must have a route of 3 links from switch 2 to 5, got []" in checked.findings[0].sentence


def test_a_platform_file_names_it_from_its_own_folder(own, monkeypatch, tmp_path):
    """Jobs are placed on it as on the built-in topology that it equals; the platform is written and read."""
    assert own.is_file()
    (tmp_path / "row.toml").write_text(ROW)
    (tmp_path / "mesh.toml").write_text(ROW.replace("mine.py:Line:length=6", "mesh:6"))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    platform = read_platform("../row.toml")
    write_platform(platform, tmp_path / "again.toml")
    jobs = ec.change_jobs(ec.generate("lublin", 30, processors=8, seed=1), tasks="mpi:comm=1e9")
    files = (platform, tmp_path / "again.toml", tmp_path / "mesh.toml")
    rules = {"place": "nearest:rule=gen-alg", "network": "proportional"}
    runs = [ec.simulate(jobs, platform=one, **rules).jobs for one in files]
    assert runs[0].equals(runs[1])
    assert runs[0].equals(runs[2])
