"""The compiled engine: kernels over arrays, equal to the reference engine start time for start time."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "engine": "simulate supports",
    },
)
