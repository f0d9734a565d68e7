"""The contract of metaschedulers on time-shared machines: their view and their decisions.

A *broker* chooses the site of one job when its turn comes, and the job starts there at once: see
`echelon.policies.broker.contract.Broker`; on such machines its view is an `ImmediateView`. A *dispatcher*
sees all jobs that are not dispatched yet, may leave them waiting, and may replicate and cancel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias, runtime_checkable

from echelon.policies.broker.contract import GridView
from echelon.policies.contract import Wake

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.model import Job


class ImmediateView(GridView, Protocol):
    """What a metascheduler knows of time-shared machines, in addition to the view of any grid. Read-only.

    There are two kinds of information. Some is available without asking users: published loads and the CPU
    times of earlier runs of the same application. Planning heuristics also assume execution times, from the
    jobs' planned times and the speeds of the machines.
    """

    def load(self, site: int) -> float:
        """Return the load average that `site` published last, in processes; up to one period old (c_s)."""

    def estimated_load(self, site: int) -> float:
        """Return the load of `site` corrected for jobs dispatched and ended within the last window (ce_i).

        Source: Rodrigues et al., equations 6 and 7. In processes.
        """

    def cpu_time(self, job: Job, site: int) -> float | None:
        """Return the moving average of the CPU times of `job`'s application at `site` (tcm_ij), in seconds.

        None if the application has never ended there.
        """

    def uniform(self, job: Job, turn: int) -> float:
        """Return a uniform random number in [0, 1) of `job`: a different one for each turn 0, 1, 2 ...

        Of the stream ``"lottery"`` of the run's seed, so that no policy changes the numbers of another.
        """

    @property
    def speeds(self) -> Sequence[float]:
        """Speed of a core of every site."""

    def execution_time(self, job: Job, site: int) -> float:
        """Return the execution time of `job` alone at `site`, from its planned time, in seconds (ETC)."""

    def ready_time(self, site: int) -> float:
        """Return when `site` is planned to complete all its jobs, in seconds, >= now.

        All cores of the machine work on what is left: remaining planned work over speed x cores.
        """


class DispatchView(ImmediateView, Protocol):
    """The additional view of a dispatcher."""

    @property
    def waiting(self) -> Sequence[Job]:
        """Jobs submitted and not dispatched anywhere yet, by submit time, then position."""

    @property
    def running(self) -> Sequence[Job]:
        """Jobs that run somewhere, in the order of their first dispatch."""

    def processes(self, site: int) -> int:
        """Return the number of processes at `site`."""

    def fits(self, job: Job) -> Sequence[int]:
        """Return the sites with at least as many cores as `job` has processes."""

    def replicas(self, job: Job) -> Sequence[int]:
        """Return the sites where copies of `job` run, in the order of their dispatch."""


def has_room(view: DispatchView, job: Job, site: int) -> bool:
    """Return whether `site` would have no more processes than cores with `job`."""
    return view.processes(site) + job.processors <= view.in_service[site]


def any_room(view: DispatchView) -> bool:
    """Return whether any machine has a core without a process."""
    return any(view.processes(site) < cores for site, cores in enumerate(view.in_service))


class Dispatch(NamedTuple):
    """Run a copy of `job` at `site` from now on; the first copy that ends is the job's end."""

    job: Job
    site: int


class Cancel(NamedTuple):
    """End the copy of `job` at `site` now, unfinished; its last copy cannot be canceled.

    When a copy ends by itself, the engine cancels the others.
    """

    job: Job
    site: int


DispatchDecision: TypeAlias = Dispatch | Cancel | Wake


@runtime_checkable
class Dispatcher(Protocol):
    """A dispatcher: sends waiting jobs to machines after submissions and ends and at requested times."""

    @property
    def name(self) -> str:
        """Name in messages and tables."""

    @property
    def dispatches(self) -> bool:
        """Always true; distinguishes a dispatcher from a scheduler of a queue."""

    def decide(self, view: DispatchView) -> Iterator[DispatchDecision]:
        """Yield decisions; each is applied before the next is requested.

        If decisions take time, a scheduling cycle ends with its first `Dispatch`, and the next cycle starts
        when that time is over.
        """
