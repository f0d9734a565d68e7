"""Global queues: which waiting job is sent to which cluster next. One file per rule."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "contract": "Copy Deliver Handing Spread GlobalQueueRule GlobalQueueView",
        "limit": "AtMost QueueLimit QueueState Stable",
        "registry": (
            "QUEUE_LIMIT QUEUE_LIMITS GLOBAL_QUEUE GLOBAL_QUEUES names_global_queue queue_limit global_queue "
            "format_global_queue"
        ),
    },
    aliases={
        "upper_queue_words": "format_global_queue",
        "format_upper_queue": "format_global_queue",
        "names_upper_queue": "names_global_queue",
        "upper_queue": "global_queue",
        "UPPER_QUEUE": "GLOBAL_QUEUE",
        "UPPER_QUEUES": "GLOBAL_QUEUES",
        "UpperQueue": "GlobalQueueRule",
        "UpperView": "GlobalQueueView",
    },
)
