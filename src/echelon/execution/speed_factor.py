"""Speed factor: the combined slowdown by memory and communication."""

from __future__ import annotations


def speed_factor(compute_share: float, memory: float, communication: float) -> float:
    """Return the factor by which a task slows down: S_f = s S_m + (1 - s) S_c.

    Parameters
    ----------
    compute_share : float
        Share s of the task's time in which it computes, 0 to 1; the rest it communicates.
    memory : float
        Factor of its speed by contention for memory, S_m, 0 < S_m <= 1.
    communication : float
        Factor by contention for the network, S_c, 0 < S_c <= 1.

    Returns
    -------
    float
        S_f, 0 < S_f <= 1: operations per second are the core's speed times this factor, at every moment of
        the task.

    Notes
    -----
    Source: the thesis, section 3.4.3. It prints the formula with the two factors swapped; its own worked
    example (0.90 x 1 + 0.10 x 0.8 = 49/50, where 0.8 is the penalty of communication) and its remark that a
    compute share of 1 cancels communication need it as it stands here.

    Examples
    --------
    >>> from echelon.execution import speed_factor
    >>> speed_factor(0.9, 1.0, 0.8)
    0.98
    """
    return compute_share * memory + (1 - compute_share) * communication
