"""The schedulers that are in kernels, too; a run loads its own alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.lazy import Rules

if TYPE_CHECKING:
    from echelon.policies import Scheduler

KINDS: Rules[type[Scheduler]] = Rules(
    "echelon.policies.backfill",
    {
        "none": "none.NoBackfill",
        "first-fit": "first_fit.FirstFit",
        "easy": "easy.Easy",
        "conservative": "conservative.Conservative",
        "plan": "plan.Plan",
        "selective": "selective.Selective",
    },
)
"""By name, exactly these: a class of the user's that is derived from one is not in kernels."""
