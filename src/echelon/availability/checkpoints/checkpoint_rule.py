"""CheckpointRule: how a run is asked for checkpoints, and which ones a job of so many nodes then writes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from echelon.availability.checkpoints.checkpoint import Checkpoint
from echelon.availability.checkpoints.intervals import INTERVALS
from echelon.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from echelon.availability.exposure import Exposure

NO_CHECKPOINTS = "none"
"""The word for jobs that write none, but pay for restarts."""

CHECKPOINT_CHOICES = (*INTERVALS, NO_CHECKPOINTS)
"""What can be asked for instead of an interval in seconds."""


@dataclass(frozen=True, slots=True)
class CheckpointRule:
    """Which checkpoints jobs write, by the number of their nodes: larger jobs fail more often.

    Parameters
    ----------
    interval : {"young", "daly", "optimal", "none"} or float, default "daly"
        The formula by which each job's interval follows from its own time between failures, or seconds of
        work between checkpoints of all jobs, > 0. ``none``: jobs write no checkpoint.
    cost : float, default 0
        Seconds that a checkpoint takes, >= 0; > 0 for a formula.
    restart : float, default 0
        Seconds before work resumes in an attempt after a failure, >= 0.
    mtbf : float, optional
        Mean seconds between failures of a job, > 0, whatever its number of nodes. Default: by `exposure`,
        else `node_mtbf` divided by the number of nodes of the job.
    node_mtbf : float, optional
        Mean seconds between failures of one node, > 0, where each node fails by itself. Default: not known.
    exposure : Exposure, optional
        How often failures hit a job by the number of its nodes: by the law of failures, or measured from
        outages. Default: not known.

    Raises
    ------
    UnknownNameError, InputError
        If the word is unknown or a number is out of its range.
    """

    interval: str | float = "daly"
    cost: float = 0.0
    restart: float = 0.0
    mtbf: float | None = None
    node_mtbf: float | None = None
    exposure: Exposure | None = None

    def __post_init__(self) -> None:
        if isinstance(self.interval, str) and self.interval not in CHECKPOINT_CHOICES:
            raise UnknownNameError("rule for checkpoints", self.interval, (*CHECKPOINT_CHOICES, "SECONDS"))
        # Its costs, and an interval in seconds, are refused where they are used.
        Checkpoint(math.inf if isinstance(self.interval, str) else self.interval, self.cost, self.restart)
        for name, value in (("checkpoint-mtbf", self.mtbf), ("node_mtbf", self.node_mtbf)):
            if value is not None and not value > 0:
                raise InputError(f"must be > 0, got {value}", field=name)
        if self.is_formula and not self.cost > 0:
            raise InputError(
                f"must be > 0 for the interval {self.interval!r}, got {self.cost:g}: free checkpoints have "
                "no best interval; give their cost, or an interval in seconds",
                field="checkpoint-cost",
            )

    @property
    def is_formula(self) -> bool:
        """Whether intervals follow from the time between failures."""
        return self.interval in INTERVALS

    @property
    def needs_exposure(self) -> bool:
        """Whether no interval can be worked out before it is known how often failures hit a job."""
        return self.is_formula and self.mtbf is None and self.node_mtbf is None and self.exposure is None

    def with_exposure(self, exposure: Exposure) -> CheckpointRule:
        """Return the rule for jobs that are hit by failures so often."""
        return replace(self, exposure=exposure)

    def job_mtbf(self, nodes: int) -> float:
        """Return the mean seconds between failures that hit a job of so many nodes, >= 1; infinity: never.

        Raises
        ------
        InputError
            If it is not known.
        """
        if self.mtbf is not None:
            return self.mtbf
        if self.exposure is not None:
            rate = self.exposure.rate(nodes)
            return 1 / rate if rate > 0 else math.inf
        if self.node_mtbf is None:
            raise InputError(
                f"is needed for the interval {self.interval!r}: how often nodes fail is not known here; give "
                "the mean seconds between failures of a job, or an interval in seconds",
                field="checkpoint-mtbf",
            )
        return self.node_mtbf / nodes

    def of(self, nodes: int) -> Checkpoint:
        """Return the checkpoints of a job of so many nodes, >= 1.

        Raises
        ------
        InputError
            If the interval follows from the time between failures, and that is not known.
        """
        return _checkpoint(self, nodes)


@lru_cache(maxsize=65536)
def _checkpoint(rule: CheckpointRule, nodes: int) -> Checkpoint:
    """Return the checkpoints of a job, worked out once for each number of nodes."""
    if isinstance(rule.interval, str):
        formula = INTERVALS.get(rule.interval)
        seconds = math.inf if formula is None else formula(rule.cost, rule.job_mtbf(nodes))
    else:
        seconds = rule.interval
    return Checkpoint(seconds, rule.cost, rule.restart)
