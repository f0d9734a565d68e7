"""The contract of global queues of multiclusters: the view that a rule reads and its dispatches."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Iterable, MutableMapping, Sequence

    from echelon.model import Forecast, Job


class Deliver(NamedTuple):
    """Send `job` to the queue of cluster `site`, where it stays until it starts."""

    job: Job
    site: int


class Spread(NamedTuple):
    """Start `job` now with tasks in several clusters, if the co-allocation finds nodes for it."""

    job: Job


class Copy(NamedTuple):
    """Put copies of `job` into the queues of these clusters; the first to start cancels the others."""

    job: Job
    sites: tuple[int, ...]


Handing: TypeAlias = Deliver | Spread | Copy
"""The decisions of a global queue."""


class GlobalQueueView(Protocol):
    """What a rule of the global queue may know at one instant. Everything but `notes` is read-only.

    Clusters are numbered from 0 as in the platform.
    """

    @property
    def now(self) -> float:
        """Time of this scheduling cycle, in seconds."""

    @property
    def queue(self) -> Sequence[Job]:
        """Waiting jobs by arrival."""

    @property
    def sites(self) -> int:
        """Number of clusters."""

    @property
    def version(self) -> int:
        """A number that rises with every event anywhere: job, owner, queue."""

    @property
    def notes(self) -> MutableMapping[int, tuple[int, int]]:
        """By position of the job: the cluster chosen for it earlier, and the `version` it was chosen at."""

    def able(self, job: Job) -> Sequence[int]:
        """Return the clusters that can hold `job` when they are empty.

        Where machines change: those of which enough is in service for it now, or all if none is such.
        """

    def accepts(self, job: Job, site: int) -> bool:
        """Return whether the queue limit of `site` lets `job` join now; a rule must check this."""

    def fits(self, job: Job, site: int) -> bool:
        """Return whether `job` would start at once if it joined the queue of `site` now."""

    def choose(self, job: Job, sites: Sequence[int]) -> int:
        """Return the cluster that the broker chooses for `job` among `sites`, at least one."""

    def forecast(self, job: Job, site: int) -> Forecast:
        """Return the estimator's forecast of `job` in `site`; see `echelon.policies.estimators.forecast`."""

    def waiting(self, site: int) -> Sequence[Job]:
        """Return the queue of `site`, in order."""


@runtime_checkable
class GlobalQueueRule(Protocol):
    """A rule of the global queue: dispatches jobs at every event. A frozen rule with its parameters.

    A rule whose attribute ``asks_broker`` is false never lets a broker choose the cluster, so naming a broker
    with it is an error.
    """

    @property
    def name(self) -> str:
        """Name after ``--global-queue``, kebab-case."""

    def dispatch(self, view: GlobalQueueView) -> Iterable[Handing]:
        """Yield the dispatches of this cycle; each is applied at once, so the view is always current."""
