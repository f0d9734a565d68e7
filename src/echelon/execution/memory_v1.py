"""Memory contention per processor as in IRMASim's first model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from echelon.errors import InputError
from echelon.execution.contract import refuse_types
from echelon.model import MemoryCurveV1

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.execution.contract import Load
    from echelon.model import Hardware, Node, Processor

MEGA = 1e6
"""Bytes in the MB of the model's parameters."""

DECIMALS = 9
"""Number of decimals of rounded factors, as in the public code."""


@dataclass(frozen=True, slots=True)
class MemoryV1:
    """Slow down the tasks of a processor by their total memory demand, demanding tasks more.

    With n other tasks in the processor, a task's demand of q MB/s, and the total demand Q:

        S = 1                               if Q < c
        S = max(1 + b (Q - c), D(q, n))     else

        D(q, n) = (1 + 0.6 n s(u)) / (1 + 0.6 n),     u = (q - (da - n) db) / (dc - n dd)
        s(u) = 1 - u^3 (6 u^2 - 15 u + 10)            for 0 <= u <= 1; 1 below, 0 above

    So a demanding task slows down to 1 / (1 + 0.6 n) at worst. A task with little demand is not slowed while
    few others run there: the slope starts at (da - n) db, so each other task moves it down by db. The
    parameters b < 0, c, da, db, dc and dd are the `memory_curve` of the processor's type, for MB/s of a
    million bytes.

    Parameters
    ----------
    steep : {"limit", "formula"}, default "limit"
        The width dc - n dd of the slope shrinks with each other task, with the published parameters to
        nothing at the tenth. From there on ``limit`` takes the slope as a step, the limit of the formula: a
        task is wholly before it or wholly behind it. ``formula`` follows the printed formula: a
        negative width turns the slope around, and no task is slowed.
    refresh : {"end", "release"}, default "end"
        When the factors of a processor's tasks are recomputed, in addition to starts of tasks on it: ``end``
        when tasks on it end; ``release`` when cores of it are released, as in the public program. The two
        differ where tasks that have ended keep their cores until their job ends.

    Notes
    -----
    Rounded to 9 decimals. Continuous in Q, at c and where the floor D is reached. A processor never slows a
    single task, regardless of its demand: D(q, 0) = 1.
    **Cost**: O(loads) a processor.
    **Source**: public code of IRMASim 0.1, modelV1; the reference prints the three cases apart, of which the
    maximum is the same. A task that shares its core counts by its share in n.
    """

    steep: Literal["limit", "formula"] = "limit"
    refresh: Literal["end", "release"] = "end"

    name: ClassVar[str] = "memory-v1"
    scope: ClassVar[Literal["processor", "node"]] = "processor"
    source: ClassVar[str] = "IRMASim 2019, public code, modelV1"

    def __post_init__(self) -> None:
        if self.steep not in ("limit", "formula"):
            raise InputError(f"must be limit or formula, got {self.steep!r}", field="memory-v1, steep")
        if self.refresh not in ("end", "release"):
            raise InputError(f"must be end or release, got {self.refresh!r}", field="memory-v1, refresh")

    def check(self, hardware: Hardware) -> None:
        """Refuse hardware with a processor without a curve, or with one that rises.

        Raises
        ------
        InputError
            With the types of the processors.
        """
        kinds = hardware.processors
        refuse_types(
            "memory-v1 needs a memory curve (b, c, da, db, dc, dd) of each type of processor",
            [kind.name for kind in kinds if kind.memory_curve is None],
        )
        refuse_types(
            "memory-v1 needs a falling memory curve, b < 0",
            [kind.name for kind in kinds if kind.memory_curve is not None and kind.memory_curve.b >= 0],
        )

    def factors(self, loads: Sequence[Load], part: Processor | Node) -> Sequence[float]:
        """Return the factor of each load's tasks, 0 < factor <= 1."""
        curve = part.memory_curve
        assert isinstance(curve, MemoryCurveV1)
        others = max(0.0, sum(load.tasks for load in loads) - 1)
        asked = sum(load.tasks * load.bandwidth for load in loads) / MEGA
        if asked < curve.c:
            return [1.0] * len(loads)
        line = 1 + curve.b * (asked - curve.c)
        return [
            round(max(line, self._floor(load.bandwidth / MEGA, others, curve)), DECIMALS) for load in loads
        ]

    def _floor(self, asked: float, others: float, curve: MemoryCurveV1) -> float:
        """Return the factor below which a task with this demand, in MB/s, is not slowed."""
        lowest = 1 / (1 + 0.6 * others)
        return _smooth_step(self._position_on_slope(asked, others, curve)) * 0.6 * others * lowest + lowest

    def _position_on_slope(self, asked: float, others: float, curve: MemoryCurveV1) -> float:
        """Return the position of a task on the slope: 0 or less before it, 1 or more behind it."""
        over = asked - (curve.da - others) * curve.db
        width = curve.dc - others * curve.dd
        if width == 0 or (width < 0 and self.steep == "limit"):
            return float(over > 0)
        return over / width


def _smooth_step(u: float) -> float:
    """Return 1 up to 0, 0 from 1 on, and a smooth curve between them."""
    if u <= 0:
        return 1.0
    return 0.0 if u >= 1 else 1 - u**3 * (6 * u**2 - 15 * u + 10)
