"""The contract of protocols for decentralized scheduling: which waiting jobs start now, and where.

A protocol is the controller of an inner site and replaces the schedulers of the sites right below: at each
instant, after all ENDs and SUBMITs, it sees all of these and decides which jobs start at which.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.model import Job
    from echelon.model.jobs.columns import IntColumn
    from echelon.policies.contract import Running, Shadow


class StartAt(NamedTuple):
    """Start `job` at `site`; it leaves the queue.

    The site's processors are held for it from now on. It starts now at its home, elsewhere after the
    protocol's latency.
    """

    job: Job
    site: int


class ProtocolView(Protocol):
    """What the sites know of each other at one instant. Read-only.

    Sites are numbered from 0 in the order of the platform's file.
    """

    @property
    def now(self) -> float:
        """The time, in seconds."""

    @property
    def sizes(self) -> Sequence[int]:
        """Processors of every site."""

    @property
    def queue(self) -> Sequence[Job]:
        """All waiting jobs, by submit time, then position, at any site."""

    @property
    def arrived(self) -> Sequence[Job]:
        """The jobs submitted at this instant."""

    def known(self, site: int) -> Sequence[Job]:
        """Return the waiting jobs that `site` knows of, by submit time, then position.

        Its own jobs, and those of other sites that were waiting at the last publication; see
        `Decentralized.refresh`.
        """

    def free(self, site: int) -> int:
        """Return the processors of `site` that no job holds."""

    def can_hold(self, job: Job, site: int) -> bool:
        """Return whether `site` could ever run `job`: it is large enough, and has nodes that suit it."""

    def fits(self, job: Job, site: int) -> bool:
        """Return whether there is room for `job` at `site` now: enough processors, in nodes that suit it."""

    def running(self, site: int) -> Sequence[Running]:
        """Return the jobs that hold processors of `site`, by planned end, then position."""

    def shadow(self, site: int, size: int) -> tuple[float, int]:
        """Return when `size` processors of `site` are planned to be free, and how many more then.

        As `echelon.policies.SystemView.shadow`, on this one site.
        """

    def head_start(self, head: Job, site: int) -> Shadow:
        """Return when blocked `head` is planned to have room at `site`, and which jobs do not delay it there.

        As `echelon.policies.SystemView.head_start`, on this one site.
        """

    def home(self, job: Job) -> int:
        """Return the site at which `job` counts as submitted; see `Decentralized.homes`."""

    def delay(self, job: Job, site: int) -> float:
        """Return the delay until `job` starts at `site` once taken: 0 at its home, otherwise the latency."""


@runtime_checkable
class Decentralized(Protocol):
    """A protocol of decentralized scheduling: sites exchange waiting jobs among themselves."""

    @property
    def name(self) -> str:
        """Name in messages and tables."""

    @property
    def latency(self) -> float:
        """Seconds from taking a job from its home to its start, >= 0."""

    @property
    def refresh(self) -> float:
        """Seconds between publications of the waiting jobs, >= 0; 0: all jobs are known at once.

        Publications are at the multiples of these seconds on the log's clock, after the SUBMITs of that
        instant. A job may be taken by another site only if it waited at the last publication and still
        waits; each site always knows its own jobs.
        """

    def homes(self, sizes: IntColumn, size: IntColumn, submitted: IntColumn) -> IntColumn:
        """Return the site at which each job counts as submitted, shape (n_jobs,).

        The arguments are the processors of every site, the jobs' sizes, and the sites at which the jobs were
        submitted by the log (-1 if unknown).
        """

    def decide(self, view: ProtocolView) -> Iterable[StartAt]:
        """Yield the starts of this instant; each is applied before the next is requested."""
