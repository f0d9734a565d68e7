"""What a broker is asked, what it is shown, and what it may answer.

A broker chooses, when a job arrives, the site that will run it; the site's local scheduler does the rest.
What a strategy may ask the view depends on its level of information: it gets an error if it asks for more.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeAlias, get_args, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model import Forecast, Job

Belief: TypeAlias = Literal["allocation", "execution"]
"""Which schedule a broker looks at.

``allocation``: its own, in which every job runs for its planned time and nobody tells it of earlier ends.
``execution``: what the sites know now: the jobs really there, running ones until their planned ends.
"""

BELIEFS: tuple[str, ...] = get_args(Belief)


class Information(IntEnum):
    """What a strategy needs to know of the sites, besides their sizes; each level includes those below.

    Source: Quezada Pina, CICESE 2012, section 1.2.
    """

    SITES = 0
    JOB_COUNTS = 1
    JOB_SIZES = 2
    ESTIMATES = 3
    SCHEDULES = 4


class Planned(NamedTuple):
    """A job in a site's schedule by planned times: from `start` to `end`, in seconds."""

    job: Job
    start: float
    end: float


class GridView(Protocol):
    """What a broker may know of the grid when a job arrives. Read-only.

    Sites are numbered from 0 in the order of the platform's file. Counts and sums are over the
    waiting and running jobs of a site, without the job that arrives, with those assigned before it at this
    instant; jobs that end at this instant are gone.
    """

    @property
    def now(self) -> float:
        """The time, in seconds."""

    @property
    def sizes(self) -> Sequence[int]:
        """Processors of every site."""

    @property
    def allowed(self) -> Sequence[int]:
        """The sites that the job may go to: large enough for it and admissible; at least one.

        By (size, place in the platform's file), ascending: the first of those that tie is the lowest site.
        """

    def draw(self, job: Job) -> float:
        """Return the uniform random number in [0, 1) that belongs to `job` under this run's seed."""

    def home(self, job: Job) -> int | None:
        """Return the site at which `job` was submitted: the one that its partition is named after.

        None if that is unknown. It may be too small for the job, or not be allowed.
        """

    @property
    def last_site(self) -> int:
        """The site of the job assigned last in this run; -1 if there is none yet."""

    def jobs(self, site: int) -> int:
        """Return the number of jobs at `site`. Level `JOB_COUNTS`."""

    def size_sum(self, site: int) -> int:
        """Return the sum of the sizes of the jobs at `site`. Level `JOB_SIZES`."""

    def free(self, site: int) -> int:
        """Return the processors of `site` that no running job holds. Level `JOB_SIZES`."""

    def time_sum(self, site: int) -> float:
        """Return the sum of the planned times of the jobs at `site`, in seconds. Level `ESTIMATES`."""

    def area_sum(self, site: int) -> float:
        """Return the sum of size x planned time of the jobs at `site`. Level `ESTIMATES`.

        In processor-seconds, not corrected for the time that jobs have already run.
        """

    def schedule(self, site: int, job: Job | None = None) -> Sequence[Planned]:
        """Return the schedule of the jobs at `site` by planned times, if nobody else came.

        First the running jobs by (planned end, position), then the waiting ones as they start; with `job`,
        as if it joined the queue now. Level `SCHEDULES`.
        """

    def past(self, site: int) -> Sequence[Planned]:
        """Return the jobs that have ended at `site`, in the order of their ends. Level `SCHEDULES`."""

    def forecast(self, job: Job, site: int) -> Forecast:
        """Return how long `job` will wait and run at `site` if it joins the queue now. Level `SCHEDULES`.

        On a multicluster as the run's estimator says, and where it has no idea as if the cluster's jobs ran
        one by one; elsewhere by the site's schedule by plan.
        """

    def occupied(self, job: Job, site: int) -> int:
        """Return the nodes with a working owner among those that `site` would give to `job` now (LT_k).

        0 where nodes belong to nobody. Level `SCHEDULES`.
        """

    def memory_use(self, site: int) -> float:
        """Return the mean share of the nodes' memory that tasks and owners at `site` hold.

        0 where nodes are not shared. Level `JOB_SIZES`.
        """

    def fullest_node(self, site: int) -> int:
        """Return the most parallel tasks in a node of `site`; 0 where nodes are not shared.

        Level `JOB_SIZES`.
        """


@runtime_checkable
class Broker(Protocol):
    """Which site? Asked once a job, on its arrival; the answer is final."""

    @property
    def name(self) -> str:
        """Name in messages and tables."""

    @property
    def information(self) -> Information:
        """What it needs to know; the view refuses what is above."""

    @property
    def belief(self) -> Belief:
        """Which schedule it looks at."""

    def choose(self, job: Job, view: GridView) -> int:
        """Return the site of `job`, one of ``view.allowed``."""
