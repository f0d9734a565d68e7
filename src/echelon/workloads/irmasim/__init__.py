"""IRMASim's workloads: jobs with tasks that ask for operations, memory and communication."""

from __future__ import annotations

from echelon.workloads.formats import Format
from echelon.workloads.irmasim.reading import looks_like_json, read_json
from echelon.workloads.irmasim.writing import write_json

FORMAT = Format(
    name="irmasim",
    suffixes=(".json",),
    summary="IRMASim's workload.json: sequential and MPI jobs with operations, memory and communication.",
    source="Herrera et al., CCGrid 2021; Cuevas Cuesta, Universidad de Cantabria 2022",
    read=read_json,
    write=write_json,
    recognizes=looks_like_json,
)

__all__ = ["FORMAT", "looks_like_json", "read_json", "write_json"]
