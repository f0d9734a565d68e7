"""Memory contention per node as in IRMASim's second model."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from echelon.errors import InputError
from echelon.execution.contract import refuse_types
from echelon.model import MemoryCurveV2

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.execution.contract import Load
    from echelon.model import Hardware, Node, Processor

GIGA = 1e9
"""Bytes in the GB of the model's parameters."""

LEAST = 0.001
"""No task is slowed down more than this: far from where it was fitted the curve falls below 0."""


@dataclass(frozen=True, slots=True)
class MemoryV2:
    """Slow down the tasks of a node along a curve that falls with their total memory demand.

    With o other tasks in the node, a task's demand of y GB/s, and the total demand Q:

        S = b + 0.9 (c - b) exp(-exp(a (Q - d)))

        a = (abb + o aba) + y (aab + o aaa)
        b = (bbb + o bba) + y (bab + o baa)
        c = (ccb + o cca) + y (cbb + o cba) + y^2 (cab + o caa)
        d = (dbb + o dba) + y (dab + o daa)

    The eighteen coefficients are the `memory_curve` of the node's type, for GB/s of a thousand million bytes.

    Parameters
    ----------
    refresh : {"end", "release"}, default "end"
        When the factors of a node's tasks are recomputed, in addition to starts of tasks in it: ``end`` when
        tasks in it end; ``release`` when cores of it are released, as `memory-v1` may.
    bounds : {"kept", "formula"}, default "kept"
        Far from the fitted data S leaves the range from 0 to 1. ``kept`` clips it to 0.001 to 1; ``formula``
        allows values above 1 as printed, by some thousandths at little demand.

    Notes
    -----
    It multiplies the speed of the core. The public code has only the clock there; so do its node types, which
    know of no operations per cycle: read from them a core does one, and the two are the same. If the hardware
    specifies more, more counts.
    **Cost**: O(loads) a node.
    **Source**: public code of IRMASim 0.1, modelV2.
    """

    refresh: Literal["end", "release"] = "end"
    bounds: Literal["kept", "formula"] = "kept"

    name: ClassVar[str] = "memory-v2"
    scope: ClassVar[Literal["processor", "node"]] = "node"
    source: ClassVar[str] = "IRMASim 2019, public code, modelV2"

    def __post_init__(self) -> None:
        if self.refresh not in ("end", "release"):
            raise InputError(f"must be end or release, got {self.refresh!r}", field="memory-v2, refresh")
        if self.bounds not in ("kept", "formula"):
            raise InputError(f"must be kept or formula, got {self.bounds!r}", field="memory-v2, bounds")

    def check(self, hardware: Hardware) -> None:
        """Refuse hardware with a node without a curve.

        Raises
        ------
        InputError
            With the types of the nodes.
        """
        refuse_types(
            "memory-v2 needs a memory curve (abb, aba ... daa) of each type of node",
            [node.name for node in hardware.nodes if node.memory_curve is None],
        )

    def factors(self, loads: Sequence[Load], part: Processor | Node) -> Sequence[float]:
        """Return the factor of each load's tasks, at least 0.001; at most 1 unless `bounds` is formula."""
        curve = part.memory_curve
        assert isinstance(curve, MemoryCurveV2)
        others = max(0.0, sum(load.tasks for load in loads) - 1)
        asked = sum(load.tasks * load.bandwidth for load in loads) / GIGA
        factors = [_factor(load.bandwidth / GIGA, asked, others, curve) for load in loads]
        return factors if self.bounds == "formula" else [min(1.0, factor) for factor in factors]


def _factor(own: float, asked: float, others: float, curve: MemoryCurveV2) -> float:
    """Return the factor of a task that demands `own` of `asked` GB/s beside `others`."""
    a = curve.abb + others * curve.aba + own * (curve.aab + others * curve.aaa)
    b = curve.bbb + others * curve.bba + own * (curve.bab + others * curve.baa)
    c = (
        curve.ccb
        + others * curve.cca
        + own * (curve.cbb + others * curve.cba)
        + own**2 * (curve.cab + others * curve.caa)
    )
    d = curve.dbb + others * curve.dba + own * (curve.dab + others * curve.daa)
    return max(LEAST, b + 0.9 * (c - b) * _gompertz(a * (asked - d)))


def _gompertz(x: float) -> float:
    """Return exp(-exp(x)), from 1 far below 0 to 0 far above, where exp(x) is too large for a float."""
    return math.exp(-math.exp(min(x, 100.0)))
