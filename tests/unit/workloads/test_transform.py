"""Transforms of workloads."""

from dataclasses import replace

import numpy as np
import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.model import Header, Workload
from echelon.workloads import transform


def five_jobs() -> Workload:
    """Return five jobs of three users on 100 processors, one that never ran, one without a request."""
    header = Header((("MaxProcs", "100"), ("UnixStartTime", "1000")))
    workload = Workload.from_columns(
        name="five",
        header=header,
        job_id=[11, 12, 13, 14, 15],
        submit_time=[10, 20, 20, 40, 50],
        run_time=[5, -1, 30, 8, 2],
        requested_time=[10, 10, 20, -1, 60],
        processors=[1, 50, 100, 33, 3],
        user=[7, 2, 7, -1, 0],
        preceding_job=[-1, -1, 11, 99, 13],
    )
    return replace(workload, names={"user": ("ann", "bob")})


def ids(workload: Workload) -> list[int]:
    """Return the job numbers."""
    return workload.job_id.tolist()


def test_window_includes_its_start_and_excludes_its_end():
    """Jobs submitted in [start, end) stay, with their times."""
    taken = transform.window(five_jobs(), start=20, end=40)
    assert ids(taken) == [12, 13]
    assert taken.submit_time.tolist() == [20, 20]


@pytest.mark.parametrize(
    ("bounds", "expected"), [({"start": 40}, [14, 15]), ({"end": 20}, [11]), ({}, [11, 12, 13, 14, 15])]
)
def test_window_bounds_are_optional(bounds, expected):
    """A missing bound is no bound."""
    assert ids(transform.window(five_jobs(), **bounds)) == expected


def test_bounded_window_leaves_out_jobs_without_submit_time():
    """An unknown submit time is in no window but the whole."""
    workload = five_jobs().with_columns(submit_time=[-1, 20, 20, 40, 50])
    assert ids(transform.window(workload, end=45)) == [12, 13, 14]
    assert len(transform.window(workload)) == 5


def test_head_and_skip():
    """The first jobs after some others, in order; more than there are is all there are."""
    assert ids(transform.head(five_jobs(), 2)) == [11, 12]
    assert ids(transform.head(five_jobs(), 2, skip=1)) == [12, 13]
    assert ids(transform.head(five_jobs(), skip=4)) == [15]
    assert ids(transform.head(five_jobs(), 99)) == [11, 12, 13, 14, 15]


def test_filter_by_mask_rule_value_and_name():
    """The four ways of naming the jobs to keep."""
    workload = five_jobs()
    assert ids(transform.filter(workload, workload.run_time > 4)) == [11, 13, 14]
    assert ids(transform.filter(workload, lambda job: job.processors > 40)) == [12, 13]
    assert ids(transform.filter(workload, field="user", values=[7, 0])) == [11, 13, 15]
    assert ids(transform.filter(workload, field="user", values=["bob"])) == [12]
    assert ids(transform.filter(workload, field="processors", values=[100])) == [13]


def test_runnable_leaves_out_what_can_not_be_simulated():
    """Jobs without run time, size or submit time go."""
    workload = five_jobs().with_columns(
        requested_processors=[1, 1, -1, 1, 1], submit_time=[10, 20, 20, 40, -1]
    )
    assert ids(transform.keep_runnable(workload)) == [11, 14]


def test_scale_load_divides_gaps_and_keeps_the_first_submission():
    """Twice the load is half the gaps; a job without a submit time is left alone."""
    workload = five_jobs().with_columns(submit_time=[10, 20, 20, -1, 50])
    assert transform.scale_load(workload, 2).submit_time.tolist() == [10, 15, 15, -1, 30]
    assert transform.scale_load(workload, 0.5).submit_time.tolist() == [10, 30, 30, -1, 90]


def test_scale_run_times_leaves_arrivals_and_what_is_unknown():
    """Run and requested times are halved where they are known; nothing else changes."""
    scaled = transform.scale_run_times(five_jobs(), 0.5)
    assert scaled.run_time.tolist() == [2.5, -1, 15, 4, 1]
    assert scaled.requested_time.tolist() == [5, 5, 10, -1, 30]
    assert scaled.submit_time.tolist() == five_jobs().submit_time.tolist()
    assert transform.transformations(scaled) == ("run times scaled by 0.5",)
    for factor in (0, -1, float("nan")):
        with pytest.raises(InputError):
            transform.scale_run_times(five_jobs(), factor)


def test_off_line():
    """All jobs are there at the start, in the order of submission; one without a submit time has none."""
    unsorted = five_jobs().with_columns(submit_time=[50, 20, 20, -1, 10])
    found = transform.submit_at_once(unsorted)
    assert ids(found) == [14, 15, 12, 13, 11]
    assert found.submit_time.tolist() == [-1, 0, 0, 0, 0]
    assert transform.transformations(found) == (
        "all jobs submitted at 0 s, in the order of their submit times",
    )
    assert len(transform.submit_at_once(five_jobs().take(np.array([], dtype=np.int64)))) == 0


def test_scale_size_rounds_halves_up_and_keeps_at_least_one():
    """Sizes follow the machine: 1 of 100 is still 1 of 10, 3 of 6 is half."""
    scaled = transform.scale_size(five_jobs(), 10)
    assert scaled.processors.tolist() == [1, 5, 10, 3, 1]
    assert scaled.header.max_procs == 10
    assert transform.scale_size(five_jobs(), 150).processors.tolist() == [2, 75, 150, 50, 5]
    assert transform.scale_size(five_jobs(), 100, from_=200).processors.tolist() == [1, 25, 50, 17, 2]


def test_scale_size_leaves_unknown_sizes():
    """A job without a size has none afterwards."""
    workload = five_jobs().with_columns(requested_processors=[1, 50, -1, 33, 0])
    assert transform.scale_size(workload, 10).int_column("requested_processors").tolist() == [1, 5, -1, 3, 0]


def test_shift_keeps_the_calendar():
    """Times by the log's clock move one way, the clock's start the other."""
    shifted = transform.shift(five_jobs(), -10)
    assert shifted.submit_time.tolist() == [0, 10, 10, 30, 40]
    assert shifted.header.unix_start_time == 1010


def test_merge_orders_by_time_and_then_by_argument():
    """Jobs of one instant are in the order of the arguments; jobs are numbered again."""
    other = Workload.from_columns(name="other", submit_time=[20, 5], run_time=[100, 200], user=[2, 2])
    merged = transform.merge(five_jobs(), other)
    assert merged.run_time.tolist() == [200, 5, -1, 30, 100, 8, 2]
    assert ids(merged) == [1, 2, 3, 4, 5, 6, 7]


def test_merge_keeps_users_apart_and_names_them():
    """The same code in two workloads is two users; unknown stays unknown."""
    other = Workload.from_columns(name="other", submit_time=[60], user=[2])
    merged = transform.merge(five_jobs(), other)
    assert merged.user.tolist() == [3, 2, 3, -1, 1, 4]
    assert merged.names["user"] == ("five:0", "five:bob", "five:7", "other:2")


def test_merge_renames_preceding_jobs():
    """References follow their jobs; those to jobs that are not there are unknown."""
    other = Workload.from_columns(job_id=[13, 11], submit_time=[0, 1], preceding_job=[-1, 13])
    merged = transform.merge(five_jobs(), other)
    assert merged.int_column("preceding_job").tolist() == [-1, 1, -1, -1, 3, -1, 5]


def test_merge_keeps_labels_and_what_all_headers_agree_on():
    """Labels of one make labels of all; MaxProcs stays where the machines are equal."""
    named = replace(five_jobs(), labels=("a", "b", "c", "d", "e"))
    merged = transform.merge(named, five_jobs())
    assert merged.labels == ("a", "11", "b", "c", "12", "13", "d", "14", "e", "15")
    assert merged.header.max_procs == 100
    smaller = transform.scale_size(five_jobs(), 10)
    assert transform.merge(five_jobs(), smaller).header.max_procs is None


def test_renumber_renames_preceding_jobs():
    """Numbers run from 1 and references follow."""
    renumbered = transform.renumber(five_jobs())
    assert ids(renumbered) == [1, 2, 3, 4, 5]
    assert renumbered.int_column("preceding_job").tolist() == [-1, -1, 1, -1, 3]


def test_renumber_points_to_the_first_of_equal_numbers():
    """A reference to a repeated number means its first job."""
    workload = Workload.from_columns(job_id=[4, 4, 5], preceding_job=[-1, -1, 4])
    assert transform.renumber(workload).int_column("preceding_job").tolist() == [-1, -1, 1]


def test_sort_is_stable():
    """Equal submit times keep their order."""
    workload = five_jobs().with_columns(submit_time=[20, 10, 20, 5, 10])
    assert ids(transform.sort_by_submit(workload)) == [14, 12, 15, 11, 13]


@pytest.mark.parametrize(
    ("missing", "below", "expected"),
    [
        ("run-time", "raise", [10, 10, 30, 8, 60]),
        ("run-time", "keep", [10, 10, 20, 8, 60]),
        ("max", "keep", [10, 10, 20, 60, 60]),
        ("median", "keep", [10, 10, 20, 15, 60]),
        (3, "raise", [10, 10, 30, 8, 60]),
        (3, "keep", [10, 10, 20, 3, 60]),
    ],
)
def test_repair_estimates(missing, below, expected):
    """Missing requests are filled by the rule named, and short ones raised unless kept."""
    assert (
        transform.repair_estimates(five_jobs(), missing=missing, below=below).requested_time.tolist()
        == expected
    )


def test_nothing_to_fill_a_missing_request_with():
    """A job without request and run time stays without; no known request at all is an error for max."""
    workload = Workload.from_columns(submit_time=[0], run_time=[-1])
    assert transform.repair_estimates(workload).requested_time.tolist() == [-1]
    with pytest.raises(InputError, match="max"):
        transform.repair_estimates(workload, missing="max")


def test_each_transform_is_recorded_in_the_header():
    """The header says what was done, in order, and keeps what it said before."""
    workload = transform.scale_load(transform.window(five_jobs(), start=20), 1.5)
    assert transform.transformations(workload) == (
        "kept 4 of 5 jobs: submitted from 20 s to its end",
        "load scaled by 1.5",
    )
    assert workload.header.max_procs == 100


def test_the_workload_given_is_not_changed():
    """Transforms return new workloads."""
    workload = five_jobs()
    transform.scale_size(transform.shift(workload, 5), 10)
    assert workload == five_jobs()
    assert transform.transformations(workload) == ()


@pytest.mark.parametrize(
    "wrong",
    [
        lambda w: transform.window(w, start=5, end=5),
        lambda w: transform.window(w, start=float("nan")),
        lambda w: transform.head(w, -1),
        lambda w: transform.head(w, 1, skip=-1),
        lambda w: transform.filter(w),
        lambda w: transform.filter(w, field="user"),
        lambda w: transform.filter(w, w.run_time > 0, field="user", values=[1]),
        lambda w: transform.filter(w, np.array([True])),
        lambda w: transform.scale_load(w, 0),
        lambda w: transform.scale_load(w, float("inf")),
        lambda w: transform.scale_load(w, 1e-320),
        lambda w: transform.scale_size(w, 0),
        lambda w: transform.scale_size(Workload.from_columns(submit_time=[0]), 5),
        lambda w: transform.shift(w, -11),
        lambda w: transform.shift(w, float("nan")),
        lambda w: transform.repair_estimates(w, missing=0),
        lambda w: transform.merge(),
    ],
)
def test_wrong_arguments_are_refused(wrong):
    """An argument that makes no sense is an InputError, not a wrong workload."""
    with pytest.raises(InputError):
        wrong(five_jobs())


@pytest.mark.parametrize(
    "wrong",
    [
        lambda w: transform.filter(w, field="usr", values=[1]),
        lambda w: transform.filter(w, field="user", values=["bobb"]),
        lambda w: transform.repair_estimates(w, missing="mean"),
        lambda w: transform.repair_estimates(w, below="cut"),
    ],
)
def test_unknown_names_are_refused(wrong):
    """A name that is not known is an UnknownNameError with the nearest one."""
    with pytest.raises(UnknownNameError):
        wrong(five_jobs())


def test_study_of_sst_kept_54034_jobs(log_file):
    """The filter of the study of SST's policies keeps as many jobs of SDSC SP2 as it printed."""
    from echelon.workloads.formats import swf
    from echelon.workloads.formats.sst import SIM

    log = swf.FORMAT.read(log_file("SDSC-SP2-1998-4.2-cln.swf.gz"), "sdsc-sp2")
    kept = transform.keep_runnable(log)
    assert (len(log), len(kept)) == (59715, 54034)
    jobs = SIM.read(SIM.write(kept), "sdsc-sp2.sim")
    assert np.array_equal(jobs.run_time, kept.run_time)
    assert [jobs[number].run_time for number in (2, 12, 15)] == [8071, 3634, 40]


def test_complete_jobs_tell_all_fields():
    """Each job is dropped for the first field it lacks; the literal reading asks for requested processors."""
    jobs = five_jobs()
    reasons = {one.reason: one.count for one in transform.find_incomplete(jobs)}
    assert reasons == {"run time <= 0": 1, "requested time <= 0": 1, "user id <= 0": 1}
    assert ids(transform.complete(jobs)) == [11, 13]
    assert transform.transformations(transform.complete(jobs))[-1].startswith("kept 2 of 5 jobs")
    had = jobs.with_columns(allocated_processors=[4] * 5, requested_processors=[-1] * 5)
    assert ids(transform.complete(had)) == [11, 13]
    assert len(transform.complete(had, literal=True)) == 0
    literal = {one.reason: one.count for one in transform.find_incomplete(had, literal=True)}
    assert literal == {"run time <= 0": 1, "requested processors <= 0": 4}


def test_a_log_is_not_emptied_for_columns_it_never_had():
    """Without any user or request the log is kept, save by the literal reading."""
    jobs = Workload.from_columns(submit_time=[0, -1], run_time=[5, 5], processors=[1, 1])
    assert len(transform.complete(jobs)) == 1
    assert transform.find_incomplete(jobs)[0].reason == "submit time < 0"
    assert len(transform.complete(jobs, literal=True)) == 0
    assert len(transform.complete(jobs.take(np.array([], dtype=np.int64)))) == 0
