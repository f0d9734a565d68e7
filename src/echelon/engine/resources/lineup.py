"""CountedLineup: jobs that may run side by side on a machine of counted processors."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from echelon.model import Job


class CountedLineup:
    """Implements `echelon.policies.contract.Lineup`: there is room while processors are left.

    Parameters
    ----------
    processors : int
        Of the machine.

    Attributes
    ----------
    free : int
        Processors that are left beside the jobs added.
    """

    __slots__ = ("free",)

    def __init__(self, processors: int) -> None:
        self.free = processors

    def admits(self, job: Job) -> bool:
        """See `Lineup.admits`. Cost: O(1)."""
        return job.processors <= self.free

    def add(self, job: Job) -> None:
        """See `Lineup.add`."""
        self.free -= job.processors
