"""Backfilling: which jobs may overtake, under which reservations. One file per rule; `registry` lists all."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "conservative": "Conservative",
        "easy": "Easy",
        "first_fit": "FirstFit",
        "node_backfill": "NodeBackfill",
        "none": "NoBackfill",
        "plan": "Plan",
        "registry": "ALIASES BACKFILLS",
        "relaxed": "Relaxed",
        "selective": "Selective",
        "slack": "Slack",
    },
)
