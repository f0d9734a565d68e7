"""Slowdowns of parallel jobs on time-shared nodes, and the time that is left to them: equations 3.1 to 3.12.

Algorithm 3.1 is `assigned_shares`; the form for jobs in several clusters (4.10 to 4.16) is `SpanningProblem`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn, IntColumn


def effective_power(power: FloatColumn, processors: FloatColumn, tasks: IntColumn) -> FloatColumn:
    """Return Gamma = P x A of each node: what it gives to each of so many parallel tasks, 0 to 1.

    Parameters
    ----------
    power : FloatColumn, shape (n_nodes,)
        Relative power P, above 0 to 1.
    processors : FloatColumn, shape (n_nodes,)
        Left by the owner and the social contract, >= 0.
    tasks : IntColumn, shape (n_nodes,)
        Parallel tasks in each node, including the task in question, >= 1.

    Notes
    -----
    **Source**: M-CISNE thesis, equation 3.2; that A is a fair share (see `availability`) is ours.
    """
    return power * np.minimum(1.0, processors / tasks)


def processing_slowdown(gamma: FloatColumn) -> float:
    """Return SP, >= 1 or infinity, of a job on nodes of this effective power: its slowest node sets it.

    Notes
    -----
    **Source**: M-CISNE thesis, equations 3.3 and 3.4.
    """
    slowest = float(gamma.min())
    return 1.0 / slowest if slowest > 0 else math.inf


def communication_slowdown(share: float) -> float:
    """Return SC, >= 1 or infinity, of a job that is assigned this share of the bandwidth it needs.

    Notes
    -----
    **Source**: M-CISNE thesis, equation 3.5.
    """
    return 1.0 / share if share > 0 else math.inf


def execution_time(compute: float, communication: float, *, processing: float, crossing: float) -> float:
    """Return T = T^p x SP + T^c x SC, in seconds, or infinity.

    Parameters
    ----------
    compute, communication : float
        T^p and T^c on dedicated nodes, of the whole job or of what is left of it, in seconds, >= 0.
    processing, crossing : float
        SP and SC, >= 1. A job with work left stands still if one of its nodes gives it nothing (SP is
        infinite), even if it only communicates. An SC of what never communicates counts for nothing.

    Notes
    -----
    **Source**: M-CISNE thesis, equations 3.1, 3.8 and 4.10; 3.7 and 3.10 have one slowdown for both.
    """
    if compute + communication == 0:
        return 0.0
    if processing == math.inf:
        return math.inf
    if processing == crossing:
        # Times in whole seconds stay whole, which their parts need not be.
        return (compute + communication) * processing
    return compute * processing + (communication * crossing if communication > 0 else 0.0)


def left_after(left: float, elapsed: float, *, duration: float) -> float:
    """Return the share of a job's work that is left after an interval under one state of its nodes, 0 to 1.

    Parameters
    ----------
    left : float
        At the beginning of the interval, 0 to 1.
    elapsed : float
        Length of the interval, in seconds, >= 0.
    duration : float
        What all of the job takes in that state, in seconds, > 0 or infinity.

    Notes
    -----
    Equation 3.9 takes from T^p the time spent computing and from T^c that spent communicating, and does not
    define how the interval divides. Here in proportion to T^p x SP and T^c x SC, so both shrink by one factor
    and a job's progress is one number. Equation 3.12, with one slowdown for both, is the same. **Source**:
    M-CISNE thesis, section 3.3.2.
    """
    return max(0.0, left - elapsed / duration)
