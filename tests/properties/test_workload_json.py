"""workload.json: what is written reads back, and no change to a file does more than raise InputError."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.errors import InputError
from echelon.model import Demand, Demands, Header, TaskGroup, Workload
from echelon.workloads.irmasim import CSV, JSON, read_csv, read_json, write_json

AMOUNTS = st.just(0.0) | st.floats(1e-9, 1e21)
TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=6)
GROUPS = st.builds(TaskGroup, st.integers(1, 10**6), st.floats(1e-3, 1e25), AMOUNTS, AMOUNTS)
DEMANDS = st.builds(
    Demand,
    st.lists(GROUPS, min_size=1, max_size=3).map(tuple),
    st.booleans(),
    st.integers(0, 5),
    st.integers(0, 5),
    AMOUNTS,
    st.floats(0, 1),
)


@st.composite
def tasked(draw: st.DrawFn) -> Workload:
    """Draw a workload of 1 to 6 jobs with demands, whose other columns follow from them or do not."""
    demands = Demands.of(draw(st.lists(DEMANDS, min_size=1, max_size=6)))
    n = len(demands)

    def column(values: st.SearchStrategy[Any]) -> list[Any]:
        return draw(st.lists(values, min_size=n, max_size=n))

    made = Workload.from_columns(
        job_id=column(st.integers(-5, 2**50)),
        submit_time=column(st.floats(0, 1e9)),
        run_time=column(st.just(-1.0) | st.floats(0, 1e9)),
        requested_time=column(st.just(-1.0) | st.floats(0, 1e9)),
        requested_processors=demands.size if draw(st.booleans()) else column(st.integers(-1, 2**50)),
        allocated_processors=column(st.integers(-1, 100)),
        user=column(st.integers(-1, 3)),
    )
    return replace(
        made,
        demands=demands,
        labels=draw(st.none() | st.just(tuple(column(TEXTS | st.integers(0, 99).map(str))))),
        header=Header(tuple(draw(st.lists(st.tuples(st.none() | TEXTS, TEXTS), max_size=3)))),
        names=draw(st.just({}) | st.just({"user": ("ann", "bob", "eve")})),
    )


@examples(150)
@given(workload=tasked())
def test_reads_back_equal(workload):
    """Demands to the last bit, columns, labels, header and names come back from a written file."""
    again = read_json(write_json(workload), "again.json")
    assert again == workload
    assert again.header == workload.header
    assert again.names == workload.names


PUBLIC = {
    "nb_res": 8,
    "jobs": [
        {"id": "a", "subtime": 0, "res": 2, "profile": "p"},
        {"id": "b", "subtime": 1.5, "ntasks": 4, "nodes": 2, "req_ops": 1e9, "ipc": 1.5, "req_time": 3},
        {
            "id": 3,
            "subtime": 2,
            "job_type": 2,
            "num_nodes": 2,
            "comm_vol": 2e8,
            "t_compute": 0.9,
            "tasks": [{"id_task": 1, "profile_task": "p"}, {"id_task": 2, "profile_task": "p"}],
        },
    ],
    "profiles": {"p": {"req_ops": 5, "ipc": 2.0, "req_time": 1, "mem": 500, "mem_vol": 1e6}},
    "units": {"mem": "MB"},
}
ODD = st.sampled_from(
    [None, True, -1, 0, 1.5, 2**80, 1e400, float("nan"), "x", "", [], {}, [1], {"req_ops": 1}, "p", "2"]
)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, child in inside for found in _places(child, (*path, key)))]


PLACES = _places(PUBLIC)[1:]


def _changed(path: tuple[Any, ...], value: Any, *, renamed: str | None) -> Any:
    copy = json.loads(json.dumps(PUBLIC))
    holder = copy
    for key in path[:-1]:
        holder = holder[key]
    if renamed is not None and isinstance(holder, dict):
        holder[renamed] = holder.pop(path[-1])
    else:
        holder[path[-1]] = value
    return copy


@examples(300)
@given(path=st.sampled_from(PLACES), value=ODD, renamed=st.none() | st.sampled_from(["res", "x", "TASKS"]))
def test_any_value_anywhere_reads_or_is_refused(path, value, renamed):
    """Whatever stands in the place of a value, the file reads or is an InputError that names it."""
    data = json.dumps(_changed(path, value, renamed=renamed)).encode()
    try:
        assert read_json(data, "odd.json").demands is not None
    except InputError as error:
        assert str(error).startswith("odd.json")  # noqa: PT017


@examples(200)
@given(data=st.data())
def test_any_bytes_read_or_are_refused(data):
    """Bytes changed, cut or put in anywhere do no more than raise InputError."""
    whole = json.dumps(PUBLIC).encode()
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, min(len(whole), start + 20)))
    put = data.draw(
        st.binary(max_size=6) | st.sampled_from([b"[" * 5000, b"9" * 5000, b"1e9999999999", b"NaN"])
    )
    mutated = whole[:start] + put + whole[end:]
    JSON.recognizes(mutated[:4096])
    try:
        read_json(mutated, "odd.json")
    except InputError:
        return


CSV_FILE = (
    b"id,subtime,runtime,nodes,ntasks,req_time,req_ops,application\na,0,1,1,2,3,4e9,ep\nb,1,,,2,,1e9,\n"
)


@examples(150)
@given(data=st.data())
def test_any_table_reads_or_is_refused(data):
    """Bytes of the CSV changed, cut or put in anywhere do no more than raise InputError."""
    start = data.draw(st.integers(0, len(CSV_FILE)))
    end = data.draw(st.integers(start, len(CSV_FILE)))
    put = data.draw(st.binary(max_size=6) | st.sampled_from([b",", b"\n", b"1e999", b"nan", b'"', b"-1"]))
    mutated = CSV_FILE[:start] + put + CSV_FILE[end:]
    CSV.recognizes(mutated)
    try:
        assert read_csv(mutated, "odd.csv").demands is not None
    except InputError:
        return


@pytest.mark.parametrize("shift", ["B", "KB", "MB", "GB"])
@examples(60)
@given(value=st.floats(1e-9, 1e12))
def test_units_scale_exactly(shift, value):
    """A volume in another unit is the decimal number times the power of ten, rounded once."""
    power = {"B": 0, "KB": 3, "MB": 6, "GB": 9}[shift]
    job = {"subtime": 0, "res": 1, "req_ops": 1, "mem_vol": value}
    read = read_json(json.dumps({"units": {"mem_vol": shift}, "jobs": [job]}).encode(), "u.json")
    assert read.demands is not None
    mantissa, _, exponent = repr(value).partition("e")
    assert read.demands.memory_volume[0] == np.float64(f"{mantissa}e{int(exponent or 0) + power}")
