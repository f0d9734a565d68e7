"""From a decentralized scenario to arrays, through the kernel, and back to a schedule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.engine.compiled.arrays import (
    counts_of,
    earliest_submissions,
    inverse_of,
    is_dependent,
    set_submit_times,
    submissions_of,
)
from echelon.engine.compiled.kernel_thread import run_watched
from echelon.engine.tree.views.protocol_view import published_times
from echelon.model import Schedule
from echelon.policies.decentralized.exchange import CommonPool, Exchange
from echelon.policies.decentralized.stealing import Stealing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.engine.compiled.decentralized.state import KernelState
    from echelon.engine.contract import Progress, Scenario
    from echelon.model import Platform
    from echelon.model.jobs.columns import IntColumn
    from echelon.policies import Decentralized

KNOWN = (Exchange, CommonPool, Stealing)
"""The protocols that have kernels."""


def supports_decentralized(scenario: Scenario, protocol: Decentralized) -> str | None:
    """Return None if the kernels can run `scenario` under `protocol`, else the reason why not."""
    if type(protocol) not in KNOWN:
        return f"{protocol.name!r} is a protocol written in Python"
    return "observers watch the reference engine only" if scenario.observers else None


def simulate_decentralized(
    scenario: Scenario, protocol: Decentralized, platform: Platform, progress: Progress | None
) -> Schedule:
    """Run `scenario`, which is supported, on its platform without a broker.

    Returns
    -------
    Schedule
        One start and one site a job. Its counts: ``events``, ``passes``, queries of the queue ``examined``.

    Raises
    ------
    Cancelled
        If the person interrupts it (Ctrl-C).

    Notes
    -----
    Cost: a start costs O(log n), under stealing O(sites log n); a cycle that starts nothing costs O(sites log
    n), with EASY also one step for each running job and for each waiting job that fits but would delay the
    head, once until a job starts or ends there or the head changes.
    """
    from echelon.engine.compiled.decentralized.run import run
    from echelon.engine.compiled.machine.submissions import independent_submissions

    instance = scenario.instance
    homes = protocol.homes(platform.sizes, instance.size, instance.home_site)
    order = platform.by_size
    # The kernels know sites by their place by size.
    pool, position = _jobs(scenario, inverse_of(order)[homes], protocol.refresh), np.arange(len(instance))
    submissions = submissions_of(instance, position)
    if not is_dependent(instance):
        # Then the jobs can be numbered by arrival beforehand.
        pool, submissions = pool[submissions.arrivals], independent_submissions(position)
    state = _state(pool, protocol, platform)
    if is_dependent(instance):
        state = state._replace(jobs=pool.copy())
    run_watched(lambda: run(state, pool, submissions), state.watch, len(pool), progress)
    start, submit, site = np.empty(len(pool)), np.empty(len(pool)), np.empty(len(pool), dtype=np.int64)
    position = state.jobs["position"]
    start[position], submit[position], site[position] = (
        state.jobs[name] for name in ("start", "submit", "site")
    )
    counts = counts_of(state.numbers, "events", "passes", "examined")
    return Schedule(set_submit_times(instance, submit), start, counts, site=order[site], home_site=homes)


def _jobs(scenario: Scenario, homes: IntColumn, refresh: float) -> NDArray[Any]:
    """Return the jobs as records, in the instance's order."""
    from echelon.engine.compiled.decentralized.state import PEER_JOB_TYPE

    instance = scenario.instance
    jobs = np.zeros(len(instance), dtype=PEER_JOB_TYPE)
    jobs["submit"] = earliest_submissions(instance)
    jobs["run"], jobs["planned"] = instance.run_time, instance.planned_time
    jobs["published"] = published_times(instance.submit_time, refresh)
    jobs["size"], jobs["home"], jobs["position"] = instance.size, homes, np.arange(len(instance))
    jobs["start"] = np.nan
    return jobs


def _state(jobs: NDArray[Any], protocol: Decentralized, platform: Platform) -> KernelState:
    from echelon.engine.compiled.decentralized import state

    numbers = np.zeros(1, dtype=state.NUMBERS_TYPE)
    numbers["latency"], numbers["refresh"] = protocol.latency, protocol.refresh
    shapes, lists = np.zeros(0, dtype=np.int64), np.zeros((len(platform), 3, 3), dtype=np.int64)
    match protocol:
        case Stealing():
            numbers["algorithm"] = state.STEALING
            numbers["best_fit"] = protocol.fit == "best-fit"
            numbers["first_list"] = protocol.steals == "first-list"
            shapes, jobs["shape"] = np.unique(jobs["size"], return_inverse=True)
            lists = _lists(protocol, np.sort(platform.sizes), shapes)
        case Exchange():
            algorithms = {"fcfs": state.FCFS, "easy": state.EASY, "list": state.LIST}
            numbers["algorithm"] = algorithms[protocol.algorithm]
            numbers["local_first"] = 1
            numbers["takes_always"] = protocol.takes == "always"
        case _:
            numbers["algorithm"] = state.LIST
    return state.fresh_state(jobs, np.sort(platform.sizes), numbers, shapes, lists)


def _lists(protocol: Stealing, sizes: IntColumn, shapes: IntColumn) -> IntColumn:
    """Return the sets of each site as intervals of shapes, in the order in which the site considers them."""
    job_sets = protocol.job_sets(sizes.tolist())
    lists = np.zeros((len(sizes), 3, 3), dtype=np.int64)
    for site in range(len(sizes)):
        for k, name in enumerate(protocol.sets):
            interval = job_sets.interval(name, site)
            edges = (interval.start, max(interval.start, interval.stop))
            lists[site, k] = (*np.searchsorted(shapes, edges), name != "H")
    return lists
