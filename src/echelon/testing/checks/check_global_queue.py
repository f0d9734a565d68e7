"""Check a user's own global queue: whether it dispatches every job, and is deterministic."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.system_model import TreeOfSites, tree_of_sites
from echelon.model import Schedule
from echelon.model.schedules.features import there
from echelon.policies.global_queue import Deliver, format_global_queue, global_queue
from echelon.testing.finding import Check, Finding
from echelon.testing.multiclusters import random_cluster_case
from echelon.testing.runs import repeat_runs, run, run_all

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.engine.contract import Scenario
    from echelon.policies.global_queue import GlobalQueueRule, GlobalQueueView, Handing

_CASES = 8
_LIMITS = (None, 1, 0)


def check_global_queue(rule: str | GlobalQueueRule, *, seed: int = 0) -> Check:
    """Check a rule of the global queue in the reference engine, on small multiclusters.

    Parameters
    ----------
    rule : str or GlobalQueueRule
        A spec (``"requests:copies=2"``, ``"my.py:Rule"``) or the rule itself.
    seed : int, default 0
        Seed of the jobs, clusters and owners; equal seeds check the same.

    Returns
    -------
    Check
        The findings. A violation is a finding, not an exception.

    Raises
    ------
    InputError, UnknownNameError
        If `rule` is not a global queue, or its file cannot be loaded.

    Notes
    -----
    Checked, without a limit of the clusters' queues and with limits of 1 and 0: every job is dispatched once,
    to a cluster that can hold it; the same seed gives the same schedule; a run has no effect on later runs;
    other job numbers give the same schedule. Notes: whether it respects the limits, which are not enforced;
    how many jobs start at another time or place than under ``fcfs``.

    Cost: some hundred simulations of up to 20 jobs; a few seconds.
    """
    checked = global_queue(rule)
    return Check("global queue", format_global_queue(checked), tuple(_findings(checked, seed)))


def _scenarios(rule: GlobalQueueRule | str, seed: int) -> list[Scenario]:
    # Owners that never leave could keep jobs waiting forever under any rule.
    cases = [random_cluster_case(_CASES * seed + k, forever=False) for k in range(_CASES)]
    return [
        case.scenario(upper=rule, limit=limit, broker="tat", seed=seed) for case in cases for limit in _LIMITS
    ]


def _findings(rule: GlobalQueueRule, seed: int) -> Iterator[Finding]:
    scenarios = _scenarios(rule, seed)
    asked = _Asked(rule)
    asking = [replace(scenario, system_model=_with_rule(scenario, asked)) for scenario in scenarios]
    schedules = yield from run_all("runs", asking, "every job is dispatched to a cluster that can hold it")
    if not schedules:
        return
    yield from repeat_runs(schedules, scenarios)
    yield Finding("limits", not asked.refused, asked.sentence, required=False)
    yield _use(schedules, [run(scenario) for scenario in _scenarios("fcfs", seed)])


def _with_rule(scenario: Scenario, rule: GlobalQueueRule) -> TreeOfSites:
    assert isinstance(scenario.system_model, TreeOfSites)
    return tree_of_sites(
        scenario.system_model.broker, rules=replace(there(scenario.multicluster), global_queue=rule)
    )


def _use(schedules: Sequence[Schedule], plain: Sequence[Schedule | str]) -> Finding:
    moved = sum(
        int(np.count_nonzero((mine.start_time != other.start_time) | (mine.site != other.site)))
        for mine, other in zip(schedules, plain, strict=True)
        if isinstance(other, Schedule)
    )
    jobs = sum(len(mine.start_time) for mine in schedules)
    sentence = f"{moved} of {jobs} jobs start at another time or in another cluster than under fcfs"
    return Finding("use", moved > 0, sentence, required=False)


@dataclass(slots=True)
class _Asked:
    """A rule whose dispatches are counted, including those to full queues."""

    rule: GlobalQueueRule
    handed: int = 0
    refused: int = 0

    @property
    def name(self) -> str:
        return self.rule.name

    @property
    def sentence(self) -> str:
        return f"{self.refused} of {self.handed} jobs are sent to queues whose limit rejects them"

    def dispatch(self, view: GlobalQueueView) -> Iterator[Handing]:
        for handing in self.rule.dispatch(view):
            if isinstance(handing, Deliver):
                self.handed += 1
                able = handing.site in view.able(handing.job)
                self.refused += able and not view.accepts(handing.job, handing.site)
            yield handing
