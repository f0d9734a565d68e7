"""Global queues: which waiting job is sent to which cluster next. One file per rule."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "contract": "Copy Deliver Handing Spread UpperQueue UpperView",
        "limit": "AtMost QueueLimit QueueState Stable",
        "registry": (
            "QUEUE_LIMIT QUEUE_LIMITS UPPER_QUEUE UPPER_QUEUES names_upper_queue queue_limit upper_queue "
            "format_upper_queue"
        ),
    },
    aliases={"upper_queue_words": "format_upper_queue"},
)
