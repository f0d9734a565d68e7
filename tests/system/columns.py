"""The columns of the matrix: one platform for each kind of system, small enough that jobs have to wait."""

from __future__ import annotations

from dataclasses import dataclass

NODES = """
[[site.node]]
count = {count}
memory = "8 GB"
network_bandwidth = "100 MB/s"
power = "10 W"
sleep = {{ power = "1 W", wake_time = "2 s", wake_power = "20 W" }}

[[site.node.processor]]
count = 2
cores = 2
clock = "1 GHz"
memory_bandwidth = "3 GB/s"
static_power = "8 W"
idle_share = 0.5
dynamic_power = "10 W"
levels = [{{ clock = 1, power = 1 }}, {{ clock = 0.5, power = 0.25 }}]
"""
SHARED = """
contract = {{ mpl = {mpl}, memory = 0.9 }}
link = "125 MB/s"

[[site.node]]
count = {count}
memory = "8 GB"
bandwidth = "12.5 MB/s"
"""
COUNT = """
processors = {count}
"""
DESK = """
processors = {count}
queue = "none"
speed = {speed}
"""
TOPOLOGY = """
topology = "mesh:2x2"
link_bandwidth = "100 MB/s"
"""


def site(name: str, table: str, **values: float) -> str:
    """Return the table of a site in a platform file."""
    return f'[[site]]\nname = "{name}"' + table.format(**values)


GRID = site("a", COUNT, count=8) + site("b", COUNT, count=12) + site("c", COUNT, count=16)
GRID_OF_NODES = site("a", TOPOLOGY + NODES, count=4) + site("b", NODES, count=3) + site("c", NODES, count=2)
MULTICLUSTER = site("a", SHARED, count=10, mpl=2) + site("b", SHARED, count=8, mpl=2)
DEDICATED = site("a", SHARED, count=12, mpl=1) + site("b", SHARED, count=9, mpl=1)
DESKS = (
    site("a", DESK, count=8, speed=1)
    + site("b", DESK, count=8, speed=0.5)
    + site("c", DESK, count=12, speed=1)
)
MIXED = (
    site("center", COUNT, count=10)
    + site("campus/nodes", TOPOLOGY + NODES, count=3)
    + site("campus/labs/x", SHARED, count=9, mpl=2)
    + site("campus/labs/y", SHARED, count=8, mpl=2)
    + site("campus/desks/p", DESK, count=8, speed=0.5)
    + site("campus/desks/q", DESK, count=8, speed=1)
)
GRID_OF_GRIDS = (
    site("north/a", COUNT, count=8)
    + site("north/old/b", NODES, count=2)
    + site("north/old/c", COUNT, count=9)
    + site("south/d", TOPOLOGY + NODES, count=3)
    + site("south/e", COUNT, count=12)
)


@dataclass(frozen=True)
class Column:
    """A system: its name, its platform, and the policies that its sites follow where a row names none.

    Parameters
    ----------
    name : str
        Heading.
    platform : str
        Text of a platform file; empty for one machine of counted processors.
    kinds : frozenset of str
        Of its leaves: ``count``, ``nodes``, ``shared``, ``time-shared``; with ``only`` where all are of one.
    policies : tuple of str, default EASY
        A cell of the matrix is a run for each; none where no site has a queue.
    """

    name: str
    platform: str
    kinds: frozenset[str]
    policies: tuple[str, ...] = ("easy",)


def kinds(*names: str) -> frozenset[str]:
    """Return these kinds of leaves; of one kind alone also ``only`` that kind."""
    return frozenset((*names, f"only {names[0]}") if len(names) == 1 else names)


ONE_MACHINE = TOPOLOGY.strip() + NODES.replace("site.node", "node").format(count=4)
COLUMNS = {
    column.name: column
    for column in (
        Column("one machine", "", kinds("count")),
        Column("nodes", ONE_MACHINE, kinds("nodes")),
        Column("grid", GRID, kinds("count")),
        Column("grid of nodes", GRID_OF_NODES, kinds("nodes")),
        Column("multicluster", MULTICLUSTER, kinds("shared")),
        Column("with reservations", DEDICATED, kinds("shared"), ("easy", "conservative")),
        Column("time-shared", DESKS, kinds("time-shared"), ()),
        Column("mixed tree", MIXED, kinds("count", "nodes", "shared", "time-shared")),
        Column("grid of grids", GRID_OF_GRIDS, kinds("count", "nodes")),
    )
}
PROCESSORS = 14
"""Of the one machine."""
