"""Backfilling: who may overtake, under which promise. One file a rule; this is the list of all built in."""

from echelon.policies.backfill.conservative import Conservative
from echelon.policies.backfill.easy import Easy
from echelon.policies.backfill.first_fit import FirstFit
from echelon.policies.backfill.none import NoBackfill
from echelon.policies.backfill.plan import Plan
from echelon.policies.backfill.selective import Selective

BACKFILLS: tuple[type[NoBackfill | FirstFit | Easy | Conservative | Plan | Selective], ...] = (
    NoBackfill,
    FirstFit,
    Easy,
    Conservative,
    Plan,
    Selective,
)

ALIASES: dict[str, str] = {"fpfs": "first-fit", "aggressive": "first-fit", "cons": "conservative"}

__all__ = ["ALIASES", "BACKFILLS", "Conservative", "Easy", "FirstFit", "NoBackfill", "Plan", "Selective"]
