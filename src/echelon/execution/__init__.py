"""Execution: the speed of tasks, by their cores and by contention."""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.execution.constant import Constant
    from echelon.execution.contract import Load, MemoryModel, NetworkModel, Traffic
    from echelon.execution.execution import Execution
    from echelon.execution.memory_share import MemoryShare
    from echelon.execution.memory_v1 import MemoryV1
    from echelon.execution.memory_v2 import MemoryV2
    from echelon.execution.proportional import Proportional
    from echelon.execution.registry import (
        MEMORY_MODELS,
        NETWORK_MODELS,
        execution_named,
        execution_of,
        network_named,
        network_of,
        network_words,
        time_shared_named,
        time_shared_of,
        time_shared_words,
    )
    from echelon.execution.speed_factor import speed_factor
    from echelon.execution.time_shared import TimeShared

__all__ = [
    "MEMORY_MODELS",
    "NETWORK_MODELS",
    "Constant",
    "Execution",
    "Load",
    "MemoryModel",
    "MemoryShare",
    "MemoryV1",
    "MemoryV2",
    "NetworkModel",
    "Proportional",
    "TimeShared",
    "Traffic",
    "execution_named",
    "execution_of",
    "network_named",
    "network_of",
    "network_words",
    "speed_factor",
    "time_shared_named",
    "time_shared_of",
    "time_shared_words",
]

lazily(
    __name__,
    {
        "constant": ("Constant",),
        "contract": ("Load", "MemoryModel", "NetworkModel", "Traffic"),
        "execution": ("Execution",),
        "memory_share": ("MemoryShare",),
        "memory_v1": ("MemoryV1",),
        "memory_v2": ("MemoryV2",),
        "registry": (
            "MEMORY_MODELS",
            "NETWORK_MODELS",
            "execution_named",
            "execution_of",
            "network_named",
            "network_of",
            "network_words",
            "time_shared_named",
            "time_shared_of",
            "time_shared_words",
        ),
        "proportional": ("Proportional",),
        "speed_factor": ("speed_factor",),
        "time_shared": ("TimeShared",),
    },
)
