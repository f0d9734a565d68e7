"""Failure traces: files of when nodes of real machines were down, and what they say for a simulated one."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "failure_trace": "FailureTrace",
        "placing": "PlacedTrace place_trace",
        "trace_reader": "TRACE_READERS parse_trace read_failure_trace",
        "recognition": "FIRST_LINES is_trace recognize_trace",
    },
)
