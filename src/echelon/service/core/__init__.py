"""Core of the service: what it does as a function of what it observes, without a clock and without I/O."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "controllers.choices": "Assign Choice Recall Reject Stop",
        "service_core": "ServiceCore",
        "submissions": "submission_of",
    },
)
