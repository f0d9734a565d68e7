"""Check the declarations of a scheduler against its behavior in runs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.engine.queue.look_ahead import unsupported_reason
from echelon.engine.reference import simulate
from echelon.engine.system_model import tree_of_sites
from echelon.errors import EchelonError
from echelon.model import Instance, Platform
from echelon.policies import (
    Capabilities,
    Information,
    Planned,
    Preempt,
    Reserve,
    capabilities,
    declared_capabilities,
)
from echelon.policies.contract import Running
from echelon.testing.finding import Finding
from echelon.testing.runs import run, where

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from echelon.engine.contract import Scenario
    from echelon.model import Job
    from echelon.policies import GridView
    from echelon.policies.broker.contract import GridState
    from echelon.policies.contract import Decision, Scheduler, SystemView

_AHEAD = {"availability", "earliest_start", "head_start", "may_start", "planned_end", "shadow"}
"""Parts of a view that depend on planned ends of running jobs or on reservations, and these ends."""


def find_misdeclaration(scheduler: Scheduler) -> Finding | None:
    """Return the finding on declarations that no run can read, if there are any."""
    try:
        capabilities(scheduler)
    except EchelonError as error:
        return Finding("capabilities", False, str(error))
    return None


def check_capabilities(scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    """Yield the findings on the declarations of the policy of `scenarios`, which all run to their end.

    A declaration that a run contradicts is a fault. A declaration without contradiction is not proved.
    """
    scheduler = scenarios[0].policy.scheduler
    declared, own_capabilities = declared_capabilities(scheduler), capabilities(scheduler)
    seen = _Seen(scheduler)
    for scenario in scenarios:
        run(replace(scenario, policy=replace(scenario.policy, scheduler=seen)))
    faults = [
        *seen.faults(own_capabilities, declared),
        *(_find_unpredicted(scenarios) if own_capabilities.predictable else ()),
    ]
    declarations = (
        ", ".join(f"{name}={value}" for name, value in declared.items()) or "nothing, so the defaults hold"
    )
    yield Finding("capabilities", not faults, "; ".join(faults) or f"declares {declarations}")
    if seen.preempts and not own_capabilities.preempts and "preempts" not in declared:
        sentence = (
            "preempts jobs, which tasks that share cores and jobs in several clusters do not support; "
            "declare preempts = True to be rejected before the run"
        )
        yield Finding("preempts", False, sentence, required=False)


class _Seen:
    """A scheduler whose decisions and queries are recorded."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self.name = scheduler.name
        self.preempts = self.overtakes = self.leaves_fitting = False
        self.asked: set[str] = set()

    def decide(self, view: SystemView) -> Iterator[Decision]:
        queue = list(view.queue)
        for decision in self._scheduler.decide(_SeenView(view, self.asked)):
            self.preempts |= isinstance(decision, Preempt)
            if isinstance(decision, Reserve):
                self.asked.add("Reserve")
            yield decision
        left = {job.position for job in view.queue}
        waits = [job.position in left for job in queue]
        self.overtakes |= any(waits) and not all(waits[waits.index(True) :])
        self.leaves_fitting |= any(view.fits(job) for job in view.queue)

    def faults(self, own: Capabilities, declared: dict[str, bool]) -> Iterator[str]:
        """Yield each declaration that does not hold."""
        ahead = sorted(self.asked & {*_AHEAD, "Reserve"})
        overtakes = self.overtakes and not own.overtakes
        leaves = self.leaves_fitting and own.starts_all_that_fit
        for name, broken, what in (
            ("preempts", self.preempts and declared.get("preempts") is False, "preempts jobs"),
            ("overtakes", overtakes, "lets a job start while an earlier one waits"),
            ("starts_all_that_fit", leaves, "leaves fitting jobs waiting"),
            ("looks_ahead", bool(ahead) and not own.looks_ahead, f"uses {', '.join(ahead)}"),
            ("plans", "availability" in self.asked and not own.plans, "plans jobs in availability()"),
        ):
            if broken:
                yield f"declares {name}={getattr(own, name)}, but {what}"


class _SeenView:
    """A view that records its queries."""

    def __init__(self, view: SystemView, asked: set[str]) -> None:
        self._view, self._asked = view, asked

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  (whatever a view answers)
        self._asked.add(name)
        attribute = getattr(self._view, name)
        if name != "running":
            return attribute
        return tuple(_observe_running(one, self._asked) for one in attribute)


class _SeenRunning(Running):
    """A running job that records when its planned end is read."""

    asked: set[str]

    @property
    def planned_end(self) -> float:
        self.asked.add("planned_end")
        return self[0]


def _observe_running(running: Running, asked: set[str]) -> _SeenRunning:
    seen = _SeenRunning(*running)
    seen.asked = asked
    return seen


def _find_unpredicted(scenarios: Iterable[Scenario]) -> list[str]:
    """Return where the actual schedule differs from that predicted at the last submission."""
    for scenario in scenarios:
        if scenario.cycles != "instant" or scenario.learns:
            continue
        if unsupported_reason(scenario, scenario.policy):
            continue
        old = scenario.instance
        instance = Instance.of(old.workload, Platform.of_sizes((old.processors,)), estimates="exact")
        broker = _LooksAhead(len(instance) - 1)
        try:
            came = simulate(replace(scenario, instance=instance, system_model=tree_of_sites(broker)))
        except EchelonError as error:
            return [str(error)]
        for planned in broker.plan:
            position = planned.job.position
            if not np.isclose(came.start_time[position], planned.start, rtol=0, atol=1e-6):
                return [
                    f"declares predictable=True, but {where(came, position)} starts at "
                    f"{came.start_time[position]:g} s, not at {planned.start:g} s as predicted"
                ]
    return []


class _LooksAhead:
    """A broker of one site that stores the planned schedule at the last submission."""

    name = "looks ahead"
    information = Information.SCHEDULES
    grid_state: GridState = "actual"

    def __init__(self, last: int) -> None:
        self._left = last
        self.plan: Sequence[Planned] = ()

    def choose(self, job: Job, view: GridView) -> int:
        if not self._left:
            self.plan = view.schedule(0, job)
        self._left -= 1
        return 0
