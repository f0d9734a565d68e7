"""Backfilling: who may overtake, under which promise. One file a rule; `registry` lists all built in."""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.policies.backfill.conservative import Conservative
    from echelon.policies.backfill.easy import Easy
    from echelon.policies.backfill.first_fit import FirstFit
    from echelon.policies.backfill.node_backfill import NodeBackfill
    from echelon.policies.backfill.none import NoBackfill
    from echelon.policies.backfill.plan import Plan
    from echelon.policies.backfill.registry import ALIASES, BACKFILLS
    from echelon.policies.backfill.relaxed import Relaxed
    from echelon.policies.backfill.selective import Selective
    from echelon.policies.backfill.slack import Slack

__all__ = [
    "ALIASES",
    "BACKFILLS",
    "Conservative",
    "Easy",
    "FirstFit",
    "NoBackfill",
    "NodeBackfill",
    "Plan",
    "Relaxed",
    "Selective",
    "Slack",
]

lazily(
    __name__,
    {
        "conservative": ("Conservative",),
        "easy": ("Easy",),
        "first_fit": ("FirstFit",),
        "node_backfill": ("NodeBackfill",),
        "none": ("NoBackfill",),
        "plan": ("Plan",),
        "registry": ("ALIASES", "BACKFILLS"),
        "relaxed": ("Relaxed",),
        "selective": ("Selective",),
        "slack": ("Slack",),
    },
)
