"""Every format of workloads: what is written reads back, and no bytes do more than raise InputError."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.errors import InputError
from echelon.model import Header, Workload
from echelon.workloads import read_workload, transform
from echelon.workloads.formats import gwf, sacct, sst, table

UNKNOWN = st.just(-1)
THOUSANDTHS = st.integers(0, 10**11).map(lambda number: number / 1000)
TIMES = UNKNOWN | st.integers(0, 10**8).map(float) | THOUSANDTHS
AMOUNTS = UNKNOWN | st.floats(0, 1e15)
CODES = UNKNOWN | st.integers(0, 2**50)
SIZES = UNKNOWN | st.integers(1, 10**6)
COLUMNS = {
    "job_id": st.integers(-1, 2**50),
    "submit_time": TIMES,
    "wait_time": TIMES,
    "run_time": TIMES,
    "allocated_processors": SIZES,
    "average_cpu_time": TIMES,
    "used_memory": AMOUNTS,
    "requested_processors": SIZES,
    "requested_time": TIMES,
    "requested_memory": AMOUNTS,
    "status": st.integers(-300, 300),
    "user": CODES,
    "group": CODES,
    "executable": CODES,
    "queue": CODES,
    "partition": CODES,
    "preceding_job": st.integers(-1, 2**50),
    "think_time": TIMES,
}
ONE_LINE = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=8)
EQUAL_TABLES = examples(60)
FUZZ = examples(150)


@st.composite
def workloads(draw: st.DrawFn, *, named: bool = False, **columns: st.SearchStrategy) -> Workload:
    """Draw a workload of 1 to 8 jobs, any field known or not, with labels and names if `named`."""
    size = draw(st.integers(1, 8))
    drawn = {
        name: draw(st.lists(columns.get(name, values), min_size=size, max_size=size))
        for name, values in COLUMNS.items()
    }
    workload = Workload.from_columns(**drawn)
    if not named:
        return workload
    return replace(
        workload.with_columns(user=draw(st.lists(st.integers(1, 3), min_size=size, max_size=size))),
        labels=draw(st.none() | st.lists(ONE_LINE, min_size=size, max_size=size).map(tuple)),
        names={"user": draw(st.tuples(ONE_LINE, ONE_LINE, ONE_LINE))},
    )


def only(workload: Workload, *kept: str) -> Workload:
    """Return `workload` with all other columns unknown."""
    gone = {name: np.full(len(workload), -1) for name in COLUMNS if name not in kept}
    return workload.with_columns(**gone)


@pytest.mark.parametrize("kind", [table.CSV, table.PARQUET], ids=lambda kind: kind.name)
@EQUAL_TABLES
@given(workload=workloads(named=True))
def test_tables_read_back_equal(kind, workload):
    """CSV and Parquet lose no column, label or name of a code in use."""
    again = kind.read(kind.write(workload), "again")
    assert again == workload
    for code in set(workload.user.tolist()):
        known = dict(enumerate(again.names.get("user", ()), start=1))
        assert known.get(code, "") == workload.names["user"][code - 1]


@EQUAL_TABLES
@given(
    workload=workloads(
        submit_time=THOUSANDTHS, run_time=st.floats(0.001, 1e8), allocated_processors=st.integers(1, 10**6)
    )
)
def test_sim_reads_back_equal(workload):
    """A .sim file keeps its four fields, to the last bit, and the order."""
    again = sst.SIM.read(sst.SIM.write(workload), "again.sim")
    kept = only(workload, "submit_time", "run_time", "requested_time", "allocated_processors")
    assert again == kept.with_columns(job_id=np.arange(len(workload)))


@EQUAL_TABLES
@given(
    workload=workloads(
        submit_time=THOUSANDTHS,
        wait_time=THOUSANDTHS,
        run_time=THOUSANDTHS,
        allocated_processors=st.integers(1, 99),
    )
)
def test_time_reads_back_equal_in_order_of_completion(workload):
    """A .time file keeps its fields and is ordered by end, then job number, then place."""
    again = sst.TIME.read(sst.TIME.write(workload), "again.time")
    end = workload.submit_time + workload.float_column("wait_time") + workload.run_time
    kept = only(workload, "job_id", "submit_time", "wait_time", "run_time", "allocated_processors")
    assert again == kept.take(np.lexsort((workload.job_id, end)))


@EQUAL_TABLES
@given(workload=workloads(), start=st.none() | st.integers(10**8, 2 * 10**9))
def test_gwf_reads_back_equal(workload, start):
    """A GWF file keeps the sixteen fields it shares with SWF, whatever second its clock starts at."""
    if start is not None:
        workload = replace(workload, header=Header((("UnixStartTime", str(start)),)))
    again = gwf.FORMAT.read(gwf.FORMAT.write(workload), "again.gwf")
    kept = [name for name in COLUMNS if name not in ("preceding_job", "think_time")]
    assert again == only(workload, *kept)
    assert again.header.unix_start_time in (start, 0)


@EQUAL_TABLES
@given(
    names=st.lists(st.text("abcdefgh0123456789.-", min_size=1, max_size=3), min_size=3, max_size=3).map(
        tuple
    ),
    users=st.lists(UNKNOWN | st.integers(1, 3), min_size=1, max_size=6),
)
def test_gwf_keeps_codes_whatever_their_names(names, users):
    """Names are written only where the codes come back the same."""
    workload = replace(Workload.from_columns(user=users, run_time=[1] * len(users)), names={"user": names})
    assert gwf.FORMAT.read(gwf.FORMAT.write(workload), "again.gwf") == workload


SMALL = Workload.from_columns(
    submit_time=[0, 5.5, 9], wait_time=[0, 1, 2], run_time=[3, 4, 5], processors=[1, 2, 3], user=[1, 2, 1]
)
SACCT = b"""\
JobID|User|AllocCPUS|NNodes|Submit|Start|End|Elapsed|Timelimit|State|ReqMem
1_2|al|4|1|2024-01-31T12:00:00|2024-01-31T12:01:00|2024-01-31T13:01:00|01:00:00|1-00:00:00|COMPLETED|40Mc
1_2.0|al|4|1|2024-01-31T12:00:00|2024-01-31T12:01:00|2024-01-31T13:01:00|01:00:00||COMPLETED|
3|bo|8|2|1706702410|Unknown|None|00:00:00|90|CANCELLED by 7|4Gn
"""
WORKFLOW = b"""\
WorkflowID, JobID, SubmitTime, RunTime, NProcs, ReqNProcs, Dependencies
0,1,0,5,1,1,
0,2,5,5,1,2,1 3
"""
SEEDS = [
    (sst.SIM, sst.SIM.write(SMALL)),
    (sst.TIME, sst.TIME.write(SMALL)),
    (table.CSV, table.CSV.write(replace(SMALL, labels=("a", 'b"', "c\n")))),
    (table.PARQUET, table.PARQUET.write(SMALL)),
    (gwf.FORMAT, gwf.FORMAT.write(SMALL)),
    (gwf.FORMAT, WORKFLOW),
    (sacct.FORMAT, SACCT),
]
NASTY = st.sampled_from(
    [b"", b"\0", b"nan", b"-inf", b"1e999", b"9" * 30, b'"', b"\n", b"\r", b"\t", b"|", b",", b"#", b"-1"]
) | st.sampled_from([b"\xff", b"\xc3\xa9", b"\xa0"])


@pytest.mark.parametrize(
    ("kind", "data"), SEEDS, ids=[f"{kind.name}-{i}" for i, (kind, _) in enumerate(SEEDS)]
)
@FUZZ
@given(draw=st.data())
def test_mutated_bytes_are_a_workload_or_an_input_error(kind, data, draw):
    """Cut, overwritten or spliced bytes never do anything else, and an error names the file."""
    for _ in range(draw.draw(st.integers(1, 3))):
        place = draw.draw(st.integers(0, len(data)))
        end = min(len(data), place + draw.draw(st.integers(0, 12)))
        data = data[:place] + draw.draw(NASTY | st.binary(max_size=4)) + data[end:]
    check(kind, data)


@pytest.mark.parametrize(
    "kind", [kind for kind, _ in SEEDS], ids=[f"{k.name}-{i}" for i, (k, _) in enumerate(SEEDS)]
)
@FUZZ
@given(data=st.binary(max_size=80) | st.text(max_size=40).map(lambda text: text.encode("utf-8", "replace")))
def test_any_bytes_are_a_workload_or_an_input_error(kind, data):
    """Bytes of no format at all do not do anything else either."""
    check(kind, data)


@pytest.mark.parametrize(
    ("kind", "data"), SEEDS, ids=[f"{kind.name}-{i}" for i, (kind, _) in enumerate(SEEDS)]
)
def test_every_cut_is_an_error_or_reported(kind, data):
    """A file cut anywhere is an error, or says that its last line is not ended, or lost whole lines only."""
    whole = kind.read(data, "file")
    for place in range(len(data)):
        try:
            cut = kind.read(data[:place], "file")
        except InputError:
            continue
        at_line_end = data[:place].endswith(b"\n")
        assert at_line_end or any(anomaly.kind == "no-final-line-feed" for anomaly in cut.anomalies)
        assert len(cut) <= len(whole)


def check(kind, data: bytes) -> None:
    """Read and require a sound workload or an InputError that names the file."""
    assert isinstance(kind.recognizes(data[:4096]), bool)
    try:
        workload = kind.read(data, "file")
    except InputError as error:
        told = (error.file, "\n" in str(error))
    else:
        told = None
    if told is not None:
        assert told == ("file", False)
        return
    assert len(workload) > 0
    assert all(np.isfinite(column).all() for column in workload.columns.values())


def test_a_time_file_keeps_the_header_on_its_way_to_gwf():
    """The log's start survives SWF to .time to GWF, so submit times do not turn into Unix times."""
    log = transform.keep_runnable(read_workload("kth-sp2"))
    there = sst.read_time(sst.write_time(log), "kth.time")
    assert there.header.unix_start_time == log.header.unix_start_time
    assert gwf.read(gwf.write(there), "kth.gwf").submit_time.tolist() == there.submit_time.tolist()
