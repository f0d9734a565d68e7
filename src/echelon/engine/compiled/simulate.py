"""The compiled engine: which scenarios it can run, and one machine from arrays back to a schedule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numba
import numpy as np

from echelon.engine.compiled.arrays import (
    AT_RELEASE,
    CHANGING,
    REFUSAL,
    candidate_order,
    is_dependent,
    jobs_of,
    numbers_of,
    released,
    rules_of,
    submissions_of,
)
from echelon.engine.compiled.changing_orders import changing_rule
from echelon.engine.compiled.grid.simulate import simulate_grid
from echelon.engine.compiled.grid.strategies import numbers_of as broker_as_numbers
from echelon.engine.compiled.nodes.simulate import simulate_nodes, supports_nodes
from echelon.engine.compiled.peers.simulate import simulate_decentralized, supports_decentralized
from echelon.engine.compiled.watched import watched
from echelon.engine.foresight import blindness
from echelon.engine.ranking import before_release, reads_view
from echelon.errors import UnsupportedError
from echelon.model import Schedule
from echelon.policies import (
    BACKFILLS,
    Broker,
    Conservative,
    Decentralized,
    Easy,
    FirstFit,
    Information,
    NoBackfill,
    Plan,
    Selective,
    capabilities,
)

if TYPE_CHECKING:
    from echelon.engine.contract import Progress, Scenario
    from echelon.policies import Scheduler

_KINDS = (NoBackfill, FirstFit, Easy, Conservative, Plan, Selective)
_IN_PYTHON = "is a scheduler written in Python"


def supports(scenario: Scenario) -> str | None:  # noqa: PLR0911  (one line a reason)
    """Return None if the compiled engine can run `scenario`, else the reason why not.

    A user's order is tried on the first jobs to see whether it reads the view. One that reads it for a
    later job only is found out by `simulate`, which then raises `UnsupportedError`.
    """
    if not has_kernels():
        return "numba is switched off (NUMBA_DISABLE_JIT)"
    if scenario.immediate is not None:
        return "machines without queues share their cores in the reference engine only"
    if scenario.multicluster is not None:
        return "clusters of a multicluster decide in the reference engine; kernels project their queues"
    if isinstance(scenario.broker, Decentralized):
        return supports_decentralized(scenario, scenario.broker)
    if isinstance(scenario.broker, Broker) and (reason := _why_not_under(scenario.broker, scenario)):
        return reason
    scheduler = scenario.policy.scheduler
    if type(scheduler) not in _KINDS:
        return f"{scheduler.name!r} {_why_not(scheduler)}"
    if scenario.learns:
        return f"the estimator {scenario.estimator.name!r} learns while time passes"
    if scenario.observers:
        return "observers watch the reference engine only"
    if reason := _why_not_in_order(scenario):
        return reason
    return None if scenario.nodes is None else supports_nodes(scenario, scenario.nodes)


def has_kernels() -> bool:
    """Return whether numba may compile."""
    return not cast("Any", numba.config).DISABLE_JIT


def _why_not_in_order(scenario: Scenario) -> str | None:
    """Return why kernels can not sort the queue of `scenario`, or its candidates, or None if they can."""
    instance = scenario.instance
    for order in (scenario.policy.order, candidate_order(scenario)):
        if changing_rule(order):
            continue
        if reads_view(instance, order, scenario.seed):
            return CHANGING.format(order.name)
        if is_dependent(instance) and reads_view(before_release(instance), order, scenario.seed):
            return AT_RELEASE.format(order.name)
    return None


def _why_not(scheduler: Scheduler) -> str:
    if capabilities(scheduler).preempts:
        return "preempts jobs, and here they run to their end"
    return "is in the reference engine only" if type(scheduler) in BACKFILLS else _IN_PYTHON


def _why_not_under(broker: Broker, scenario: Scenario) -> str | None:
    """Return why kernels can not run `scenario` under `broker`, or None if they can."""
    if broker_as_numbers(broker) is None:
        return f"{broker.name!r} is a broker written in Python"
    if broker.information >= Information.SCHEDULES and (reason := blindness(scenario)):
        return f"{broker.name!r} needs schedules by plan, but {reason}"
    return None


def simulate(scenario: Scenario, progress: Progress | None = None) -> Schedule:
    """Run `scenario` in the compiled engine.

    Parameters
    ----------
    scenario : Scenario
        What to run.
    progress : callable, optional
        Called ten times a second with (jobs ended, jobs in all), from the calling thread.

    Returns
    -------
    Schedule
        One start a job, and on a grid its site. Its counts: ``events``, ``passes``, jobs (and blocks of
        jobs) ``examined`` by backfilling, ``segments``, the boundaries of the availability profile read or
        changed, and on a grid schedules ``foreseen``.

    Raises
    ------
    UnsupportedError
        If `supports` gives a reason.
    Cancelled
        If the person interrupts it (Ctrl-C).

    Notes
    -----
    Cost: O(log n) an event, and for each backfilling pass one step a waiting job that may start or one a
    block of 64 that can not. The kernel holds no Python lock, so runs in threads go side by side.
    """
    if reason := supports(scenario):
        raise UnsupportedError(REFUSAL.format(reason))
    broker, platform = scenario.broker, scenario.instance.platform
    if isinstance(broker, Decentralized) and platform is not None:
        return simulate_decentralized(scenario, broker, platform, progress)
    if isinstance(broker, Broker) and platform is not None:
        return simulate_grid(scenario, broker, platform, progress)
    if scenario.nodes is not None:
        return simulate_nodes(scenario, scenario.nodes, progress)
    from echelon.engine.compiled import state as names
    from echelon.engine.compiled.run import run

    instance, rank = scenario.instance, numbers_of(scenario)
    by_rank = np.empty_like(rank)
    by_rank[rank] = np.arange(len(rank))
    jobs, submissions = jobs_of(scenario, rank, by_rank), submissions_of(instance, rank)
    state = names.fresh_state(submissions.arrivals, instance.processors, rules_of(scenario, rank))
    passes = {"instant": names.INSTANT, "event": names.EVENT, "pyss": names.PYSS}[scenario.passes]
    watched(lambda: run(state, jobs, submissions, passes), state.watch, len(jobs), progress)
    start = jobs["start"][rank]
    counts = {name: int(state.machine[name][0]) for name in ("events", "passes", "examined", "segments")}
    return Schedule(released(instance, jobs["submit"][rank]), start, counts)
