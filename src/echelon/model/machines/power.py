"""Power: the power of a node by its held cores. The formula that engines and metrics share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model.machines.hardware import Hardware
    from echelon.model.machines.node import Node, PowerCurveV2, Processor

BYTES_PER_GB = 1e9
"""Bytes of the GB in which a power curve takes bandwidth."""


def processor_power(processor: Processor, dynamic: float | None) -> float:
    """Return the power of a processor, in W.

    Parameters
    ----------
    processor : Processor
        Which.
    dynamic : float or None
        Additional power of the held cores, in W: the sum of their dynamic power x the power share of the
        processor's frequency level. None if no core is held.

    Notes
    -----
    A core whose task has ended but whose job has not is held. Source: public code of IRMASim 0.1, modelV1.
    """
    if dynamic is None:
        return processor.idle_share * processor.static_power
    return processor.static_power + dynamic


def curve_power(curve: PowerCurveV2, processes: float, bandwidth: float) -> float:
    """Return the power of a node by its power curve, in W.

    Parameters
    ----------
    curve : PowerCurveV2
        Its figures.
    processes : float
        Tasks in the node, >= 0, those that have ended but keep their cores among them.
    bandwidth : float
        Bytes a second that its running tasks ask of memory, together.

    Notes
    -----
    pidle without tasks, else p00 + p10 Q + p20 Q^2 + p01 N + p02 N^2 + p11 Q N with Q in GB/s. A fit is no
    law: far from where it was made it can fall below 0, which counts as 0.
    Source: public code of IRMASim 0.1, modelV2.
    """
    if not processes:
        return curve.pidle
    q, n = bandwidth / BYTES_PER_GB, processes
    fitted = curve.p00 + q * (curve.p10 + q * curve.p20) + n * (curve.p01 + n * curve.p02) + curve.p11 * q * n
    return max(0.0, fitted)


def node_power(
    node: Node, dynamic: Sequence[float | None], *, processes: float = 0.0, bandwidth: float = 0.0
) -> float:
    """Return the power of a node that is on, in W: its own and that of its processors, or its curve's.

    Parameters
    ----------
    node : Node
        Which.
    dynamic : sequence of float or None
        For each of its processors the additional power of its held cores, see `processor_power`.
    processes, bandwidth : float, default 0
        As of `curve_power`; only a node with a power curve needs them.

    Notes
    -----
    Cost: O(processors of the node).
    """
    if node.power_curve is not None:
        return curve_power(node.power_curve, processes, bandwidth)
    draws = (processor_power(part, held) for part, held in zip(node.processors, dynamic, strict=True))
    return node.power + sum(draws)


def idle_power(node: Node) -> float:
    """Return the power of a node that is on without held cores, in W."""
    return node_power(node, [None] * len(node.processors))


def says_power(hardware: Hardware) -> bool:
    """Return whether a machine has any power above 0; otherwise its energy is unknown, not 0."""
    return any(
        node.power > 0
        or node.power_curve is not None
        or any(
            processor.static_power > 0 or any(core.dynamic_power > 0 for core in processor.cores)
            for processor in node.processors
        )
        for node in {id(node): node for node in hardware.nodes}.values()
    )
