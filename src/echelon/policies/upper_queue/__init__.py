"""Upper queues: which waiting job is handed to which cluster next. One file a rule."""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.policies.upper_queue.contract import Copy, Deliver, Handing, Spread, UpperQueue, UpperView
    from echelon.policies.upper_queue.limit import AtMost, QueueLimit, QueueState, Stable
    from echelon.policies.upper_queue.registry import (
        QUEUE_LIMIT,
        QUEUE_LIMITS,
        UPPER_QUEUE,
        UPPER_QUEUES,
        names_upper_queue,
        queue_limit,
        upper_queue,
        upper_queue_words,
    )

__all__ = [
    "QUEUE_LIMIT",
    "QUEUE_LIMITS",
    "UPPER_QUEUE",
    "UPPER_QUEUES",
    "AtMost",
    "Copy",
    "Deliver",
    "Handing",
    "QueueLimit",
    "QueueState",
    "Spread",
    "Stable",
    "UpperQueue",
    "UpperView",
    "names_upper_queue",
    "queue_limit",
    "upper_queue",
    "upper_queue_words",
]

lazily(
    __name__,
    {
        "contract": ("Copy", "Deliver", "Handing", "Spread", "UpperQueue", "UpperView"),
        "limit": ("AtMost", "QueueLimit", "QueueState", "Stable"),
        "registry": (
            "QUEUE_LIMIT",
            "QUEUE_LIMITS",
            "UPPER_QUEUE",
            "UPPER_QUEUES",
            "names_upper_queue",
            "queue_limit",
            "upper_queue",
            "upper_queue_words",
        ),
    },
)
