"""Expected run time: how long a job takes on average on nodes that fail, by its checkpoints."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.errors import InputError

if TYPE_CHECKING:
    from echelon.availability.checkpoints.checkpoint import Checkpoint


def expected_time(work: float, checkpoint: Checkpoint, mtbf: float, downtime: float = 0.0) -> float:
    """Return the expected time from the first start of a job to its end, if failures are exponential.

    Parameters
    ----------
    work : float
        Run time without failures and checkpoints, in seconds, > 0.
    checkpoint : Checkpoint
        Interval, cost and restart.
    mtbf : float
        Mean seconds between failures of the job, > 0: that of a node divided by its nodes.
    downtime : float, default 0
        Seconds from a failure until the job starts again, >= 0, during which nothing fails.

    Returns
    -------
    float
        Seconds, >= the length without failures; infinity where it is larger than numbers can be.

    Raises
    ------
    InputError
        If a number is out of its range.

    Notes
    -----
    A segment is the work between two checkpoints and the checkpoint that ends it, or the last work. Until a
    segment of w seconds is through there are ``a = exp(w / mtbf) - 1`` failures on average, which cost
    ``a mtbf`` seconds of work, done or lost. After each one the job waits for `downtime` and restarts, which
    fails ``r = exp(restart / mtbf) - 1`` times itself: ``downtime + (mtbf + downtime) r`` seconds.
    """
    _check(work, mtbf, downtime)
    segments = checkpoint.checkpoints(work)
    if math.isinf(mtbf):
        return checkpoint.length(work, again=False)
    failures = _failures(work - segments * checkpoint.interval if segments else work, mtbf)
    if segments:
        failures += segments * _failures(checkpoint.interval + checkpoint.cost, mtbf)
    again = downtime + (mtbf + downtime) * _failures(checkpoint.restart, mtbf)
    return failures * (mtbf + again)


def daly_time(work: float, checkpoint: Checkpoint, mtbf: float) -> float:
    """Return Daly's total time of a job: ``mtbf exp(R / mtbf) (exp((i + C) / mtbf) - 1) work / i``.

    It is the expected time without downtime where every segment, also the last, is an interval i and a
    checkpoint C, and every segment pays the restart R: the model by which his interval is the best.

    Parameters
    ----------
    work, checkpoint, mtbf
        As of `expected_time`; the interval is finite.

    Returns
    -------
    float
        Seconds; infinity where it is larger than numbers can be.

    Raises
    ------
    InputError
        If a number is out of its range.

    Notes
    -----
    J. T. Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps", Future
    Generation Computer Systems 22(3), 2006.
    """
    _check(work, mtbf, 0.0)
    if math.isinf(checkpoint.interval):
        raise InputError("must be finite in Daly's model, got inf", field="checkpoint")
    segments = work / checkpoint.interval
    if math.isinf(mtbf):
        return work + segments * checkpoint.cost
    failures = _failures(checkpoint.interval + checkpoint.cost, mtbf)
    return mtbf * (1 + _failures(checkpoint.restart, mtbf)) * failures * segments


def _check(work: float, mtbf: float, downtime: float) -> None:
    """Refuse what is not a time."""
    if not 0 < work < math.inf:
        raise InputError(f"must be a number > 0, got {work}", field="work")
    if not mtbf > 0:
        raise InputError(f"must be > 0, got {mtbf}", field="checkpoint-mtbf")
    if not 0 <= downtime < math.inf:
        raise InputError(f"must be a number >= 0, got {downtime}", field="downtime")


def _failures(seconds: float, mtbf: float) -> float:
    """Return how many failures there are on average until so many seconds pass without one."""
    try:
        return math.expm1(seconds / mtbf)
    except OverflowError:
        return math.inf
