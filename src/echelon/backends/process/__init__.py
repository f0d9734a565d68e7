"""Process: a cluster of processors of this machine, whose jobs outlive the service."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "backend": "ProcessBackend",
    },
)
