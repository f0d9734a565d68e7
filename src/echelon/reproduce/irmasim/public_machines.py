"""Machines of the examples that come with IRMASim's public code.

Source: the public repository irmasim/IRMaSim, MIT license; its platform files hold the figures. Bandwidths of
its contention curves are in MB/s, clocks in GHz.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.model import Cluster, Core, Hardware, MemoryCurveV1, Node, Processor

if TYPE_CHECKING:
    from collections.abc import Iterable

GIGA = 1e9
IDLE_SHARE = 0.05

CURVE = MemoryCurveV1(b=-1.85e-05, c=32_000, da=1.75, db=2_000, dc=50_000, dd=6_000)
"""Of the example processors but that of ``dual_core``."""

DUAL_CORE_CURVE = MemoryCurveV1(b=-1.85e-05, c=32_000, da=1.75, db=3_500, dc=45_000, dd=3_000)


def fast(cores: int, clock: float, operations_per_cycle: float = 1.0) -> Node:
    """Return a node of one processor with the power of the examples' fast type; the clock in GHz."""
    core = Core(clock * GIGA, operations_per_cycle, dynamic_power=5.59316)
    return _node((core,) * cores, static_power=6.14211)


def slow(cores: int, clock: float) -> Node:
    """Return a node of one processor with the power of the examples' slow type; the clock in GHz."""
    return _node((Core(clock * GIGA, dynamic_power=1.59482),) * cores, static_power=2.31082)


def _node(cores: tuple[Core, ...], *, static_power: float) -> Node:
    processor = Processor(cores, static_power=static_power, idle_share=IDLE_SHARE, memory_curve=CURVE)
    return Node((processor,))


def dual_core() -> Hardware:
    """Return two cores of 1 MHz."""
    core = Core(0.001 * GIGA, dynamic_power=100.0)
    processor = Processor(
        (core, core), static_power=50.0, idle_share=0.005, memory_curve=DUAL_CORE_CURVE, name="proc_n1134"
    )
    return machine([Node((processor,))])


def machine(nodes: Iterable[Node]) -> Hardware:
    """Return these nodes as one cluster."""
    return Hardware((Cluster(tuple(nodes)),), name="the_platform", source="irmasim/IRMaSim, examples")
