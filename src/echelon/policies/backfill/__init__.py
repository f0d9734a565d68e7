"""Backfilling: who may overtake, under which promise. One file a rule; `registry` lists all built in."""

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
