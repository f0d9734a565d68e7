"""One machine that changes in kernels: which scenarios, and from arrays back to a schedule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.engine.compiled.arrays import (
    candidate_keys,
    candidate_order,
    counts_of,
    earliest_submissions,
    ranks_of,
    submissions_of,
    tied_keys,
)
from echelon.engine.compiled.dynamic_machine.inputs.closure_arrays import closing_times
from echelon.engine.compiled.dynamic_machine.inputs.course import course_of, joins_behind, reserves_starts
from echelon.engine.compiled.dynamic_machine.log.record import check_done, schedule_of
from echelon.engine.compiled.dynamic_machine.planning.plan_state import enlarge, fresh_plan
from echelon.engine.compiled.dynamic_machine.state import DONE, JOB_TYPE, LOG_FULL, fresh_state
from echelon.engine.compiled.kernel_thread import run_watched
from echelon.engine.ledger.attempt_lengths import with_checkpoints
from echelon.engine.queue.ranking import dense_ranks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.engine.compiled.dynamic_machine.planning.plan_state import Plan
    from echelon.engine.compiled.dynamic_machine.state import State
    from echelon.engine.compiled.machine.submissions import Submissions
    from echelon.engine.contract import Progress, Scenario
    from echelon.model import Schedule
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies import Order


def simulate_dynamic(scenario: Scenario, progress: Progress | None) -> Schedule:
    """Run one machine of counted processors that changes.

    Notes
    -----
    Cost: O(log n) per event, and O(processors / 32) per start at worst; for each backfilling cycle one step
    per waiting job that may start or per block of 64 that cannot. With reserved starts: O(segments of the
    profile x processors / 32) per reservation that is made, and per reservation whenever a job ends early.
    """
    instance, closed = scenario.instance, closing_times(scenario)
    planned = with_checkpoints(scenario)
    (jobs, ahead), submissions = jobs_of(planned), submissions_of(instance, np.arange(len(instance)))
    state = fresh_state(len(instance), instance.processors, course_of(scenario, closed))
    state.machine["ahead"] = ahead
    reserved = None
    if reserves_starts(scenario.policy.scheduler):
        plan = _plan_of(scenario)
        reserved = plan.before
        state = _run_reserving(state, plan, jobs, submissions, progress)
    else:
        state = _run(state, jobs, submissions, progress)
    check_done(scenario, jobs, state)
    counts = counts_of(state.machine, "events", "passes", "examined", "failures")
    return schedule_of(scenario, jobs, state, counts, reserved)


def _run(state: State, jobs: NDArray[Any], submissions: Submissions, progress: Progress | None) -> State:
    """Run the kernel, with a larger log whenever that is full; return the state then."""
    from echelon.engine.compiled.dynamic_machine.run import run, run_on_hosts

    def call() -> int:
        why: int = (run_on_hosts if state.by_host else run)(state, jobs, submissions)
        return why

    while run_watched(call, state.watch, len(jobs), progress) == LOG_FULL:
        state = _lengthen_log(state)
    return state


def _run_reserving(
    state: State, plan: Plan, jobs: NDArray[Any], submissions: Submissions, progress: Progress | None
) -> State:
    """Run the kernel that reserves starts, with a larger log or plan whenever that is full."""
    from echelon.engine.compiled.dynamic_machine.planning.reserving_run import run

    def call() -> int:
        why: int = run(state, plan, jobs, submissions)
        return why

    while (why := run_watched(call, state.watch, len(jobs), progress)) != DONE:
        if why == LOG_FULL:
            state = _lengthen_log(state)
        else:
            waiting = int(state.queue.totals["entries"][0])
            plan = enlarge(plan, waiting, int(state.machine["processors"][0]))
    return state


def _plan_of(scenario: Scenario) -> Plan:
    """Return the plan before the first event."""
    instance, scheduler = scenario.instance, scenario.policy.scheduler
    # Not a number stands for the threshold that adapts.
    threshold = getattr(scheduler, "threshold", 1.0)
    return fresh_plan(
        len(instance),
        instance.processors,
        limit=min(getattr(scheduler, "reservations", len(instance)), len(instance)),
        threshold=np.nan if threshold == "adaptive" else threshold,
    )


def _lengthen_log(state: State) -> State:
    return state._replace(
        attempts=_longer(state.attempts, rows := int(state.machine["attempts"][0])),
        saved=_longer(state.saved, rows) if state.machine["saves"][0] else state.saved,
        expiries=_longer(state.expiries, int(state.machine["n_expiries"][0])),
        intervals=_longer(state.intervals, int(state.machine["intervals"][0])),
    )


def _longer(log: NDArray[Any], used: int) -> NDArray[Any]:
    """Return a log half as long again, with the rows used so far."""
    longer = np.empty(len(log) + len(log) // 2, dtype=log.dtype)
    longer[:used] = log[:used]
    return longer


def jobs_of(scenario: Scenario) -> tuple[NDArray[Any], float]:
    """Return the jobs as records, by position, and by how much candidates go ahead; see `_keys`."""
    instance, tied = scenario.instance, joins_behind(scenario)
    jobs = np.zeros(len(instance), dtype=JOB_TYPE)
    jobs["submit"], jobs["run"] = earliest_submissions(instance), instance.run_time
    jobs["planned"], jobs["size"] = instance.planned_time, instance.size
    jobs["key"], jobs["candidate"], ahead = _keys(scenario, tied=tied)
    jobs["killed"], jobs["row"], jobs["status"] = instance.killed, -1, -1
    return jobs, ahead


def _keys(
    scenario: Scenario, *, tied: bool
) -> tuple[FloatColumn | IntColumn, FloatColumn | IntColumn, float]:
    """Return what the queue and the candidates are sorted by, and by how much less jobs go first.

    Among candidates of one size those go first whose reservation is on, if they are in the order of the queue
    else; 0: they do not. Keys made when jobs join leave room for many more joins than there are jobs.
    """
    order, scheduler, ahead = scenario.policy.order, scenario.policy.scheduler, 0.0
    by_size = getattr(scheduler, "fit", "") == "best-fit"
    if not tied:
        rank = ranks_of(scenario, order)
        columns = rank, candidate_keys(scenario, rank)
    else:
        columns = _levels(scenario, order), _levels(scenario, candidate_order(scenario))
    if by_size and getattr(scheduler, "candidates", None) is None:
        # Of each size there is room for all of them twice: for those that go first, and for the others.
        each = int(columns[0].max(initial=0)) + 1
        columns = columns[0], 2 * each * dense_ranks(-scenario.instance.size) + each + columns[0]
        ahead = float(each)
    elif by_size and tied:
        columns = columns[0], dense_ranks(-scenario.instance.size, columns[1])
    if not tied:
        return *columns, ahead
    widest = 2.0 ** np.floor(50 - np.log2(max(int(column.max(initial=0)) for column in columns) + 2))
    queue, candidates = (column * widest for column in columns)
    return queue, candidates, ahead * float(widest)


def _levels(scenario: Scenario, order: Order) -> IntColumn:
    """Return a number for each job that is equal for those whose order only their joining decides."""
    return tied_keys(scenario, order) // len(scenario.instance)
