"""Preemptive scheduling: which jobs run is decided repeatedly. One file per rule; `registry` lists all."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "priority": "PreemptivePriority",
        "registry": "PREEMPTIVE",
        "round_robin": "RoundRobin",
        "srtf": "ShortestRemainingTimeFirst",
    },
)
