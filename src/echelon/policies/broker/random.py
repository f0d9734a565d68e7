"""Random: any allowed site, all with the same probability."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.broker.contract import Information
from echelon.policies.broker.strategy import Strategy

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.broker.contract import GridView


@dataclass(frozen=True, slots=True)
class Random(Strategy):
    """Choose any allowed site, all with the same probability.

    The site at place floor(u k) of the k allowed ones, u the job's number of the stream ``"broker"``.

    Notes
    -----
    Ties: none. Cost: O(1). Source: Quezada Pina, CICESE 2012, section 3.2.1.1; on machines without queues it
    is the rule RandomScheduler of Rodrigues et al., about 2014, where a decision took 0.320 s (Table 2).
    """

    name: ClassVar[str] = "random"
    information: ClassVar[Information] = Information.SITES
    source: ClassVar[str] = "Quezada Pina, CICESE 2012, 3.2.1.1"

    def choose(self, job: Job, view: GridView) -> int:
        """Return the site drawn."""
        return view.allowed[int(view.draw(job) * len(view.allowed))]
