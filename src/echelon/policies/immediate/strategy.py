"""ImmediateStrategy: the base of brokers for time-shared machines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.broker.contract import GridState, Information, check_decision

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.immediate.contract import ImmediateView


@dataclass(frozen=True, slots=True)
class ImmediateStrategy:
    """A broker for time-shared machines: a name, its criterion, and a value for each site.

    Parameters
    ----------
    decision : float, default 0
        How long a decision takes under ``--decision-time own``, in seconds, finite, >= 0.

    Raises
    ------
    InputError
        If `decision` is out of its range.

    Notes
    -----
    Ties: the lowest site. Cost: one value an allowed site.
    """

    decision: float = field(default=0.0, kw_only=True, metadata={"unit": "s"})

    name: ClassVar[str]
    source: ClassVar[str]
    goes_by: ClassVar[str]
    information: ClassVar[Information] = Information.SITES
    grid_state: ClassVar[GridState] = "actual"
    immediate: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_decision(self.decision, self.name)

    def value(self, job: Job, site: int, view: ImmediateView) -> float:
        """Return what `site` would cost `job`; the least wins."""
        raise NotImplementedError

    def values(self, job: Job, view: ImmediateView) -> list[float]:
        """Return the value of every allowed site, in their order."""
        return [self.value(job, site, view) for site in view.allowed]

    def choose(self, job: Job, view: ImmediateView) -> int:
        """Return the allowed site of least value, on ties the lowest."""
        return min(view.allowed, key=lambda site: self.value(job, site, view))

    def ranking(self, job: Job, view: ImmediateView) -> list[int]:
        """Return all allowed sites, the best first, in the preference of `choose`."""
        values = dict(zip(view.allowed, self.values(job, view), strict=True))
        # The sort is stable: tied sites stay in the order of the allowed sites, by size.
        return sorted(view.allowed, key=values.__getitem__)

    def reason(self, job: Job, site: int, view: ImmediateView) -> str:
        """Return the reason for the rank of `site` as a short text."""
        return f"{self.goes_by} {self.value(job, site, view):.6g}"
