"""AttemptLengths: how long each attempt of a job takes, by the work that checkpoints have saved."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.availability.checkpoints.checkpoint import Checkpoint, Saved
from echelon.model.jobs.columns import read_only

if TYPE_CHECKING:
    from echelon.engine.contract import Scenario
    from echelon.model import Attempts, Instance
    from echelon.model.jobs.columns import FloatColumn, IntColumn

_NO_CHECKPOINT = Checkpoint()


def nodes_of(instance: Instance) -> IntColumn:
    """Return how many nodes each job takes, for its time between failures, shape (n_jobs,).

    On a machine of nodes as many as it asks for, or as few as hold its tasks on average nodes; elsewhere one
    for each processor.
    """
    hardware = instance.hardware
    if hardware is None:
        return instance.size
    each = max(1.0, hardware.cores / len(hardware.nodes))
    least = np.ceil(instance.size / each).astype(np.int64)
    demands = instance.demands
    if demands is None:
        return least
    asked = np.array([demands[position].nodes for position in range(len(instance))], dtype=np.int64)
    return np.where(asked > 0, asked, least)


def with_checkpoints(scenario: Scenario) -> Scenario:
    """Return a scenario whose run times and planned times have the checkpoints of a faultless run."""
    rule, plain = scenario.changes.checkpoint, scenario.instance
    if rule is None:
        return scenario
    nodes, work = nodes_of(plain).tolist(), plain.run_time.tolist()
    length = np.array([rule.of(n).length(each, again=False) for n, each in zip(nodes, work, strict=True)])
    planned = np.where(
        plain.planned_time == plain.run_time, length, plain.planned_time + (length - plain.run_time)
    )
    instance = replace(plain, run_time=read_only(length), planned_time=read_only(planned))
    return replace(scenario, instance=instance)


def needs_lengths(scenario: Scenario) -> bool:
    """Return whether attempts of a job may differ in length."""
    return scenario.changes.checkpoint is not None or scenario.changes.limit_per == "job"


def work_done(run_time: FloatColumn, attempts: Attempts | None) -> FloatColumn:
    """Return the run times of jobs whose attempts may differ in length: their work, where that is another."""
    if attempts is None or attempts.work is None:
        return run_time.copy()
    done = np.bincount(attempts.job[attempts.finished], minlength=len(run_time)) > 0
    work = np.bincount(attempts.job, weights=attempts.work, minlength=len(run_time))
    # Where jobs run for their run times, the sum of their work is that but for rounding.
    return np.where(done & ~np.isclose(work, run_time, rtol=1e-9, atol=1e-6), work, run_time)


class AttemptLengths:
    """The work that each job has left, and how long its next attempt takes. All times in seconds of progress.

    Parameters
    ----------
    scenario : Scenario
        The run, as it was asked for.
    """

    def __init__(self, scenario: Scenario) -> None:
        self._rule, plain = scenario.changes.checkpoint, scenario.instance
        self._nodes = nodes_of(plain) if self._rule is not None else plain.size
        self._work: FloatColumn = plain.run_time
        self._left: dict[int, float] = {}
        self._per_job = scenario.changes.limit_per == "job" and plain.estimates == "kill"
        self._used: dict[int, float] = {}
        self.instance = plain

    def _checkpoint(self, position: int) -> Checkpoint:
        return _NO_CHECKPOINT if self._rule is None else self._rule.of(int(self._nodes[position]))

    def work_left(self, position: int) -> float:
        """Return the work that a job has left when an attempt begins."""
        return self._left.get(position, float(self._work[position]))

    def work(self, position: int) -> float:
        """Return the whole work of a job."""
        return float(self._work[position])

    def safe_part(self, position: int, progress: float) -> Saved:
        """Return what is safe of the present attempt of a job if it is cut short after so much progress."""
        again = position in self._left
        return self._checkpoint(position).save_progress(progress, self.work_left(position), again=again)

    def cut(self, position: int, progress: float, held: float) -> Saved:
        """Note that a failure ends an attempt after so much progress, for which it held `held` seconds."""
        saved = self.safe_part(position, progress)
        self._left[position] = max(0.0, self.work_left(position) - saved.work)
        self._used[position] = self._used.get(position, 0.0) + held
        return saved

    def length(self, position: int) -> float:
        """Return how long the next attempt takes if it may do all that is left."""
        return self._checkpoint(position).length(self.work_left(position), again=position in self._left)

    def overhead(self, position: int) -> float:
        """Return how much of that is a restart and checkpoints."""
        return self.length(position) - self.work_left(position)

    def growth(self, position: int) -> float:
        """Return how much longer than the first attempt of a job the next one is, by its overhead."""
        work = self.work(position)
        return self.overhead(position) - (self._checkpoint(position).length(work, again=False) - work)

    def limit(self, position: int, planned: float) -> float:
        """Return the planned time of the next attempt of a job first planned with `planned`.

        It has the whole limit again, or where limits are per job what earlier attempts have left of it; the
        restart comes on top of either.
        """
        if not self._per_job:
            return planned + self.growth(position)
        restart = self._checkpoint(position).restart if position in self._left else 0.0
        return min(planned + self.growth(position), planned - self._used.get(position, 0.0) + restart)
