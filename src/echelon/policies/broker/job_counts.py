"""ML and MLp: the fewest jobs, and the fewest jobs per processor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.broker.contract import Information
from echelon.policies.broker.strategy import Strategy, per_processor

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.broker.contract import GridView


@dataclass(frozen=True, slots=True)
class MinimumLoad(Strategy):
    """Choose the site with the fewest jobs, waiting and running: min l_i.

    Notes
    -----
    Ties: the lowest site. Cost: O(allowed sites). Source: Quezada Pina, CICESE 2012, section 1.2.
    """

    name: ClassVar[str] = "ml"
    information: ClassVar[Information] = Information.JOB_COUNTS
    source: ClassVar[str] = "Quezada Pina, CICESE 2012, 1.2"

    def value(self, job: Job, site: int, view: GridView) -> float:
        """Return the number of jobs there."""
        return view.jobs(site)


@dataclass(frozen=True, slots=True)
class MinimumLoadPerProcessor(Strategy):
    """Choose the site with the fewest jobs per processor, waiting and running: min l_i / s_i.

    s_i are the processors in service.

    Notes
    -----
    Ties: the lowest site. Cost: O(allowed sites). Source: Quezada Pina, CICESE 2012, eq. 4.
    """

    name: ClassVar[str] = "mlp"
    information: ClassVar[Information] = Information.JOB_COUNTS
    source: ClassVar[str] = "Quezada Pina, CICESE 2012, eq. 4"

    def value(self, job: Job, site: int, view: GridView) -> float:
        """Return the number of jobs there over the site's processors."""
        return per_processor(view.jobs(site), site, view)
