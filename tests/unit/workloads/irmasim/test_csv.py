"""IRMASim's jobs as a table."""

from __future__ import annotations

import pytest

from echelon.errors import InputError
from echelon.model import Demand, TaskGroup
from echelon.workloads import read_workload, write_workload
from echelon.workloads.irmasim import read_csv

TABLE = """\
id,subtime,runtime,nodes,ntasks,req_time,req_ops,application
job_0,3,12,1,1,12,24000000000,ep
job_1,3.5,18,1,4,16,36e9,ua
job_2,18,,,2,,32000000000,ep
"""


def test_columns_are_keys_of_jobs(tmp_path):
    """A table is told by its column names; cells left empty are keys not given; applications get codes."""
    path = tmp_path / "jobs.csv"
    path.write_text(TABLE)
    workload = read_workload(path)
    assert workload.demands is not None
    expected = Demand((TaskGroup(4, 36e9),), nodes=1, tasks_per_node=4)
    assert workload.demands[1] == expected
    assert workload.demands[2] == Demand((TaskGroup(2, 32e9),))
    assert workload.run_time.tolist() == [12, 18, 32]
    assert workload.requested_time.tolist() == [12, 16, -1]
    assert workload.submit_time.tolist() == [0, 0.5, 15]
    assert workload.labels == ("job_0", "job_1", "job_2")
    assert workload.int_column("executable").tolist() == [1, 2, 1]
    assert workload.names == {"executable": ("ep", "ua")}
    write_workload(workload, tmp_path / "jobs.json")
    again = read_workload(tmp_path / "jobs.json")
    assert (again, again.names) == (workload, workload.names)


def test_what_is_wrong_is_told_with_its_lines():
    """All wrong cells come together, each with its line."""
    with pytest.raises(InputError) as raised:
        read_csv(b"subtime,res,req_ops\n0,1,1_000\nx,1.5,1e9\n", "t.csv")
    for part in (
        "line 2.req_ops: got 1_000",
        "line 3.subtime: got x",
        "line 3.res: got 1.5, expected a whole",
    ):
        assert part in str(raised.value)
