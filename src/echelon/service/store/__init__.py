"""Store: what a service keeps, in SQLite or PostgreSQL, so that it loses nothing that it has said."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "opening": "migrate",
        "reader": "Finished",
        "retention": "Retention",
        "store": "Store",
        "tokens": "TokenRecord",
    },
)
