"""The tables of a run folder, held to a slow writer of its own."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon import Workload, simulate
from echelon.experiments.folders.run_folder import to_whole_numbers, write_run

NAMES = ("ann", 'b "b"', "c, d", "é")
QUARTERS = st.integers(1, 4000).map(lambda number: number / 4)
WHOLE = st.integers(1, 10**6).map(float)


@st.composite
def workloads(draw):
    """Return up to thirty jobs, of whole seconds or with fractions, of users with names and without."""
    seconds = draw(st.sampled_from([QUARTERS, WHOLE]))
    jobs = draw(
        st.lists(
            st.tuples(seconds, seconds, seconds, st.integers(1, 4), st.integers(-1, 6)),
            min_size=1,
            max_size=30,
        )
    )
    submit, run, requested, size, user = map(list, zip(*jobs, strict=True))
    workload = Workload.from_columns(
        submit_time=submit, run_time=run, requested_time=requested, processors=size, user=user
    )
    return replace(workload, names={"user": NAMES})


def _numerals(column):
    """Return a column as it is written: without decimals if all are whole, else each as Python spells it."""
    return (
        [str(int(value)) for value in column] if all(v == int(v) for v in column) else list(map(repr, column))
    )


def _written_slowly(workload, start):
    """Return ``jobs.csv`` from the log and the starts alone, job by job."""
    submit, run, requested = (
        workload.columns[name].tolist() for name in ("submit_time", "run_time", "requested_time")
    )
    wait = [begin - at for begin, at in zip(start, submit, strict=True)]
    turnaround = [waited + ran for waited, ran in zip(wait, run, strict=True)]
    slowdown = [max(1.0, whole / max(ran, 10.0)) for whole, ran in zip(turnaround, run, strict=True)]
    users = [
        "" if code < 0 else NAMES[code - 1] if 1 <= code <= len(NAMES) else str(code)
        for code in workload.user.tolist()
    ]
    end = [begin + ran for begin, ran in zip(start, run, strict=True)]
    columns = {
        "job_id": [str(number) for number in workload.job_id.tolist()],
        **{"submit_time": _numerals(submit), "start_time": _numerals(start), "end_time": _numerals(end)},
        **{"run_time": _numerals(run), "requested_time": _numerals(requested)},
        "processors": [str(size) for size in workload.processors.tolist()],
        **{"wait_time": _numerals(wait), "turnaround_time": _numerals(turnaround)},
        "bounded_slowdown": _numerals(slowdown),
        **{"site": ["cluster"] * len(start), "status": ["completed"] * len(start), "user": users},
    }
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return text.getvalue()


@pytest.mark.slow
@given(workloads(), st.sampled_from(["fcfs", "easy"]))
def test_jobs_are_written_as_a_slow_writer_writes_them(tmp_path_factory, workload, policy):
    """Every byte of ``jobs.csv`` is that of Python's csv module, from the log and the starts alone."""
    result = simulate(workload, processors=4, policy=policy, engine="reference")
    folder = write_run(result, tmp_path_factory.mktemp("run"), {})
    written = (folder / "jobs.csv").read_text(encoding="utf-8")
    assert written == _written_slowly(workload, result.schedule.start_time.tolist())


def test_whole_numbers_of_any_size():
    """Whole columns lose their decimals, wide ones and those with gaps, too; others keep all of theirs."""
    table = pl.DataFrame(
        {
            "narrow": [1.0, -2.0],
            "wide": [3e9, -0.0],
            "gap": pl.Series([7.0, None]),
            "fraction": [1.0, 0.5],
            "nan": [1.0, np.nan],
            "infinite": [1.0, np.inf],
            "huge": [2.0**63, 1.0],
        }
    )
    written = to_whole_numbers(table).write_csv().splitlines()
    assert written[1] == "1,3000000000,7,1.0,1.0,1.0,9.223372036854776e+18"
    assert written[2] == "-2,0,,0.5,NaN,inf,1.0"


def test_a_fraction_far_down_is_seen():
    """A column is whole only if all its rows are, not the first of them."""
    column = np.arange(5000.0)
    column[-1] += 0.5
    assert to_whole_numbers(pl.DataFrame({"time": column}))["time"].dtype == pl.Float64
