"""The formats of IRMASim's workloads: a JSON file, and the same as a table."""

from __future__ import annotations

from echelon.workloads.formats.format import Format
from echelon.workloads.irmasim.csv_table import looks_like_csv, read_csv
from echelon.workloads.irmasim.reader import looks_like_json, read_json
from echelon.workloads.irmasim.writer import write_json

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
FORMATS = (JSON, CSV)
