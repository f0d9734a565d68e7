"""What no run may break whose machines fail and whose jobs are canceled or have deadlines, on any tree."""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, given, reject
from hypothesis import strategies as st

from budgets import examples
from echelon.availability import Changes, CheckpointRule, Requeueing
from echelon.engine.clock import simulation
from echelon.engine.machine import Machine
from echelon.engine.reference import system_of
from echelon.errors import InputError
from echelon.experiments.scenario import ScenarioMaker
from echelon.model import EndReason, JobStatus, OutageKind, Outages

sys.path.insert(0, str(Path(__file__).parent))
from trees_of_sites import BROKERS, OF_SUMS, QUEUED, cases, direct_cases, leaves_of, platform_of, workload_of

check = examples(60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])

FORESEEN = ("", "first-fit:", "easy:", "conservative:")
"""Backfillings that brokers which ask for schedules can foresee, in any order."""

ANY = (
    cases(brokers=OF_SUMS)
    | cases(kinds=QUEUED, brokers=BROKERS, policies=[f"{spec}fcfs" for spec in FORESEEN])
    | cases(brokers=OF_SUMS, policies=["round-robin:quantum=3", "srtf", "preemptive-priority:shortest-first"])
    | direct_cases()
)
"""Trees of any leaves under brokers, protocols and dispatchers, with backfilling and preemption."""

LATEST = 60
"""Seconds in which outages begin and jobs are canceled: about as long as most of these runs."""


@st.composite
def changing(draw, some=ANY):
    """Return a case, and the scenario of its run with outages, cancellations and deadlines."""
    case, rng = draw(some), draw(st.randoms(use_true_random=False))
    table = workload_of(case.jobs, case.homes, platform_of(case.tree))
    limits = {
        "cancel_time": [rng.choice([-1, -1, -1, rng.randint(0, LATEST)]) for _ in case.jobs],
        "deadline": [rng.choice([-1, -1, job.submit + rng.randint(1, LATEST)]) for job in case.jobs],
        "minimum_time": [rng.choice([-1, rng.randint(1, 9)]) for _ in case.jobs],
    }
    table = replace(
        table, accounting={name: np.array(column, dtype=float) for name, column in limits.items()}
    )
    learns = {"estimator": "average:alpha=0.5"} if rng.random() < 0.2 else {}
    settings = {**case.options, **learns, "platform": platform_of(case.tree)}
    scenario = ScenarioMaker(table).scenario(settings)
    return case, replace(scenario, changes=changes_of(rng, leaves_of(case.tree)))


def changes_of(rng, leaves):
    """Return random failures of these leaves, and what becomes of their jobs."""
    rows = []
    for _ in range(rng.randint(1, 8)):
        site = rng.randrange(len(leaves))
        count = len(leaves[site].cores) if leaves[site].kind == "nodes" else sum(leaves[site].cores)
        nodes = sorted(rng.sample(range(count), rng.randint(1, count)))
        start = rng.randint(0, LATEST)
        end = rng.choice([start + rng.randint(0, 30), start + rng.randint(0, 30), math.inf])
        rows.append((start, end, nodes, OutageKind.FAIL, -math.inf, site))
    return Changes(
        outages=Outages.of(rows),
        requeueing=Requeueing(
            rng.choice(["requeue", "requeue", "kill"]), rng.choice(["keep", "back"]),
            rng.choice([0, 0, 7]), rng.choice([None, None, 1]),
        ),
        repair=rng.choice(["unknown", "known", 5.0]),
        checkpoint=rng.choice([None, None, CheckpointRule(4.0, 1.0, 2.0)]),
    )  # fmt: skip


def finished(system):
    """Return the schedule of a run; a run in which no job ever starts is refused as one without jobs."""
    try:
        return simulation.run(system)
    except InputError as error:
        if "no job is left to simulate" not in str(error):
            raise
        reject()


@check
@given(changing())
def test_nothing_is_lost(drawn):
    """Every job has a status and one attempt at most after which it is done, or is counted with a reason.

    If all jobs have ended, no broker counts one any more.
    """
    case, scenario = drawn
    system = system_of(scenario)
    schedule = finished(system)
    if not isinstance(system, Machine) and system.ledger.course.all_ended:
        for leaf in system._actual.leaves:
            assert [sums.sites[place].jobs for sums, place in leaf.above] == [0] * len(leaf.above)
    instance, dropped = schedule.instance, sum(one.count for one in schedule.instance.dropped)
    assert len(instance) + dropped == len(case.jobs)
    assert set(schedule.status.tolist()) <= {status.value for status in JobStatus}
    attempts = schedule.attempts
    done = np.bincount(attempts.job[attempts.finished], minlength=len(instance))
    over = np.isin(schedule.status, [JobStatus.UNFINISHED, JobStatus.CANCELED_WAITING])
    # A job leaves the queue at its deadline, or was cut there.
    missed = np.zeros(len(instance), dtype=np.bool_)
    missed[attempts.job[attempts.ended_by(EndReason.DEADLINE)]] = True
    over |= (schedule.status == JobStatus.DEADLINE) & ~missed
    assert (done[~over] == 1).all()
    assert (done[over] == 0).all()


@check
@given(changing())
def test_no_job_runs_beyond_its_limits(drawn):
    """Nothing runs after its deadline or its cancellation, or begins later than it may."""
    _, scenario = drawn
    schedule = finished(system_of(scenario))
    limits = schedule.instance.limits
    if limits is None:
        return
    end = schedule.end_time
    assert (end <= limits.deadline).all()
    assert (end <= limits.cancel).all()
    stopped = np.isin(schedule.status, [JobStatus.CANCELED_RUNNING])
    assert (end[stopped] == limits.cancel[stopped]).all()


@check
@given(changing(cases(kinds=QUEUED, brokers=OF_SUMS)))
def test_no_job_holds_what_is_down(drawn):
    """At every instant busy and down processors are different ones of the same machine, one job on each."""
    case, scenario = drawn
    schedule = finished(system_of(scenario))
    down = schedule.outages
    for site, leaf in enumerate(leaves_of(case.tree)):
        held = held_at(schedule, scenario, site, leaf)
        for spans in held.values():
            spans.sort()
            assert all(end <= start for (_, end), (start, _) in pairwise(spans))
        for row in np.flatnonzero(down.site == site).tolist():
            for unit, spans in held.items():
                if unit[0] in down.nodes_of(row).tolist():
                    assert all(end <= down.start[row] or start >= down.end[row] for start, end in spans)


def held_at(schedule, scenario, site, leaf):
    """Return when each core of a leaf was held, by (node, core)."""
    held, platform = {}, scenario.instance.sites
    if leaf.kind == "count":
        table = schedule.numbered
        for row in np.flatnonzero(np.isin(table.site, [site, -1])).tolist():
            for node in table.nodes_of(row).tolist():
                held.setdefault((node, 0), []).append((table.start[row], table.end[row]))
        return held
    table, hardware = schedule.holdings, platform.sites[site].resource
    first = int(platform.first_core[site])
    for row in range(len(table)):
        for core in table.cores[table.first_core[row] : table.first_core[row + 1]].tolist():
            if first <= core < first + hardware.cores:
                node = int(hardware.node_of_core[core - first])
                held.setdefault((node, core), []).append((table.start[row], table.release[row]))
    return held


@check
@given(changing(cases(kinds=QUEUED, brokers=OF_SUMS)))
def test_what_a_job_did_is_accounted_for(drawn):
    """A job that completed has done its run time in attempts that were not lost."""
    _, scenario = drawn
    schedule = finished(system_of(scenario))
    attempts, plain = schedule.attempts, schedule.instance
    if attempts.work is None:
        return
    assert (attempts.work >= -1e-9).all()
    assert (attempts.work + attempts.overhead <= attempts.end - attempts.start + 1e-6).all()
    work = np.bincount(attempts.job, weights=attempts.work, minlength=len(plain))
    done = schedule.status == JobStatus.COMPLETED
    assert np.allclose(work[done], plain.run_time[done])
    lost = attempts.ended_by(EndReason.FAILED)
    assert (attempts.work[lost] == 0).all()
