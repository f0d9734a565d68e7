"""What transforms of workloads must preserve, on generated ones."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from echelon.model import Header, Workload
from echelon.workloads import transform

UNKNOWN = st.just(-1)
TIMES = st.integers(0, 10**7).map(float) | st.floats(0, 1e7)


@st.composite
def workloads(draw: st.DrawFn, *, least: int = 1) -> Workload:
    """Draw a workload of up to 20 jobs on a machine of 64 processors, with gaps in what is known."""
    jobs = draw(
        st.lists(
            st.tuples(
                UNKNOWN | TIMES,
                UNKNOWN | TIMES,
                UNKNOWN | st.integers(1, 64),
                UNKNOWN | TIMES,
                UNKNOWN | st.integers(0, 5),
            ),
            min_size=least,
            max_size=20,
        )
    )
    submit, run, size, request, user = zip(*jobs, strict=True)
    return Workload.from_columns(
        name=draw(st.sampled_from(["a", "b"])),
        header=Header((("MaxProcs", "64"),)),
        submit_time=submit,
        run_time=run,
        processors=size,
        requested_time=request,
        user=user,
    )


def without(workload: Workload, column: str) -> Workload:
    """Return `workload` with one column unknown, to compare the others."""
    return workload.with_columns(**{column: np.full(len(workload), -1)})


@given(workloads())
def test_off_line_moves_submissions_only(workload):
    """Sorted by submission, all else stays; nothing changes the second time but the record."""
    moved = transform.submit_at_once(workload)
    assert without(moved, "submit_time") == without(transform.sort_by_submit(workload), "submit_time")
    assert np.isin(moved.submit_time, (0, -1)).all()
    assert transform.submit_at_once(moved) == moved


@given(workloads(), st.floats(0.01, 100))
def test_scaling_the_load_moves_submissions_only(workload, factor):
    """Count, order, sizes and run times (so the area) stay; the earliest submission stays; gaps scale."""
    scaled = transform.scale_load(workload, factor)
    assert without(scaled, "submit_time") == without(workload, "submit_time")
    before, after = workload.submit_time, scaled.submit_time
    known = before >= 0
    assert np.array_equal(before[~known], after[~known])
    if known.any():
        assert before[known].min() == after[known].min()
        order = np.argsort(before[known], kind="stable")
        assert (np.diff(after[known][order]) >= 0).all()
        span, new_span = np.ptp(before[known]), np.ptp(after[known])
        assert np.isclose(new_span * factor, span, rtol=1e-9, atol=1e-6 * max(1.0, factor))


@given(workloads(), st.integers(1, 1000))
def test_scaled_sizes_fit_the_new_machine(workload, processors):
    """Known sizes are 1 to the machine's, in the same order of size, and off by at most a half or at 1."""
    scaled = transform.scale_size(workload, processors)
    old, new = workload.processors, scaled.processors
    known = old > 0
    assert np.array_equal(new[~known], old[~known])
    assert ((new[known] >= 1) & (new[known] <= processors)).all()
    exact = old[known] * processors / 64
    assert (np.abs(new[known] - np.maximum(exact, 1)) <= 0.5).all()
    assert (np.diff(new[known][np.argsort(old[known])]) >= 0).all()


@given(workloads())
def test_the_same_machine_changes_no_size(workload):
    """Scaling to the size it has is the identity."""
    assert transform.scale_size(workload, 64) == workload


@given(workloads(), st.integers(0, 10**6))
def test_shift_and_back_is_the_identity_for_whole_seconds(workload, seconds):
    """Shifting forth and back returns the workload, header's start included."""
    whole = workload.with_columns(submit_time=np.floor(workload.submit_time))
    assert transform.shift(transform.shift(whole, seconds), -seconds) == whole


@given(workloads(), st.integers(0, 25), st.integers(0, 25))
def test_head_and_the_rest_are_the_whole(workload, first, skip):
    """A slice is what Python's slice is."""
    expected = workload.job_id[skip : skip + first].tolist()
    assert transform.head(workload, first, skip=skip).job_id.tolist() == expected


@given(workloads(), TIMES)
def test_windows_before_and_after_part_the_known_jobs(workload, moment):
    """Every job with a submit time is in exactly one of two adjoining windows, in its old order."""
    before, after = transform.window(workload, end=moment), transform.window(workload, start=moment)
    known = workload.job_id[workload.submit_time >= 0]
    assert sorted([*before.job_id.tolist(), *after.job_id.tolist()]) == known.tolist()
    assert (np.diff(before.job_id) > 0).all()
    assert (before.submit_time < moment).all()
    assert (after.submit_time >= moment).all()


@given(st.lists(workloads(), min_size=1, max_size=4))
def test_merging_keeps_every_job_and_keeps_users_apart(parts):
    """Counts and areas add up, submit times rise, and no two workloads share a user."""
    merged = transform.merge(*parts)
    assert len(merged) == sum(map(len, parts))
    assert merged.job_id.tolist() == list(range(1, len(merged) + 1))
    assert (np.diff(merged.submit_time) >= 0).all()
    rows = [(job.submit_time, job.run_time, job.processors) for part in parts for job in part]
    assert [(j.submit_time, j.run_time, j.processors) for j in merged] == sorted(rows, key=lambda row: row[0])
    users = sum(len(set(part.user.tolist()) - {-1}) for part in parts)
    assert len(set(merged.user.tolist()) - {-1}) == users == len(merged.names.get("user", ()))


@given(workloads())
def test_sorting_is_stable_and_keeps_the_jobs(workload):
    """Sorting is Python's stable sort of the rows."""
    expected = sorted(workload, key=lambda job: job.submit_time)
    assert list(transform.sort_by_submit(workload)) == expected


@given(workloads(), st.sampled_from(["run-time", 3600.0]))
def test_repaired_estimates_are_no_shorter_than_runs(workload, missing):
    """With raising, every known request is at least the run time; requests long enough are untouched."""
    repaired = transform.repair_estimates(workload, missing=missing)
    assert without(repaired, "requested_time") == without(workload, "requested_time")
    request, run = repaired.requested_time, workload.run_time
    assert ((request >= run) | (request <= 0)).all()
    assert ((request > 0) | (run <= 0)).all()
    enough = (workload.requested_time > 0) & (workload.requested_time >= run)
    assert np.array_equal(request[enough], workload.requested_time[enough])
    again = transform.repair_estimates(repaired, missing=missing)
    assert again == repaired


@given(workloads())
def test_iterating_gives_the_rows_that_positions_give(workload):
    """A workload's rows are the same one by one and all at once, in values and kinds of number."""
    rows = list(workload)
    assert rows == [workload[position] for position in range(len(workload))]
    assert {tuple(map(type, row)) for row in rows} == {tuple(map(type, workload[0]))}
    assert [row.processors for row in rows] == workload.processors.tolist()
