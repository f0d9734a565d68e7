"""Copies: which of the jobs that a cluster has under one tag is the one that is followed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.backends.contract import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.backends.contract import OwnJob


def kept(alive: Sequence[OwnJob], native_id: str) -> OwnJob:
    """Return the copy that is followed, of those that wait or run: one that runs, else the oldest.

    Of several the one with the number `native_id`, then the first in the cluster's order.
    """
    running = [one for one in alive if one.state == "running"] or alive
    return next((one for one in running if one.native_id == native_id), running[0])


def younger(alive: Sequence[OwnJob], native_id: str) -> list[OwnJob]:
    """Return the other copies."""
    one = kept(alive, native_id)
    return [other for other in alive if other is not one]


def listed_end(ended: Sequence[OwnJob], native_id: str) -> OwnJob | None:
    """Return what says how the job ended, of copies that have; None if none does.

    A copy that found the claim taken says nothing of the job. An end of another number than `native_id` may
    be that of a copy which was canceled since it was one too many.
    """
    telling = [one for one in ended if one.outcome is not None and one.outcome is not Outcome.UNCLAIMED]
    same = [one for one in telling if one.native_id == native_id]
    others = [one for one in telling if one.outcome is not Outcome.CANCELED]
    return next(iter((*same, *others)), None)
