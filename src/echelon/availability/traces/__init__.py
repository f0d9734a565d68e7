"""Failure traces: files of when nodes of real machines were down, and what they say for a simulated one."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "failure_trace": "FailureTrace",
        "formats": "TRACE_FORMATS TraceFormat recognized_trace",
        "placing": "PlacedTrace placed_on",
        "reading": "is_trace parsed_trace read_failure_trace",
    },
)
