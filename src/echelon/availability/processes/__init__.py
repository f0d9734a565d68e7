"""Failure processes: laws of times made outages of nodes, machines, sites and links."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "drawing": "FailingUnit MOST_FAILURES draw_failures failing_units",
        "failure_process": "FailureProcess",
        "renewal": "Downtimes draw_alternating draw_in_sequence",
    },
)
