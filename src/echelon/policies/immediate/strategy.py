"""ImmediateStrategy: what all rules for machines without queues are that choose the site of one job."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.broker.contract import Belief, Information
from echelon.policies.immediate.decision_time import check_decision

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.immediate.contract import ImmediateView


@dataclass(frozen=True, slots=True)
class ImmediateStrategy:
    """A name, what it goes by, and a value for each site; for machines without queues only.

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
    belief: ClassVar[Belief] = "execution"
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
        """Return all allowed sites, the best first, as `choose` prefers them."""
        values = dict(zip(view.allowed, self.values(job, view), strict=True))
        # Stable: those that tie stay in the order of the allowed ones, by size.
        return sorted(view.allowed, key=values.__getitem__)

    def reason(self, job: Job, site: int, view: ImmediateView) -> str:
        """Return why `site` stands where it does, for people, in a few words."""
        return f"{self.goes_by} {self.value(job, site, view):.6g}"
