"""IRMASim's workloads: jobs with tasks that ask for operations, memory and communication."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "csv_table": "read_csv",
        "formats": "CSV FORMATS JSON",
        "reader": "read_json",
        "writer": "write_json",
    },
)
