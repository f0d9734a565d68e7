"""Backfilling: who may overtake, under which promise. One file a rule; this is the list of all built in."""

from echelon.policies.backfill.conservative import Conservative
from echelon.policies.backfill.easy import Easy
from echelon.policies.backfill.first_fit import FirstFit
from echelon.policies.backfill.node_backfill import NodeBackfill
from echelon.policies.backfill.none import NoBackfill
from echelon.policies.backfill.plan import Plan
from echelon.policies.backfill.relaxed import Relaxed
from echelon.policies.backfill.selective import Selective
from echelon.policies.backfill.slack import Slack

BACKFILLS: tuple[
    type[NoBackfill | FirstFit | Easy | Conservative | Plan | Selective | Slack | Relaxed | NodeBackfill], ...
] = (
    NoBackfill,
    FirstFit,
    Easy,
    Conservative,
    Plan,
    Selective,
    Slack,
    Relaxed,
    NodeBackfill,
)

ALIASES: dict[str, str] = {"fpfs": "first-fit", "aggressive": "first-fit", "cons": "conservative"}

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
