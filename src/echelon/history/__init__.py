"""History: the experiences of finished runs on multiclusters, kept in a database."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "experiences": "experiences_of",
        "access": "open_history",
    },
)
