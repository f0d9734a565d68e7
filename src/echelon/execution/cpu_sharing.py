"""CPU sharing: how the tasks of a shared node share its processors, by count or by use."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

if TYPE_CHECKING:
    from collections.abc import Iterable

CpuSharing: TypeAlias = Literal["count", "use"]
"""How tasks share the processors of a node.

``count``: every task there gets the same share of the time in which it computes, independent of the others.
``use``: a task demands the share of a processor that it uses alone on the node, and the processors are
divided max-min fair: no task gets more than its demand, all tasks that get less get the same amount, and
nothing is left over while a task gets less than its demand.
"""

CPU_SHARINGS: tuple[str, ...] = get_args(CpuSharing)


def cpu_use(compute: float, communication: float, power: float) -> float:
    """Return the share of a processor that a task uses alone on a node, 0 to 1.

    Parameters
    ----------
    compute, communication : float
        T^p and T^c on a dedicated node of full power, in seconds, >= 0.
    power : float
        Relative power P of the node: there it computes for T^p / P, above 0 to 1.
    """
    return compute / (compute + power * communication) if compute > 0 else 0.0


def fair_level(uses: Iterable[float], processors: float) -> float:
    """Return the largest processor share of any task of a node; infinity if all demands are satisfied.

    Parameters
    ----------
    uses : iterable of float
        Demand of each task there, in processors, 0 to 1, in any order.
    processors : float
        Processors that the tasks may use together, >= 0.

    Returns
    -------
    float
        The level L: a task that demands u gets min(u, L). 0 if there is nothing to share.

    Notes
    -----
    **Cost**: O(n log n). **Source**: max-min fairness, Bertsekas & Gallager, Data Networks, 1992, 6.5.2.
    """
    asked = sorted(uses)
    if processors <= 0:
        return 0.0
    left, others = processors, len(asked)
    for use in asked:
        if use * others > left:
            return left / others
        left -= use
        others -= 1
    return math.inf


def slowdown_by_use(compute: float, communication: float, *, level: float, power: float) -> float:
    """Return SP, >= 1 or infinity, of a task on a node whose tasks get at most `level` of a processor.

    A task that gets g of a processor but demands u > g takes T^p / (P g) in total, of which it communicates
    for T^c: so T^p x SP is the rest.

    Parameters
    ----------
    compute, communication : float
        T^p and T^c on a dedicated node of full power, in seconds, >= 0.
    level : float
        See `fair_level`; at 0 a job stands still, even if it only communicates.
    power : float
        Relative power P of the node, above 0 to 1.
    """
    if level <= 0:
        return math.inf
    full = 1.0 / power
    if compute <= 0:
        return full
    return max(full, 1.0 / (level * power) - communication / compute)
