"""Shaking: submit times moved a little at random, to see how much of a result hangs on the exact ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model.streams import stream
from echelon.quantities import is_whole
from echelon.workloads.transform.moving import move_submissions
from echelon.workloads.transform.record import record_transform

if TYPE_CHECKING:
    from echelon.model import Workload

SHAKEN_BY = 30
"""Most seconds that a submit time is moved by unless more are asked for: less than a user notices."""


def shake(workload: Workload, seconds: int = SHAKEN_BY, *, seed: int = 0) -> Workload:
    r"""Return the jobs with each submit time moved at random: :math:`\max(0, s + u)`, u from -d to d.

    Parameters
    ----------
    workload : Workload
        In any order.
    seconds : int, default 30
        d, the most that a submit time is moved by, either way, in s, >= 1.
    seed : int, default 0
        Of the random stream ``"shake"``, >= 0: each seed gives another workload.

    Returns
    -------
    Workload
        Every job has its own u, all whole numbers from -d to d equally likely, so that whole seconds stay
        whole. Rows stay in their order, also where the order of submission changes. Jobs without a submit
        time (negative) are left as they are.

    Raises
    ------
    InputError
        If `seconds` is no whole number >= 1, or `seed` is negative.

    Notes
    -----
    Run a policy on many shaken copies of a log and take the mean: what is left of a difference is not an
    accident of the log's exact times. The copies are hardly different logs; that a result holds for all of
    them says nothing of other logs. Think times and other delays after predecessors stay. Cost: O(n).

    Source: Tsafrir, Ouaknine and Feitelson, MASCOTS 2007, whose method is to run under many small
    perturbations of the input. That submit times are moved, uniformly, and by how much, is chosen here.
    """
    if not is_whole(seconds) or seconds < 1:
        raise InputError(f"must be a whole number of seconds >= 1, got {seconds!r}", field="seconds")
    noise = stream(seed, "shake").integers(-seconds, seconds, len(workload), endpoint=True)
    submit = workload.submit_time
    shaken = np.where(submit >= 0, np.maximum(submit + noise, 0.0), submit)
    return record_transform(
        move_submissions(workload, shaken),
        f"submit times shifted at random by up to {seconds} s, seed {seed}",
    )
