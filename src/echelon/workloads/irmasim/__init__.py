"""IRMASim's workloads: jobs with tasks that ask for operations, memory and communication."""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.workloads.irmasim.csv_table import read_csv
    from echelon.workloads.irmasim.formats import CSV, FORMATS, JSON
    from echelon.workloads.irmasim.reading import read_json
    from echelon.workloads.irmasim.writing import write_json

__all__ = ["CSV", "FORMATS", "JSON", "read_csv", "read_json", "write_json"]

lazily(
    __name__,
    {
        "csv_table": ("read_csv",),
        "formats": ("CSV", "FORMATS", "JSON"),
        "reading": ("read_json",),
        "writing": ("write_json",),
    },
)
