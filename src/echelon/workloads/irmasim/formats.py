"""The formats of IRMASim's workloads: a JSON file, and the same as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.workloads.formats.format import Format
from echelon.workloads.formats.text.delimited_text import names_of, read_delimited
from echelon.workloads.irmasim.json_text import Literal
from echelon.workloads.irmasim.names import JOB_NAMES
from echelon.workloads.irmasim.problems import Problems
from echelon.workloads.irmasim.reader import looks_like_json, read_json, workload_of
from echelon.workloads.irmasim.records import Records, squeeze
from echelon.workloads.irmasim.writer import write_json

if TYPE_CHECKING:
    from echelon.model import Workload


def read_csv(data: bytes, name: str) -> Workload:
    """Return the jobs of IRMASim's CSV file, whose columns are keys of the jobs of `read_json`.

    Returns
    -------
    Workload
        As `read_json` has it; an empty cell is a key that is not given. There are no profiles, and tasks are
        equal.

    Raises
    ------
    InputError
        If the file is empty, binary or not a table, or anything in it is wrong: all mistakes are reported
        together, with line and column.
    """
    table = read_delimited(data, name, expected="a table of jobs")
    names = list(table.columns)
    rows = zip(*(table.columns[column].to_list() for column in names), strict=True)
    objects = [
        {column: Literal(text.strip()) for column, text in zip(names, row, strict=True) if text.strip()}
        for row in rows
    ]
    lines = table.lines.tolist()
    jobs = Records(objects, lambda place: f"line {lines[place]}", JOB_NAMES, Problems(name))
    return workload_of(jobs, {})


def looks_like_csv(head: bytes) -> bool:
    """Return whether the first line names a submission time and operations as IRMASim does."""
    return {"subtime", "reqops"} <= {squeeze(name) for name in names_of(head)}


SOURCE = "Herrera et al., CCGrid 2021; Cuevas Cuesta, Universidad de Cantabria 2022"

JSON = Format(
    name="irmasim",
    suffixes=(".json",),
    summary="IRMASim's workload.json: sequential and MPI jobs with operations, memory and communication.",
    source=SOURCE,
    read=read_json,
    write=write_json,
    recognizes=looks_like_json,
)
CSV = Format(
    name="irmasim-csv",
    suffixes=(".csv",),
    summary="The same jobs as a table, whose columns are the jobs' keys; read only.",
    source=SOURCE,
    read=read_csv,
    recognizes=looks_like_csv,
)
