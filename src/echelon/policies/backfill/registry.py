"""The backfillings by name; a new backfilling is added here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.lazy import Rules

if TYPE_CHECKING:
    from echelon.policies.contract import Scheduler

ALIASES: dict[str, str] = {"fpfs": "first-fit", "aggressive": "first-fit", "cons": "conservative"}
"""Aliases of backfillings."""

BACKFILLS: Rules[type[Scheduler]] = Rules(
    __package__,
    {
        "none": "none.NoBackfill",
        "first-fit": "first_fit.FirstFit",
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
