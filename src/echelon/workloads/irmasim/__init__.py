"""IRMASim's workloads: jobs with tasks that ask for operations, memory and communication."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "formats": "CSV JSON read_csv",
        "reader": "read_json",
        "writer": "write_json",
    },
)
