"""CSV and Parquet tables of jobs."""

import io

import polars as pl
import pytest

from echelon.errors import InputError
from echelon.model import Workload
from echelon.workloads.formats.table import CSV, PARQUET, write_csv, write_parquet

OWN_JOBS_CSV = b"""\
job_id,submit_time,start_time,end_time,run_time,requested_time,processors,wait_time,turnaround_time,bounded_slowdown,site,status,user
1,0,0,10,10,20,4,0,10,1,,completed,alice
2,1.5,10,20,10,,2,8.5,18.5,1.85,,killed,bob
3,2,12,13,1,5,1,10,11,1.1,,cancelled,alice
"""


def test_own_jobs_csv_is_a_workload():
    """The table Echelon writes after a simulation reads back as jobs, with statuses and names understood."""
    workload = CSV.read(OWN_JOBS_CSV, "jobs.csv")
    assert workload.submit_time.tolist() == [0, 1.5, 2]
    assert workload.float_column("wait_time").tolist() == [0, 8.5, 10]
    assert workload.requested_time.tolist() == [20, -1, 5]
    assert workload.processors.tolist() == [4, 2, 1]
    assert workload.int_column("status").tolist() == [1, 0, 5]
    assert workload.user.tolist() == [1, 2, 1]
    assert workload.names["user"] == ("alice", "bob")


def test_columns_not_understood_are_reported():
    """Columns that are not kept are listed by name."""
    anomalies = {anomaly.kind: anomaly for anomaly in CSV.read(OWN_JOBS_CSV, "jobs.csv").anomalies}
    assert anomalies["ignored-columns"].count == 3
    assert "turnaround_time, bounded_slowdown, site" in anomalies["ignored-columns"].sentence


@pytest.mark.parametrize("separator", [",", ";", "|", "\t"])
def test_separators_are_detected(separator):
    """The separator is the one the first line uses; case and blanks of names do not matter."""
    text = "Submit_Time, run_time,processors\n1,2,3\n\n4,5,6\n".replace(",", separator)
    workload = CSV.read(text.encode(), "a.csv")
    assert workload.submit_time.tolist() == [1, 4]
    assert workload.processors.tolist() == [3, 6]


def test_start_and_end_stand_in_for_wait_and_run():
    """Without wait_time and run_time columns, start and end times give them."""
    workload = CSV.read(b"submit_time,start_time,end_time,processors\n1,3,10,2\n5,,,2\n", "a.csv")
    assert workload.float_column("wait_time").tolist() == [2, -1]
    assert workload.run_time.tolist() == [7, -1]


def test_processors_beside_requested_is_the_allocated_number():
    """`processors` means allocated where requested_processors is a column of its own."""
    workload = CSV.read(b"submit_time,run_time,processors,requested_processors\n0,1,8,6\n", "a.csv")
    assert (workload[0].allocated_processors, workload[0].requested_processors) == (8, 6)


def test_text_job_ids_become_labels():
    """Job ids that are not numbers are labels of jobs numbered from 1."""
    workload = CSV.read(b"job_id,submit_time,run_time,processors\na-7,0,1,1\n8,0,1,1\n", "a.csv")
    assert workload.labels == ("a-7", "8")
    assert workload.job_id.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("data", "phrases"),
    [
        (b"", ["b.csv", "empty"]),
        (b"a,b\n1,2\n", ["submit_time", "its columns are: a, b"]),
        (b"submit_time,run_time\n1,2\n", ["processors, requested_processors or allocated_processors"]),
        (b"submit_time,run_time,processors\n", ["line 1", "no job"]),
        (b"submit_time,run_time,processors\n1,2\n", ["line 2", "2 cells", "expected 3"]),
        (b"submit_time,run_time,processors\n\n1,2,x\n", ["line 3", "processors", "'x'", "whole number"]),
        (b"submit_time,run_time,processors\n1,nan,2\n", ["line 2", "run_time", "'nan'"]),
        (b"submit_time,run_time,processors\n1,inf,2\n", ["line 2", "run_time", "'inf'"]),
        (b'submit_time,run_time,processors\n1,"2,3\n', ["line 2"]),
        (b"submit_time,run_time,run_time\n1,2,3\n", ["line 1", "two columns", "'run_time'"]),
        (b"submit_time,run_time,processors,status\n1,2,3,odd\n", ["line 2", "status", "'odd'"]),
    ],
)
def test_bad_csv_names_file_line_field_and_value(data, phrases):
    """Every way in which a table can be wrong is one sentence with its place and value."""
    with pytest.raises(InputError) as caught:
        CSV.read(data, "b.csv")
    assert [word for word in ["b.csv", *phrases] if word not in str(caught.value)] == []


def test_line_numbers_count_lines_inside_quoted_cells():
    """A cell with a line break moves the line numbers after it."""
    data = b'user,submit_time,run_time,processors\n"a\nb",1,2,3\nc,1,2,x\n'
    with pytest.raises(InputError, match="line 4, processors"):
        CSV.read(data, "a.csv")


def test_names_of_codes_survive_writing():
    """Codes keep their numbers and names in both kinds of table, also where a name is a number."""
    workload = CSV.read(b"submit_time,run_time,processors,user,user_name\n0,1,1,3,7\n0,1,1,1,bob\n", "a.csv")
    assert workload.names["user"] == ("bob", "", "7")
    for kind in (CSV, PARQUET):
        again = kind.read(kind.write(workload), "again")
        assert again == workload
        assert again.names == workload.names


def test_unknown_values_are_empty_cells():
    """-1 is written as an empty cell, and columns nobody knows are left out."""
    workload = Workload.from_columns(submit_time=[0, 1], run_time=[5, -1], processors=[1, 2])
    assert write_csv(workload) == (b"job_id,submit_time,run_time,requested_processors\n1,0,5,1\n2,1,,2\n")


def test_parquet_nulls_are_unknown():
    """Nulls of a Parquet column read as -1."""
    buffer = io.BytesIO()
    pl.DataFrame({"submit_time": [0.5, 1], "run_time": [None, 3], "processors": [1, 2]}).write_parquet(buffer)
    workload = PARQUET.read(buffer.getvalue(), "a.parquet")
    assert workload.run_time.tolist() == [-1, 3]


def test_bad_parquet_value_names_the_row():
    """Parquet has no lines: a bad value's row is named."""
    buffer = io.BytesIO()
    pl.DataFrame({"submit_time": [0, 1], "run_time": [1, 2], "processors": [1.0, 2.5]}).write_parquet(buffer)
    with pytest.raises(InputError, match=r"a\.parquet, processors: got 2\.5 in row 2"):
        PARQUET.read(buffer.getvalue(), "a.parquet")


def test_cut_parquet_is_refused():
    """A Parquet file without its end is an InputError with the file's name."""
    data = write_parquet(Workload.from_columns(submit_time=[0], run_time=[1], processors=[1]))
    with pytest.raises(InputError, match=r"^a\.parquet: cannot be read as Parquet"):
        PARQUET.read(data[:-9], "a.parquet")


def test_tables_are_recognized_by_their_first_bytes():
    """A line of names with a submit time, and Parquet's mark, are recognized."""
    assert CSV.recognizes(OWN_JOBS_CSV)
    assert not CSV.recognizes(b"JobID,Submit,Start\n")
    assert PARQUET.recognizes(b"PAR1....")


LIMITS = (
    b"submit_time,run_time,processors,cancel_time,deadline,minimum_time,due_time,reservation\n"
    b"0,10,1,5,,,30,course\n1,10,1,,90,20,,\n2,10,1,,,,,7\n"
)


@pytest.mark.parametrize("through", [None, CSV, PARQUET])
def test_limits_of_jobs_and_reservations_by_name(through):
    """Cancellations, deadlines, due times and the names of reservations survive writing and reading."""
    workload = CSV.read(LIMITS, "l.csv")
    if through is not None:
        workload = through.read(through.write(workload), "again")
    columns = {name: workload.float_column(name).tolist() for name in ("cancel_time", "due_time", "deadline")}
    assert columns == {"cancel_time": [5, -1, -1], "due_time": [30, -1, -1], "deadline": [-1, 90, -1]}
    assert workload.float_column("minimum_time").tolist() == [-1, 20, -1]
    names = workload.names["reservation"]
    codes = workload.int_column("reservation").tolist()
    assert [names[code - 1] if code > 0 else None for code in codes] == ["course", None, "7"]


def test_reservations_that_are_numbers_have_names():
    """A column of numbers alone names reservations, too: their codes are no places in a file of these."""
    plain = b"submit_time,run_time,processors,reservation\n0,1,1,42\n1,1,1,\n2,1,1,7\n"
    workload = CSV.read(plain, "l.csv")
    assert workload.int_column("reservation").tolist() == [1, -1, 2]
    assert workload.names["reservation"] == ("42", "7")
