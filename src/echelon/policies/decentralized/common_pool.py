"""Common pool: one queue for all sites, each of which starts what fits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from echelon.policies.decentralized.contract import StartAt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.model.columns import IntColumn
    from echelon.policies.decentralized.contract import PeersView


@dataclass(frozen=True, slots=True)
class CommonPool:
    """List scheduling from one pool of all waiting jobs.

    At each instant every site, the lowest first, goes through the pool by submit time, then position, and
    starts each job that fits its free processors.

    Notes
    -----
    Ties: sites by number, jobs by submit time, then position. Cost: O(sites x queue) an instant.
    Source: "List Common Pool" of Quezada Pina, CICESE 2012, section 5, which does not define it further.
    """

    name: ClassVar[str] = "common-pool"
    source: ClassVar[str] = "Quezada Pina, CICESE 2012, chapter 5"

    @property
    def words(self) -> str:
        """The canonical words."""
        return self.name

    def homes(self, sizes: IntColumn, size: IntColumn, submitted: IntColumn) -> IntColumn:
        """Return where the log says that each job was submitted, else the smallest site that can hold it."""
        return np.where(submitted >= 0, submitted, np.searchsorted(sizes, size))

    def decide(self, view: PeersView) -> Iterator[StartAt]:
        """Yield the starts of this instant."""
        for site in range(len(view.sizes)):
            for job in view.queue:
                if job.processors <= view.free(site):
                    yield StartAt(job, site)
