"""From a scenario to arrays, through the kernel, and back to a schedule."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, cast

import numba
import numpy as np

from echelon.engine.compiled.changing_orders import changing_rule
from echelon.engine.compiled.peers.simulate import simulate_decentralized, supports_decentralized
from echelon.engine.ranking import ranks, reads_view
from echelon.errors import Cancelled, UnsupportedError
from echelon.model import Schedule
from echelon.policies import (
    BACKFILLS,
    PREEMPTIVE,
    Conservative,
    Decentralized,
    Easy,
    FirstFit,
    NoBackfill,
    Plan,
    Selective,
)
from echelon.policies.order.fcfs import fcfs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.engine.compiled.state import State
    from echelon.engine.contract import Progress, Scenario
    from echelon.model.columns import FloatColumn, IntColumn
    from echelon.policies import Order, Scheduler

_KINDS = (NoBackfill, FirstFit, Easy, Conservative, Plan, Selective)
_IN_PYTHON = "is a scheduler written in Python"
_WATCH_SECONDS = 0.1
_CHANGING = "the order {!r} reads the view, so its keys change with time"
_REFUSAL = "the compiled engine can not run this: {}; use engine='reference'"


def supports(scenario: Scenario) -> str | None:  # noqa: PLR0911  (one line a reason)
    """Return None if the compiled engine can run `scenario`, else the reason why not.

    A user's order is tried on the first jobs to see whether it reads the view. One that reads it for a
    later job only is found out by `simulate`, which then raises `UnsupportedError`.
    """
    if cast("Any", numba.config).DISABLE_JIT:
        return "numba is switched off (NUMBA_DISABLE_JIT)"
    if isinstance(scenario.broker, Decentralized):
        return supports_decentralized(scenario, scenario.broker)
    if scenario.broker is not None:
        return f"{scenario.broker.name!r} is in the reference engine only"
    scheduler = scenario.policy.scheduler
    if type(scheduler) not in _KINDS:
        return f"{scheduler.name!r} {_why_not(scheduler)}"
    if scenario.learns:
        return f"the estimator {scenario.estimator.name!r} learns while time passes"
    if scenario.observers:
        return "observers watch the reference engine only"
    for order in (scenario.policy.order, _candidate_order(scenario)):
        if changing_rule(order):
            continue
        if reads_view(scenario.instance, order, scenario.seed):
            return _CHANGING.format(order.name)
    return None


def _why_not(scheduler: Scheduler) -> str:
    if isinstance(scheduler, PREEMPTIVE):
        return "preempts jobs, and here they run to their end"
    return "is in the reference engine only" if type(scheduler) in BACKFILLS else _IN_PYTHON


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
        One start a job. Its counts: ``events``, ``passes``, jobs (and blocks of jobs) ``examined`` by
        backfilling, ``segments`` of the availability profile read or changed.

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
        raise UnsupportedError(_REFUSAL.format(reason))
    broker, platform = scenario.broker, scenario.instance.platform
    if isinstance(broker, Decentralized) and platform is not None:
        return simulate_decentralized(scenario, broker, platform, progress)
    rank = _fixed_ranks(scenario, scenario.policy.order)
    by_rank = np.empty_like(rank)
    by_rank[rank] = np.arange(len(rank))
    jobs, state = _jobs(scenario, rank, by_rank), _state(scenario, rank)
    _run(state, jobs, scenario, progress)
    start = np.empty(len(by_rank))
    start[by_rank] = jobs["start"]
    counts = {name: int(state.machine[name][0]) for name in ("events", "passes", "examined", "segments")}
    return Schedule(scenario.instance, start, counts)


def _fixed_ranks(scenario: Scenario, order: Order) -> IntColumn:
    """Return ranks that last: of an order that changes with time, those of its ties."""
    order = fcfs if changing_rule(order) else order
    rank = ranks(scenario.instance, order, scenario.seed)
    if rank is None:
        raise UnsupportedError(_REFUSAL.format(_CHANGING.format(order.name)))
    return rank


def _jobs(scenario: Scenario, rank: IntColumn, by_rank: IntColumn) -> NDArray[Any]:
    """Return the jobs as records, by rank."""
    from echelon.engine.compiled.state import JOB_TYPE

    instance = scenario.instance
    jobs = np.empty(len(instance), dtype=JOB_TYPE)
    jobs["submit"] = instance.submit_time[by_rank]
    jobs["run"] = instance.run_time[by_rank]
    jobs["planned"] = instance.planned_time[by_rank]
    jobs["size"] = instance.size[by_rank]
    jobs["position"] = by_rank
    jobs["candidate"] = _candidate_keys(scenario, rank)[by_rank]
    jobs["start"] = jobs["promise"] = np.nan
    if isinstance(scenario.policy.scheduler, Conservative | Selective):
        jobs["shape"] = _shapes(jobs["size"], jobs["planned"])
    return jobs


def _shapes(size: IntColumn, planned: FloatColumn) -> IntColumn:
    """Return a number for each job that only jobs of the same size and planned time share."""
    order = np.lexsort((planned, size))
    size, planned = size[order], planned[order]
    shapes = np.zeros(len(order), dtype=np.int64)
    shapes[order[1:]] = np.cumsum((size[1:] != size[:-1]) | (planned[1:] != planned[:-1]))
    return shapes


def _candidate_order(scenario: Scenario) -> Order:
    """Return the order in which backfilling candidates are tried: their own, or the queue's."""
    own = getattr(scenario.policy.scheduler, "candidates", None)
    return scenario.policy.order if own is None else own


def _candidate_keys(scenario: Scenario, rank: IntColumn) -> NDArray[Any]:
    """Return a key for each job, in the instance's order, by which backfilling candidates are tried."""
    scheduler, instance = scenario.policy.scheduler, scenario.instance
    order = _candidate_order(scenario)
    base = rank if order is scenario.policy.order else _fixed_ranks(scenario, order)
    keys = np.asarray(base, dtype=np.float64)
    if isinstance(scheduler, Easy) and scheduler.fit == "best-fit":
        largest_first = np.lexsort((keys, -instance.size))
        keys = np.empty(len(largest_first))
        keys[largest_first] = np.arange(len(largest_first))
    return keys


def _state(scenario: Scenario, rank: IntColumn) -> State:
    from echelon.engine.compiled import state
    from echelon.engine.compiled.changing_orders import order_records, traits
    from echelon.engine.compiled.reorder import MULTIFACTOR

    scheduler, n_jobs = scenario.policy.scheduler, len(scenario.instance)
    limit, own_order = 1, False
    match scheduler:
        case FirstFit():
            kind = state.FIRST_FIT
        case Easy():
            kind = state.EASY if scheduler.reservations == 1 else state.RESERVED
            limit = scheduler.reservations
            own_order = scheduler.candidates is not None or scheduler.fit == "best-fit"
        case Conservative():
            kind = state.CONSERVATIVE
        case Selective():
            kind = state.SELECTIVE
        case Plan():
            kind, limit = state.RESERVED, n_jobs
        case _:
            kind = state.NONE
    arrivals = rank[np.argsort(scenario.instance.submit_time, kind="stable")]
    orders = order_records((scenario.policy.order, _candidate_order(scenario) if own_order else None))
    fresh = state.fresh_state(
        arrivals,
        scenario.instance.processors,
        kind,
        own_order=own_order,
        limit=min(limit, n_jobs),
        orders=orders,
        traits=traits(scenario.instance, rank, orders),
        users=scenario.instance.users if (orders["rule"] == MULTIFACTOR).any() else 0,
    )
    if isinstance(scheduler, Selective):
        # Not a number stands for the threshold that adapts.
        fresh.machine["threshold"] = np.nan if scheduler.threshold == "adaptive" else scheduler.threshold
    fresh.machine["changing"] = orders["rule"].any()
    fresh.machine["accounting"] = (orders["rule"] == MULTIFACTOR).any()
    fresh.machine["best_fit"] = isinstance(scheduler, Easy) and scheduler.fit == "best-fit"
    return fresh


def _run(state: State, jobs: NDArray[Any], scenario: Scenario, progress: Progress | None) -> None:
    """Run the kernel: here if nobody waits for news, else in a thread that is watched from here."""
    from echelon.engine.compiled import state as names
    from echelon.engine.compiled.run import run

    passes = {"instant": names.INSTANT, "event": names.EVENT, "pyss": names.PYSS}[scenario.passes]
    failures: list[BaseException] = []

    def kernel() -> None:
        try:
            run(state, jobs, passes)
        except BaseException as error:  # carried to the calling thread below
            failures.append(error)

    thread = threading.Thread(target=kernel, name="echelon-kernel", daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(_WATCH_SECONDS)
            if progress is not None:
                progress(int(state.watch[0]), len(jobs))
    except KeyboardInterrupt:
        state.watch[1] = 1
        thread.join()
        raise Cancelled("stopped by the person before its end; nothing was written") from None
    if failures:
        raise failures[0]
