"""Brokers of one formula for time-shared machines: least load, wall time, execution time, ready time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from echelon.errors import UnknownNameError
from echelon.policies.broker.contract import Information
from echelon.policies.broker.strategy import per_processor
from echelon.policies.immediate.execution_times import Times, check_times, estimated_time, execution_time
from echelon.policies.immediate.strategy import ImmediateStrategy

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.immediate.contract import ImmediateView


_TIES = ("first", "random")


@dataclass(frozen=True, slots=True)
class LeastCpuLoad(ImmediateStrategy):
    """Choose the machine that published the least load per core: min c_i / np_i.

    Loads are averages over a minute and some seconds old, so jobs that arrive close together all go to one
    machine: the broker ignores jobs that it has just sent there, and the speeds of machines.

    Parameters
    ----------
    ties : {"first", "random"}, default "first"
        The choice among machines of least load: the first in the platform's order, or a random one, by the
        job's number of the stream ``"lottery"``.

    Raises
    ------
    UnknownNameError
        If `ties` is neither word.

    Notes
    -----
    Ties: by `ties`. Cost: O(sites). Source: the rule CPULoadScheduler of Rodrigues et al., about 2014,
    section 3, which does not mention ties; a decision took 0.315 s there (Table 2).
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
        return per_processor(view.load(site), site, view)

    def choose(self, job: Job, view: ImmediateView) -> int:
        """Return the site of least load per core."""
        if self.ties == "first":
            return ImmediateStrategy.choose(self, job, view)
        loads = [self.value(job, site, view) for site in view.allowed]
        least = [site for site, load in zip(view.allowed, loads, strict=True) if load == min(loads)]
        return least[int(view.uniform(job, 0) * len(least))]

    def ranking(self, job: Job, view: ImmediateView) -> list[int]:
        """Return the sites by load per core; tied sites in their order, or starting with the drawn one."""
        ranked = ImmediateStrategy.ranking(self, job, view)
        first = self.choose(job, view)
        return [first, *(site for site in ranked if site != first)]


@dataclass(frozen=True, slots=True)
class EstimatedWallTime(ImmediateStrategy):
    """Choose the machine of least estimated execution time: min tee_ij = tcm_ij max(1, (ce_i + 1) / np_i).

    tcm_ij is the mean CPU time of the job's application at machine i, ce_i its estimated load, np_i its
    cores. A machine where the application has never ended precedes all others, so that it is tried.

    Notes
    -----
    Ties: the lowest site, also among unknown machines. Cost: O(sites). Source: the rule
    WallTimeEstimatedScheduler of Rodrigues et al., about 2014, section 3.3, eqs. 4-7, which does not mention
    unknown machines; they come first, as with "infinite" tickets. A decision took 0.774 s there (Table 2).
    """

    name: ClassVar[str] = "wall-time"
    source: ClassVar[str] = "Rodrigues et al., about 2014, section 3.3"
    goes_by: ClassVar[str] = "CPU times of earlier jobs and estimated loads"

    def value(self, job: Job, site: int, view: ImmediateView) -> float:
        """Return the estimated execution time, in seconds; 0 if unknown."""
        return estimated_time(job, site, view) or 0.0

    def reason(self, job: Job, site: int, view: ImmediateView) -> str:
        """Return CPU time and load of `site`."""
        cpu_time = view.cpu_time(job, site)
        if cpu_time is None:
            return "never ended there"
        return f"CPU time {cpu_time:.6g} s, estimated load {view.estimated_load(site):.4g}"


@dataclass(frozen=True, slots=True)
class MinimumExecutionTime(ImmediateStrategy):
    """Choose the machine of least execution time of the job: min e_ij. Loads are ignored.

    Parameters
    ----------
    times : {"planned", "history"}, default "planned"
        Execution times from the job's planned time and the machine's speed, or the mean CPU time of its
        application there (0 if it has never ended there, so that the machine is tried).

    Raises
    ------
    UnknownNameError
        If `times` is neither word.

    Notes
    -----
    Ties: the lowest site, so one of several equal machines gets all jobs. Cost: O(sites). Source: Maheswaran
    et al., HCW 1999, immediate mode.
    """

    times: Times = "planned"

    name: ClassVar[str] = "met"
    source: ClassVar[str] = "Maheswaran et al., HCW 1999"
    goes_by: ClassVar[str] = "execution time"
    information: ClassVar[Information] = Information.ESTIMATES

    def __post_init__(self) -> None:
        ImmediateStrategy.__post_init__(self)
        check_times(self.times, self.name)

    def value(self, job: Job, site: int, view: ImmediateView) -> float:
        """Return the execution time, in seconds."""
        return execution_time(job, site, view, self.times)


@dataclass(frozen=True, slots=True)
class OpportunisticLoadBalancing(ImmediateStrategy):
    """Choose the machine that completes its jobs first: min r_i. Its speed for the job is ignored.

    Notes
    -----
    Ties: the lowest site; the source takes any. Cost: O(sites). Source: Maheswaran et al., HCW 1999,
    immediate mode.
    """

    name: ClassVar[str] = "olb"
    source: ClassVar[str] = "Maheswaran et al., HCW 1999"
    goes_by: ClassVar[str] = "ready at"
    information: ClassVar[Information] = Information.ESTIMATES

    def value(self, job: Job, site: int, view: ImmediateView) -> float:
        """Return the ready time, in seconds."""
        return view.ready_time(site)
