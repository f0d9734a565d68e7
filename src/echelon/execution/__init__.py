"""Execution: the speed of tasks, by their cores and by contention."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "constant": "Constant",
        "contract": "Load MemoryModel NetworkModel Traffic",
        "execution": "Execution",
        "memory_share": "MemoryShare",
        "memory_v1": "MemoryV1",
        "memory_v2": "MemoryV2",
        "proportional": "Proportional",
        "registry": (
            "MEMORY_MODELS NETWORK_MODELS execution_named execution_of network_named network_of "
            "format_network time_shared_named time_shared_of format_time_shared"
        ),
        "speed_factor": "speed_factor",
        "time_shared": "TimeShared",
    },
    aliases={"network_words": "format_network", "time_shared_words": "format_time_shared"},
)
