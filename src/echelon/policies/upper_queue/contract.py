"""What the upper queue of a multicluster is asked, what it is shown, and what it may answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Iterable, MutableMapping, Sequence

    from echelon.model import Forecast, Job


class Deliver(NamedTuple):
    """Hand `job` to the queue of cluster `site`, where it stays until it starts."""

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
"""What an upper queue may answer."""


class UpperView(Protocol):
    """What a rule of the upper queue may know at one moment. Everything but `notes` is read-only.

    Clusters are numbered from 0 as in the platform.
    """

    @property
    def now(self) -> float:
        """Time of this pass, in seconds."""

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
        """Return the clusters that can hold `job` when they are empty."""

    def accepts(self, job: Job, site: int) -> bool:
        """Return whether the limit of the queue of `site` lets `job` join it now; a rule is to ask."""

    def fits(self, job: Job, site: int) -> bool:
        """Return whether `job` would start at once if it joined the queue of `site` now."""

    def choose(self, job: Job, sites: Sequence[int]) -> int:
        """Return the cluster that the broker chooses for `job` among `sites`, at least one."""

    def forecast(self, job: Job, site: int) -> Forecast:
        """Return the estimator's forecast of `job` in `site`; see `echelon.policies.estimators.forecast`."""

    def waiting(self, site: int) -> Sequence[Job]:
        """Return the queue of `site`, in order."""


@runtime_checkable
class UpperQueue(Protocol):
    """Which job next, and where to? A frozen rule, asked at every event until it dispatches nothing more.

    One that has an attribute ``asks_broker`` that is false never asks the view to choose a cluster, so a
    broker that is named beside it is refused.
    """

    @property
    def name(self) -> str:
        """Name after ``--upper-queue``, kebab-case."""

    def dispatch(self, view: UpperView) -> Iterable[Handing]:
        """Yield the dispatches of this pass; each is applied at once, so the view is always current."""
