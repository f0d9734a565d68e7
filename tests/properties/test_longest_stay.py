"""What no run may break that rejects jobs after too long a stay, whatever the tree below."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from budgets import examples
from echelon.errors import InputError

sys.path.insert(0, str(Path(__file__).parent))
from trees_of_sites import BROKERS, Diary, Inner, cases

often = examples(60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
SEVERAL_POLICIES = ("fcfs", "easy", "conservative", "first-fit:sjf", "round-robin:quantum=3", "srtf")
QUEUES = ("fcfs", "fpfs", "nb", "b.rs", "nb.rs", "@*=fcfs", "fcfs@*=nb.rs", "requests")
TREES = cases(brokers=BROKERS[:13], policies=SEVERAL_POLICIES, cycles=("instant", "event"))


def refused(case, queue):
    """Return whether no such run makes sense: no inner site for a path, nowhere to leave copies in queues."""
    is_nested = any(isinstance(child, Inner) for child in case.tree.children)
    return queue == "requests" if is_nested else "@" in queue


def run(case, queue, limit, stay):
    """Return a run with everything that an observer was told, None if all jobs are rejected."""
    diary = Diary()
    settings = {"global_queue": queue, "queue_limit": limit, "longest_stay": stay, "observers": [diary]}
    try:
        return case.run(**settings), diary
    except InputError as error:
        if "no job is left to simulate" not in str(error):
            raise
        return None, diary


@often
@given(TREES, st.sampled_from(QUEUES), st.sampled_from((0, 1, 3, "unlimited")), st.sampled_from((1, 5, 20)))
def test_each_job_runs_or_is_rejected(case, queue, limit, stay):
    """Every job ends or is dropped with the reason; those rejected never hold anything."""
    if refused(case, queue):
        return
    result, diary = run(case, queue, limit, stay)
    started = {job for _, what, job, _ in diary.events if what == "started"}
    if result is None:
        assert not started
        return
    schedule = result.schedule
    kept = {*schedule.instance.kept.tolist()}
    left_out = sum(drop.count for drop in schedule.instance.dropped)
    assert len(kept) + left_out == len(case.jobs)
    assert {*result.scenario.instance.kept[[*started]].tolist()} == kept
    assert np.isfinite(schedule.end_time).all()
    assert (schedule.attempts.counts() > 0).all()
    if queue != "fcfs@*=nb.rs" and not queue.startswith("@"):
        assert (schedule.response_time <= stay).all()
    gone = [drop for drop in schedule.instance.dropped if drop.is_rejected]
    assert result.metrics["rejected_jobs"] == sum(drop.count for drop in gone)


@often
@given(TREES, st.sampled_from(QUEUES), st.sampled_from((0, 1, 3, "unlimited")))
def test_a_stay_that_no_job_reaches_changes_nothing(case, queue, limit):
    """A limit that is never exceeded leaves every start, end and site as it is without one."""
    if refused(case, queue):
        return
    plain = case.run(global_queue=queue, queue_limit=limit).schedule
    found = case.run(global_queue=queue, queue_limit=limit, longest_stay=1e9).schedule
    assert found.start_time.tolist() == plain.start_time.tolist()
    assert found.end_time.tolist() == plain.end_time.tolist()
    assert found.site.tolist() == plain.site.tolist()
