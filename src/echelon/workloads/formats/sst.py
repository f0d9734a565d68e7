"""SST's ``.sim`` file: the job trace its scheduler component reads; and all formats of SST.

Source: the Structural Simulation Toolkit's element `scheduler`, as a published study of its policies on the
SDSC SP2 log used it.
"""

from __future__ import annotations

import math

import numpy as np

from echelon.model.jobs.workload import Workload
from echelon.workloads.formats.format import Format
from echelon.workloads.formats.sst_time import FORMAT as TIME
from echelon.workloads.formats.sst_time import time_file
from echelon.workloads.formats.text.lines import cut_anomaly, number_lines, text_of
from echelon.workloads.formats.text.rows import joined_rows, refuse_unfit, split_rows, with_anomalies

SIM_FIELDS = ("submit time", "processors", "run time", "requested time")


def read_sim(data: bytes, name: str) -> Workload:
    """Return the jobs of a ``.sim`` file: submit time, processors, run time, requested time, a line each.

    Parameters
    ----------
    data : bytes
        The whole file, decompressed.
    name : str
        The file as the user gave it, for messages.

    Returns
    -------
    Workload
        ``job_id`` is the 0-based place of the job's line, as SST numbers jobs. Processors count as allocated.

    Raises
    ------
    InputError
        If the file is empty or binary, a line has not four numbers, or processors are no whole number.

    Notes
    -----
    Cost: O(bytes).
    """
    rows = list(number_lines(text_of(data, name, expected="an SST .sim file")))
    submit, processors, run, requested = split_rows(rows, SIM_FIELDS, file=name)
    workload = Workload.from_columns(
        name=name,
        job_id=np.arange(len(rows)),
        submit_time=submit.floats(),
        allocated_processors=processors.ints(),
        run_time=run.floats(),
        requested_time=requested.floats(),
    )
    return with_anomalies(workload, cut_anomaly(data), [row.number for row in rows])


def write_sim(workload: Workload) -> bytes:
    """Return `workload` as a ``.sim`` file; only the four fields of the format are kept.

    Every job is written, in the workload's order, or none: the format has no comments in which dropped jobs
    could be recorded. SST wants submit times to rise:
    `echelon.workloads.transform.sort_by_submit` sees to it.

    Raises
    ------
    InputError
        If a job has no run time > 0, no size or a negative submit time, which SST cannot simulate;
        `echelon.workloads.transform.runnable` leaves such jobs out and records it.
    """
    refuse_unfit(workload, "run time > 0", workload.run_time > 0)
    refuse_unfit(workload, "number of processors", workload.processors > 0)
    refuse_unfit(workload, "submit time >= 0", workload.submit_time >= 0)
    columns = (workload.submit_time, workload.processors, workload.run_time, workload.requested_time)
    return joined_rows(columns, separator=" ").encode()


def _four_numbers(head: bytes) -> bool:
    first = next((line.split() for line in head.split(b"\n") if line.strip()), [])
    return len(first) == len(SIM_FIELDS) and all(_is_number(token) for token in first)


def _is_number(token: bytes) -> bool:
    try:
        return math.isfinite(float(token))
    except ValueError:
        return False


SIM = Format(
    name="sst-sim",
    suffixes=(".sim",),
    summary="SST's job trace: submit time, processors, run time and requested time, one job per line.",
    source="SST scheduler, job trace",
    read=read_sim,
    write=write_sim,
    recognizes=_four_numbers,
)
FORMATS = (SIM, TIME)

__all__ = ["FORMATS", "SIM", "TIME", "read_sim", "time_file", "write_sim"]
