"""SST's .sim and .time files."""

import numpy as np
import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.model import Header, Instance, Schedule, Workload
from echelon.workloads.formats.sst import SIM, TIME, time_file

THREE_JOBS = b"0 3 100 100\n1 4 100 150\n2 1 1000 1000\n"


def three_jobs_scheduled() -> Schedule:
    """Return the jobs of `THREE_JOBS` on 4 processors, started at 0, 100 and 0.5."""
    return Schedule(Instance.of(SIM.read(THREE_JOBS, "three.sim"), 4), np.array([0.0, 100.0, 2.5]))


def test_sim_columns_are_submit_processors_run_and_request():
    """A .sim line's four numbers fill the four fields, and jobs are numbered from 0 by line."""
    workload = SIM.read(THREE_JOBS, "three.sim")
    assert workload.job_id.tolist() == [0, 1, 2]
    assert workload.submit_time.tolist() == [0, 1, 2]
    assert workload.processors.tolist() == [3, 4, 1]
    assert workload.run_time.tolist() == [100, 100, 1000]
    assert workload.requested_time.tolist() == [100, 150, 1000]


def test_sim_written_is_the_file_read():
    """Writing what was read gives the same bytes."""
    assert SIM.write(SIM.read(THREE_JOBS, "three.sim")) == THREE_JOBS


@pytest.mark.parametrize(
    ("data", "place", "value"),
    [
        (b"", "b.sim", "empty"),
        (b"1 2 3 4\n\x00\n", "line 2", "binary"),
        (b"1 2 3 4\n1 2 3\n", "line 2", "3 fields"),
        (b"1 2 3 4 5\n", "line 1", "5 fields"),
        (b"1 2 nan 4\n", "line 1, run time", "'nan'"),
        (b"1 2 1e999 4\n", "line 1, run time", "'1e999'"),
        (b"1 2.5 3 4\n", "line 1, processors", "'2.5'"),
        (b"x 2 3 4\n", "line 1, submit time", "'x'"),
    ],
)
def test_bad_sim_names_file_line_field_and_value(data, place, value):
    """Every way in which a .sim file can be wrong is one sentence with its place and value."""
    with pytest.raises(InputError) as caught:
        SIM.read(data, "b.sim")
    assert str(caught.value).startswith("b.sim")
    assert place in str(caught.value)
    assert value in str(caught.value)


@pytest.mark.parametrize("wrong", [{"run_time": [5, 0]}, {"processors": [1, -1]}, {"submit_time": [0, -1]}])
def test_sim_refuses_jobs_it_can_not_hold(wrong):
    """A job without run time, size or submit time is refused by name, not dropped in silence."""
    columns = {"submit_time": [0, 1], "run_time": [5, 5], "processors": [1, 1]} | wrong
    with pytest.raises(InputError, match=r"1 of 2 jobs .* job 2"):
        SIM.write(Workload.from_columns(**columns))


def test_cut_sim_is_reported():
    """A file whose last line is not ended is read, and said to be perhaps cut."""
    workload = SIM.read(b"0 3 100 100", "a.sim")
    assert "no-final-line-feed" in {anomaly.kind for anomaly in workload.anomalies}


def test_time_file_lists_jobs_in_order_of_completion():
    """A schedule is written with comments, a head line and Wait, Resp. and End from its starts."""
    lines = time_file(three_jobs_scheduled(), comments=("trace three", "FCFS")).decode().split("\n")
    assert lines == [
        "# trace three",
        "# FCFS",
        "",
        "# Job\tArrival\tStart\tEnd\tRun\tWait\tResp.\tProcs",
        "0\t0\t0\t100\t100\t0\t100\t3",
        "1\t1\t100\t200\t100\t99\t199\t4",
        "2\t2\t2.5\t1002.5\t1000\t0.5\t1000.5\t1",
        "",
    ]


def test_time_file_breaks_ties_by_job_number():
    """Jobs that end together are in the order of their numbers, not of their starts."""
    workload = Workload.from_columns(job_id=[9, 3], submit_time=[0, 0], run_time=[10, 5], processors=[1, 1])
    schedule = Schedule(Instance.of(workload, 2), np.array([0.0, 5.0]))
    by_place = TIME.read(time_file(schedule), "a.time")
    by_number = TIME.read(time_file(schedule, numbers="job-id"), "a.time")
    assert by_place.job_id.tolist() == [0, 1]
    assert by_number.job_id.tolist() == [3, 9]


def test_unknown_numbering_is_refused():
    """A numbering that does not exist is an error with the known ones."""
    with pytest.raises(UnknownNameError, match="position"):
        time_file(three_jobs_scheduled(), numbers="lines")  # type: ignore[arg-type]


def test_time_read_knows_wait_times_and_comments():
    """A .time file gives jobs with wait times, and its comments as the header."""
    workload = TIME.read(time_file(three_jobs_scheduled(), comments=("by hand",)), "a.time")
    assert workload.float_column("wait_time").tolist() == [0, 99, 0.5]
    assert workload.processors.tolist() == [3, 4, 1]
    assert workload.header == Header(((None, "by hand"),))


def test_time_written_from_a_log_is_the_file_read():
    """A workload whose wait times are known is written as the same file it was read from."""
    data = time_file(three_jobs_scheduled(), comments=("by hand",))
    assert TIME.write(TIME.read(data, "a.time")) == data


def test_time_with_bare_head_line_and_more_columns_is_read():
    """The head line may come without its comment sign, and columns beyond the eighth are ignored."""
    data = b"Job Arrival Start End Run Wait Resp. Procs FST\n4 10 12 20 8 2 10 3 11\n"
    workload = TIME.read(data, "a.time")
    assert (workload[0].job_id, workload[0].wait_time, workload[0].processors) == (4, 2, 3)


@pytest.mark.parametrize(
    ("row", "field"), [("0 1 9 9 5 2 7 1", "Start"), ("0 1 3 9 5 2 7 1", "End"), ("0 1 3 8 5 2 8 1", "Resp.")]
)
def test_time_with_contradicting_times_is_refused(row, field):
    """A line whose times do not add up is an error that says what was expected."""
    with pytest.raises(InputError, match=rf"line 2, {field}: got .*expected") as caught:
        TIME.read(f"# Job Arrival Start End\n{row}\n".encode(), "a.time")
    assert caught.value.line == 2


def test_time_without_jobs_is_refused():
    """Comments alone are no workload."""
    with pytest.raises(InputError, match="no job"):
        TIME.read(b"# nothing\n", "a.time")


def test_time_of_a_log_without_waits_is_refused():
    """A workload without wait times cannot be written as .time; the first such job is named."""
    with pytest.raises(InputError, match="wait time"):
        TIME.write(SIM.read(THREE_JOBS, "three.sim"))


def test_each_format_recognizes_its_own_bytes_only():
    """The first bytes tell .sim and .time apart."""
    samples = (THREE_JOBS, time_file(three_jobs_scheduled()))
    assert [[f.recognizes(data) for data in samples] for f in (SIM, TIME)] == [[True, False], [False, True]]
