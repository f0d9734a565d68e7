"""Preemptive scheduling: who runs now, decided again and again. One file a rule; `registry` lists all."""

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
