"""Failure traces: files of when nodes of real machines were down, and what they say for a simulated one."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "failure_trace": "FailureTrace",
        "placing": "PlacedTrace placed_on",
        "trace_reader": "TRACE_READERS parsed_trace read_failure_trace",
        "recognition": "FIRST_LINES is_trace recognized_trace",
    },
)
