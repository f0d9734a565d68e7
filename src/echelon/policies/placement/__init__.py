"""Placements: where in a machine a job goes, down to its cores."""

from echelon.policies.placement.contract import Placement, Room

__all__ = ["Placement", "Room"]
