"""Record: from the log of a run to a schedule: attempts, their processors, and what became of each job."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.engine.compiled.arrays import set_submit_times
from echelon.engine.compiled.dynamic_machine.inputs.layout import layout_of
from echelon.engine.compiled.nodes.simulate import levels_of
from echelon.engine.ledger.attempt_lengths import with_checkpoints, work_done
from echelon.engine.system import count_of, list_of
from echelon.engine.system_model import NodeLevelMachine
from echelon.errors import DeadlockError
from echelon.model import Attempts, EndReason, Holdings, JobStatus, NumberedHoldings, Schedule
from echelon.model.jobs.columns import ranges, read_only
from echelon.model.machines.reservations import begun_by
from echelon.model.schedules.kept_jobs import schedule_without
from echelon.model.schedules.left_jobs import why_held
from echelon.model.schedules.number_sets import NumberSets
from echelon.model.schedules.status import REASONS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from numpy.typing import NDArray

    from echelon.engine.compiled.dynamic_machine.inputs.layout import Layout
    from echelon.engine.compiled.dynamic_machine.log.rows import Rows
    from echelon.engine.compiled.dynamic_machine.state import State
    from echelon.engine.contract import Scenario
    from echelon.model import Hardware, Instance
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.model.machines.reservations import Reservation


_LOSING = (EndReason.REQUEUED, EndReason.FAILED, EndReason.EVICTED)
_SAVING = (EndReason.REQUEUED, EndReason.COMPLETED, EndReason.KILLED)
"""Reasons after which the work of an attempt is lost, but for what was saved; and those where that counts."""


def schedule_of(
    scenario: Scenario,
    jobs: NDArray[Any],
    state: State,
    counts: dict[str, int],
    reserved: FloatColumn | None = None,
) -> Schedule:
    """Return the schedule of a run that is over, without the jobs that never started.

    `reserved` has the starts first reserved, in seconds, nan for jobs without one, shape (n_jobs,).

    Notes
    -----
    Cost: O(attempts + jobs + processors that all attempts held).
    """
    instance, machine, changes = _instance_of(scenario, jobs, state), state.machine, scenario.changes
    rows, status = _rows(state, len(jobs)), jobs["status"]
    attempts = attempts_of(rows, state, len(jobs))
    if saves := bool(machine["saves"][0]):
        instance = replace(instance, run_time=read_only(work_done(instance.run_time, attempts)))
    start = attempts.first_start()
    # One that is not done lacked processors.
    status = np.where(status < 0, JobStatus.UNFINISHED, status).astype(np.int8)
    schedule = Schedule(
        instance,
        start,
        counts,
        recorded=attempts if saves or machine["cuts"][0] or _are_interrupted(jobs, rows) else None,
        status=status,
        outages=changes.outages.take(np.flatnonzero(changes.outages.start <= machine["last"][0])),
        reservations=begun_by(float(machine["last"][0]), _yield_reservations(changes.reservations, state)),
        first_reserved=None if reserved is None or np.isnan(reserved).all() else reserved,
        **_holdings_of(scenario, attempts, rows),
    )
    left_out = _list_left_out(start, status)
    gone = why_held(left_out, with_checkpoints(scenario).instance, changes.reservations)
    return schedule_without(schedule, gone, interrupted=True) if gone else schedule


def check_done(scenario: Scenario, jobs: NDArray[Any], state: State) -> None:
    """Check that no job waits for a machine that has all that it will ever have.

    Raises
    ------
    DeadlockError
        If one does: reservations slide, and are always ahead.
    """
    machine, closures = state.machine[0], state.closures
    waiting = np.flatnonzero(jobs["status"] < 0)
    is_shut = (closures["start"] <= machine["last"]) & (machine["last"] < closures["end"])
    if not len(waiting) or machine["n_lasting"] or is_shut.any():
        return
    every = scenario.instance.jobs()
    left = [every[position] for position in waiting.tolist()]
    raise DeadlockError(
        f"policy {scenario.policy.scheduler.name!r}: {count_of(left)} can never start, with "
        f"{machine['free']} of {machine['processors']} processors free and no event left: "
        f"{list_of(left, 'processors')}; the calendar of maintenance and reservations never has room for as "
        "long as they are planned"
    )


def _yield_reservations(reservations: tuple[Reservation, ...], state: State) -> Iterator[Reservation]:
    """Yield the reservations as they were kept, without those that slid to the end of the run."""
    first = len(state.closures) - len(reservations)
    for number, one in enumerate(reservations, start=first):
        row = state.closures[state.place[number]]
        if not row["slide"]:
            yield replace(one, start=float(row["start"]), end=float(row["end"]))


def _instance_of(scenario: Scenario, jobs: NDArray[Any], state: State) -> Instance:
    """Return the instance with what a run shows of its jobs: when they were released, which were cut."""
    instance = set_submit_times(scenario.instance, jobs["submit"])
    # A job that missed its deadline was not cut at a limit.
    missed = (jobs["row"] >= 0) & (state.attempts["reason"][jobs["row"]] == EndReason.DEADLINE)
    killed = np.where(missed, instance.killed, jobs["killed"])
    if (killed == instance.killed).all():
        return instance
    return replace(instance, killed=read_only(killed))


def _are_interrupted(jobs: NDArray[Any], rows: Rows) -> bool:
    """Return whether some job did not run once from its start to its end."""
    as_planned = np.isin(jobs["status"], (JobStatus.COMPLETED, JobStatus.KILLED))
    return len(rows.job) != len(jobs) or not bool(as_planned.all())


def _list_left_out(start: FloatColumn, status: NDArray[np.int8]) -> dict[str, list[int]]:
    """Return the positions of the jobs that never started, by reason."""
    reasons: dict[str, list[int]] = {}
    for position in np.flatnonzero(np.isnan(start)).tolist():
        reason = REASONS[JobStatus(status[position])]
        reasons.setdefault(reason, []).append(position)
    return reasons


def _rows(state: State, n_jobs: int) -> Rows:
    """Return the log of a run in order of job, without attempts that were cut short when they began."""
    from echelon.engine.compiled.dynamic_machine.log.rows import Rows, fresh_rows, sort_by_job
    from echelon.engine.compiled.dynamic_machine.state import VOID

    rows = fresh_rows(int(state.machine["attempts"][0]), int(state.machine["intervals"][0]))
    sort_by_job(state.attempts, state.intervals, np.zeros(n_jobs + 1, dtype=np.int64), rows)
    kept = np.flatnonzero(rows.reason != VOID)
    if len(kept) == len(rows.job):
        return rows
    sets = NumberSets(rows.offsets, rows.low, rows.high).take(kept)
    order, job, start, end, reason = (column[kept] for column in rows[:5])
    return Rows(order, job, start, end, reason, *sets)


def _holdings_of(scenario: Scenario, attempts: Attempts, rows: Rows) -> dict[str, Any]:
    """Return what each attempt held: processors by number, or cores; there also when each job ended."""
    layout = layout_of(scenario)
    if layout is None:
        kept = np.flatnonzero(attempts.start < attempts.end)
        return {"numbered": _number_holdings(attempts, rows, kept)}
    return {
        "numbered": _number_holdings(attempts, rows, np.zeros(0, dtype=np.int64)),
        "holdings": _core_holdings(scenario, attempts, rows, layout),
        "end": read_only(attempts.last_end()),
    }


def _number_holdings(attempts: Attempts, rows: Rows, kept: IntColumn) -> NumberedHoldings:
    """Return which processors the attempts in the rows `kept` held."""
    sets = NumberSets(rows.offsets, rows.low, rows.high)
    job, site, start, end = attempts.job, attempts.site, attempts.start, attempts.end
    if len(kept) < len(start):
        job, site, start, end, sets = job[kept], site[kept], start[kept], end[kept], sets.take(kept)
    return NumberedHoldings(attempts.n_jobs, job, site, start, end, sets)


def attempts_of(rows: Rows, state: State, n_jobs: int) -> Attempts:
    """Return the attempts of a run.

    They say what was work and what overhead if any was cut short, or may have been saved.
    """
    nowhere = np.broadcast_to(np.int64(-1), len(rows.job))
    columns = rows.job, nowhere, rows.start, rows.end, rows.reason
    saves = bool(state.machine["saves"][0])
    if not saves and not state.machine["cuts"][0]:
        return Attempts(n_jobs, *columns)
    # A user who cancels a job has lost nothing by it.
    work, overhead = rows.end - rows.start, np.zeros(len(rows.job))
    work[_is_one_of(rows.reason, _LOSING)] = 0.0
    if saves:
        safe, saved = _is_one_of(rows.reason, _SAVING), state.saved[rows.order]
        work = np.where(safe, saved["work"], work)
        overhead = np.where(safe, saved["overhead"], overhead)
    return Attempts(n_jobs, *columns, work=work, overhead=overhead)


def _is_one_of(reason: NDArray[np.int8], reasons: Collection[EndReason]) -> NDArray[np.bool_]:
    """Return whether each reason is one of these."""
    table = np.zeros(len(EndReason), dtype=np.bool_)
    table[list(reasons)] = True
    return table[reason]


def _core_holdings(scenario: Scenario, attempts: Attempts, rows: Rows, layout: Layout) -> Holdings:
    """Return what each attempt held: nothing of one that was cut short at its start.

    Notes
    -----
    Cost: O(c log c) for c cores of all attempts together, O(c) where cores are in the order of their numbers.
    """
    model, hardware = scenario.system_model, scenario.instance.node_level.hardware
    assert isinstance(model, NodeLevelMachine)
    ended = np.isin(attempts.reason, (EndReason.COMPLETED, EndReason.KILLED))
    kept = np.flatnonzero(ended | (attempts.start < attempts.end))
    attempt, core = _cores(kept, rows, layout)
    kind = _kinds(hardware)[core]
    attempt, core, first = _in_rows(attempt, core, kind)
    of = kept[attempt[first]]
    start, end = attempts.start[of], attempts.end[of]
    level, _ = levels_of(hardware, model.rules)
    return Holdings(
        job=attempts.job[of],
        group=np.zeros(len(of), dtype=np.int64),
        processor=hardware.processor_of_core[core[first]],
        tasks=np.diff(first, append=len(core)),
        first_core=np.append(first, len(core)),
        cores=core,
        start=start,
        begin=start,
        end=end,
        release=end,
        level=level[core[first]],
        speed=np.broadcast_to(1.0, len(of)),
        bandwidth=np.broadcast_to(0.0, len(of)),
    )


def _cores(kept: IntColumn, rows: Rows, layout: Layout) -> tuple[IntColumn, IntColumn]:
    """Return the cores of the attempts in some rows, and the place of each attempt in `kept`."""
    chosen = ranges(rows.offsets[kept], rows.offsets[kept + 1])
    low, high = rows.low[chosen], rows.high[chosen]
    attempt = np.repeat(np.arange(len(kept)), np.diff(rows.offsets)[kept])
    return np.repeat(attempt, high - low + 1), layout.core[ranges(low, high + 1)]


def _kinds(hardware: Hardware) -> IntColumn:
    """Return a number for each core, equal for those of one processor and speed, by the first of them."""
    pairs = np.stack((hardware.processor_of_core, hardware.core_speed))
    _, first, which = np.unique(pairs, axis=1, return_index=True, return_inverse=True)
    place = np.empty(len(first), dtype=np.int64)
    place[np.argsort(first)] = np.arange(len(first))
    kinds: IntColumn = place[which.reshape(-1)]
    return kinds


def _in_rows(attempt: IntColumn, core: IntColumn, kind: IntColumn) -> tuple[IntColumn, IntColumn, IntColumn]:
    """Return attempts and cores by row, and where rows begin: by attempt, then by the lowest core."""
    kinds = int(kind.max(initial=0)) + 1
    row = attempt * kinds + kind
    if ((np.diff(row) < 0) | ((np.diff(row) == 0) & (np.diff(core) < 0))).any():
        order = np.lexsort((core, row))
        attempt, core, row = attempt[order], core[order], row[order]
    first = np.flatnonzero(np.diff(row, prepend=-1))
    if ((np.diff(attempt[first]) == 0) & (np.diff(core[first]) < 0)).any():
        lowest = np.lexsort((core[first], attempt[first]))
        order = ranges(first[lowest], np.append(first[1:], len(core))[lowest])
        attempt, core, row = attempt[order], core[order], row[order]
        first = np.flatnonzero(np.diff(row, prepend=-1))
    return attempt, core, first
