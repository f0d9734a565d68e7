"""CPU load: the machine that publishes the least load for each of its cores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from echelon.errors import UnknownNameError
from echelon.policies.immediate.strategy import ImmediateStrategy

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.immediate.contract import ImmediateView

_TIES = ("first", "random")


@dataclass(frozen=True, slots=True)
class LeastCpuLoad(ImmediateStrategy):
    """Choose the machine that published the least load per core: min c_i / np_i.

    Loads are averages of a minute and some seconds old, so jobs that come close together all go to one
    machine: it takes no account of what it has just sent there, nor of how fast machines are.

    Parameters
    ----------
    ties : {"first", "random"}, default "first"
        Who is taken of those of least load: the first in the platform's order, or any, by the job's number
        of the stream ``"lottery"``.

    Raises
    ------
    UnknownNameError
        If `ties` is neither word.

    Notes
    -----
    Ties: as said. Cost: O(sites). Source: the rule CPULoadScheduler of Rodrigues et al., about 2014, section
    3, which does not tell of ties; a decision took 0.315 s there (Table 2).
    """

    ties: Literal["first", "random"] = "first"

    name: ClassVar[str] = "cpu-load"
    source: ClassVar[str] = "Rodrigues et al., about 2014, section 3"
    goes_by: ClassVar[str] = "published load per core"

    def __post_init__(self) -> None:
        ImmediateStrategy.__post_init__(self)
        if self.ties not in _TIES:
            raise UnknownNameError("way with ties of cpu-load", str(self.ties), _TIES)

    def value(self, job: Job, site: int, view: ImmediateView) -> float:
        """Return the load per core, in processes."""
        return view.load(site) / view.sizes[site]

    def choose(self, job: Job, view: ImmediateView) -> int:
        """Return the site of least load per core."""
        if self.ties == "first":
            return ImmediateStrategy.choose(self, job, view)
        loads = [self.value(job, site, view) for site in view.allowed]
        least = [site for site, load in zip(view.allowed, loads, strict=True) if load == min(loads)]
        return least[int(view.uniform(job, 0) * len(least))]

    def ranking(self, job: Job, view: ImmediateView) -> list[int]:
        """Return the sites by load per core; those that tie in their order, or behind the one drawn."""
        ranked = ImmediateStrategy.ranking(self, job, view)
        first = self.choose(job, view)
        return [first, *(site for site in ranked if site != first)]
