"""The contract of brokers: the view that a broker reads and the choice that it returns.

When a job arrives, a broker chooses the site that will run it; the site's local scheduler does the rest. The
information level of a strategy determines what it may read from the view; reading more is an error.
"""

from __future__ import annotations

import math
from enum import IntEnum
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeAlias, get_args, runtime_checkable

from echelon.errors import InputError, UnknownNameError
from echelon.quantities import is_number
from echelon.rules.spec import find_choice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.model import Forecast, Job

GridState: TypeAlias = Literal["planned", "actual"]
"""The state of the grid that a broker sees.

``planned``: the broker's own schedule, in which every job runs for its planned time; earlier ends are not
reported to it. ``actual``: the sites' present state, with running jobs until their planned ends.
"""

GRID_STATES: tuple[GridState, ...] = get_args(GridState)

STORED_GRID_STATES: Mapping[GridState, str] = {"planned": "allocation", "actual": "execution"}
"""The earlier name of each state, which canonical specs and thus the keys of stored runs keep."""


class Information(IntEnum):
    """The information on sites, beyond their sizes, that a strategy needs; each level includes those below.

    Source: Quezada Pina, CICESE 2012, section 1.2.
    """

    # Where machines change, each level but the lowest includes what of each site is in service now.
    SITES = 0
    JOB_COUNTS = 1
    JOB_SIZES = 2
    ESTIMATES = 3
    SCHEDULES = 4


def information_named(name: str | Information) -> Information:
    """Return the level of information of a name such as ``"job-sizes"``; a level as it is.

    Raises
    ------
    UnknownNameError
        If there is no such level.
    """
    if isinstance(name, Information):
        return name
    levels = {format_information(level): level for level in Information}
    level = find_choice(name, levels) if isinstance(name, str) else None
    if level is None:
        raise UnknownNameError("level of information", str(name), levels)
    return levels[level]


def format_information(level: Information) -> str:
    """Return the name of a level of information: ``"job-sizes"``."""
    return Information(level).name.lower().replace("_", "-")


def grid_state_named(name: str, of: str) -> GridState:
    """Return the grid state of that name, present or earlier, of the broker called `of`.

    Raises
    ------
    UnknownNameError
        If there is no such state.
    """
    for state, earlier in STORED_GRID_STATES.items():
        if name in (state, earlier):
            return state
    raise UnknownNameError(f"grid state of {of}", str(name), GRID_STATES)


def grid_state_of(rule: object) -> GridState:
    """Return the grid state that a broker declares as `grid_state` or, earlier, `belief`; else the actual.

    Of both names that counts which is nearer: a class may set one whose base sets the other.

    Raises
    ------
    UnknownNameError
        If there is no such state.
    """
    nearest_first = (getattr(rule, "__dict__", {}), *map(vars, type(rule).__mro__))
    declared = [name for place in nearest_first for name in ("grid_state", "belief") if name in place]
    name = declared[0] if declared else "belief" if hasattr(rule, "belief") else "grid_state"
    return grid_state_named(getattr(rule, name, "actual"), str(getattr(rule, "name", "broker")))


def check_decision(decision: object, name: str) -> None:
    """Reject a decision time that is not a finite number of seconds >= 0."""
    if not is_number(decision) or not 0 <= decision < math.inf:
        raise InputError(f"must be a finite number >= 0, got {decision!r:.60}", field=f"{name}, decision")


def decision_time_of(rule: object) -> float:
    """Return the decision time that `rule` declares, in seconds; 0 if it declares none.

    Raises
    ------
    InputError
        If the declared time is not a finite number >= 0.
    """
    decision = getattr(rule, "decision", 0.0)
    check_decision(decision, str(getattr(rule, "name", "broker")))
    return float(decision)


class Planned(NamedTuple):
    """A job in a site's planned schedule: from `start` to `end`, in seconds."""

    job: Job
    start: float
    end: float


class GridView(Protocol):
    """What a broker may know of the grid when a job arrives. Read-only.

    Sites are numbered from 0 in the order of the platform's file. Counts and sums are over the waiting and
    running jobs of a site, without the arriving job, with those assigned before it at this instant; jobs that
    end at this instant are gone.
    """

    @property
    def now(self) -> float:
        """The time, in seconds."""

    @property
    def sizes(self) -> Sequence[int]:
        """Processors of every site."""

    @property
    def in_service(self) -> Sequence[int]:
        """Processors of every site that are neither down nor closed to some jobs now. Level `JOB_COUNTS`.

        Where machines do not change these are the `sizes`. Nodes are closed while they are drained, under
        maintenance or reserved.
        """

    @property
    def machines_change(self) -> bool:
        """Whether something of the machines may go down or be closed in this run."""

    @property
    def allowed(self) -> Sequence[int]:
        """The sites that the job may go to: large enough for it and admissible; at least one.

        By (size, place in the platform's file), ascending: the first of tied sites is the lowest site. At the
        levels from `JOB_COUNTS` to `ESTIMATES` without the sites of which too little is in service for the
        job now, unless all are such. At level `SCHEDULES` planned schedules say when sites are back, and
        level `SITES` does not know.
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

    def weight(self, site: int) -> float | None:
        """Return the platform's weight of turnaround at `site`, 0 to 1; None if it gives none."""

    def jobs(self, site: int) -> int:
        """Return the number of jobs at `site`. Level `JOB_COUNTS`."""

    def size_sum(self, site: int) -> int:
        """Return the sum of the sizes of the jobs at `site`. Level `JOB_SIZES`."""

    def free(self, site: int) -> int:
        """Return the processors of `site` in service that no running job holds. Level `JOB_SIZES`."""

    def time_sum(self, site: int) -> float:
        """Return the sum of the planned times of the jobs at `site`, in seconds. Level `ESTIMATES`."""

    def area_sum(self, site: int) -> float:
        """Return the sum of size x planned time of the jobs at `site`. Level `ESTIMATES`.

        In processor-seconds, not corrected for the time that jobs have already run.
        """

    def running_at(self, site: int) -> Sequence[Job]:
        """Return the jobs that run at `site`. Level `ESTIMATES`."""

    def schedule(self, site: int, job: Job | None = None) -> Sequence[Planned]:
        """Return the planned schedule of the jobs at `site` if no further job arrives.

        First the running jobs by (planned end, position), then the waiting ones as they start; with `job`,
        as if it joined the queue now. Around what is down, until it is expected back, and around what is
        known to be closed at times; a job that then never has room starts and ends at infinity. Level
        `SCHEDULES`.
        """

    def past(self, site: int) -> Sequence[Planned]:
        """Return the jobs that have ended at `site`, in the order of their ends. Level `SCHEDULES`."""

    def forecast(self, job: Job, site: int) -> Forecast:
        """Return how long `job` will wait and run at `site` if it joins the queue now. Level `SCHEDULES`.

        On a multicluster the run's estimator forecasts them; without a forecast, as if the cluster's jobs ran
        one by one. Elsewhere they follow from the site's planned schedule.
        """

    def occupied(self, job: Job, site: int) -> int:
        """Return the nodes with a working owner among those that `site` would give to `job` now (LT_k).

        0 if nodes have no owners. Level `SCHEDULES`.
        """

    def memory_use(self, site: int) -> float:
        """Return the mean share of the nodes' memory that tasks and owners at `site` hold.

        0 if nodes are not shared. Level `JOB_SIZES`.
        """

    def fullest_node(self, site: int) -> int:
        """Return the most parallel tasks in a node of `site`; 0 if nodes are not shared.

        Level `JOB_SIZES`.
        """


@runtime_checkable
class Broker(Protocol):
    """A broker: chooses the site of each job once, at its arrival; the choice is final.

    One that declares ``grid_state = "planned"`` sees the planned `GridState`, others the actual one.
    """

    @property
    def name(self) -> str:
        """Name in messages and tables."""

    @property
    def information(self) -> Information:
        """The information level that it needs; the view rejects queries above it."""

    def choose(self, job: Job, view: GridView) -> int:
        """Return the site of `job`, one of ``view.allowed``."""
