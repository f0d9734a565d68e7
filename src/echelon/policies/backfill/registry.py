"""The backfillings by name; a new backfilling is added here."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from echelon.lazy import Rules

if TYPE_CHECKING:
    from echelon.policies.backfill.conservative import Conservative
    from echelon.policies.backfill.easy import Easy
    from echelon.policies.backfill.node_backfill import NodeBackfill
    from echelon.policies.backfill.plan import Plan
    from echelon.policies.backfill.relaxed import Relaxed
    from echelon.policies.backfill.selective import Selective
    from echelon.policies.backfill.slack import Slack
    from echelon.policies.backfill.without_reservations import FirstFit, NoBackfill

    BuiltIn: TypeAlias = (
        NoBackfill | FirstFit | Easy | Conservative | Plan | Selective | Slack | Relaxed | NodeBackfill
    )

ALIASES: dict[str, str] = {"fpfs": "first-fit", "aggressive": "first-fit", "cons": "conservative"}
"""Aliases of backfillings."""

BACKFILLS: Rules[type[BuiltIn]] = Rules(
    __package__,
    {
        "none": "without_reservations.NoBackfill",
        "first-fit": "without_reservations.FirstFit",
        "easy": "easy.Easy",
        "conservative": "conservative.Conservative",
        "plan": "plan.Plan",
        "selective": "selective.Selective",
        "slack": "slack.Slack",
        "relaxed": "relaxed.Relaxed",
        "node-backfill": "node_backfill.NodeBackfill",
    },
    ALIASES,
)
"""All built-in backfillings, in the sequence of the tables."""
