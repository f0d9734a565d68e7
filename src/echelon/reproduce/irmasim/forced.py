"""Forced placement: jobs on the cores on which the study's figures show them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.model import Job
    from echelon.policies.placement import Room


@dataclass(frozen=True, slots=True)
class Forced:
    """Put each job on the cores named for it, as soon as all of them are idle.

    Parameters
    ----------
    by_job : mapping of int to tuple of int
        Cores of each job, by its number.
    """

    by_job: Mapping[int, tuple[int, ...]]

    name: ClassVar[str] = "forced"
    source: ClassVar[str] = "none"

    def place(self, job: Job, cores: int, room: Room) -> Sequence[int] | None:
        """Return the cores of `job`, or None while one of them is not idle; see `Placement`."""
        wanted = self.by_job[job.job_id][:cores]
        nodes = {int(room.hardware.node_of_core[core]) for core in wanted}
        idle = {core for node in nodes for core in room.idle(node)}
        return wanted if idle.issuperset(wanted) else None
