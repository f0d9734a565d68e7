"""History: finished runs in a database, for estimators that learn from them and for queries."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple, Self

from sqlalchemy import delete, func, insert, select, true, update

from echelon.errors import InputError
from echelon.history.experiences import experiences_of
from echelon.history.insertion import fill, numbers_of
from echelon.history.rows import (
    application_rows,
    forecast_rows,
    job_node_rows,
    job_rows,
    node_rows,
    platform_name,
    queue_rows,
)
from echelon.history.schema import (
    applications,
    experiments,
    forecasts,
    job_nodes,
    jobs,
    nodes,
    policies,
    queue_at_arrive,
)
from echelon.history.stays import Stays
from echelon.model import Experience

if TYPE_CHECKING:
    from collections.abc import Collection
    from types import TracebackType

    from sqlalchemy import Connection

    from echelon.history.connection import Database
    from echelon.model import Schedule

QUEUE_PLACES = 100
"""Places of a queue that are recorded when a job joins it; how long it was is recorded in any case."""


class Experiment(NamedTuple):
    """A run in a history.

    Attributes
    ----------
    number : int
        By which it can be named.
    recorded_at : datetime
        When it was recorded, in UTC.
    workload, platform, policy, estimator, settings : str
        Workload, platform and policy.
    seed : int or None
        Of its random choices.
    is_valid : bool
        Whether estimators may learn from it.
    jobs : int
        How many have ended.
    """

    number: int
    recorded_at: datetime
    workload: str
    platform: str
    policy: str
    estimator: str
    settings: str
    seed: int | None
    is_valid: bool
    jobs: int


class History:
    """Finished runs in a database; a context manager. `open_history` opens one.

    Parameters
    ----------
    database : Database
        Open, with the tables of a history.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        """Close the database."""
        self.close()

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    @property
    def address(self) -> str:
        """Its address, without any password."""
        return self._database.address.shown

    def record(
        self,
        schedule: Schedule,
        *,
        policy: str,
        description: str = "",
        estimator: str | None = None,
        settings: str = "",
        seed: int | None = None,
        is_valid: bool = True,
        queue_places: int = QUEUE_PLACES,
    ) -> int:
        """Record a finished run, all of it or nothing after an error; return its number.

        Parameters
        ----------
        schedule : Schedule
            Its jobs, their times, nodes and forecasts. Platform and workload are those of its instance.
        policy : str
            Spec of its policy, by which runs are selected.
        description : str, default ``""``
            Of the policy, for people; kept when a policy is met for the first time.
        estimator : str, optional
            Spec of the estimator that decided. Default: of the schedule's first forecasts, if it has any.
        settings : str, default ``""``
            All other settings of the run.
        seed : int, optional
            Of its random choices.
        is_valid : bool, default True
            Whether estimators may learn from it.
        queue_places : int, default 100
            How many jobs of a queue are recorded when another joins it, from its head, >= 0.

        Returns
        -------
        int
            Its number, larger than those of all runs recorded before.

        Raises
        ------
        InputError
            If the spec of the policy is empty, or the database refuses.

        Notes
        -----
        **Cost**: O(rows); rows of shared nodes and of queues are most of them.
        """
        if not policy.strip():
            raise InputError("must be the spec of a policy, such as easy, got an empty text", field="policy")
        if estimator is None:
            estimator = schedule.forecasts[0].estimator if schedule.forecasts else ""
        columns = {
            "recorded_at": datetime.now(UTC).replace(tzinfo=None, microsecond=0),
            "workload": schedule.instance.workload.name,
            "platform": platform_name(schedule),
            "estimator": estimator,
            "settings": settings,
            "seed": seed,
            "valid": is_valid,
        }
        with self._database.writing() as connection:
            under = numbers_of(
                connection, policies, [(policy, description)], among=policies.c.name == policy, key=1
            )
            statement = insert(experiments).values(**columns, policy=under[0]).returning(experiments.c.id)
            number: int = connection.execute(statement).scalar_one()
            _record_jobs(connection, number, schedule, queue_places=queue_places)
        return number

    def experiences(
        self,
        *,
        platform: str | None = None,
        policy: str | None = None,
        last: int | None = None,
        sites: Collection[str] | None = None,
    ) -> list[Experience]:
        """Return the experiences for estimators: the jobs of valid runs, in the order in which they ended.

        Parameters
        ----------
        platform, policy : str, optional
            Only of runs on the platform of this name, under the policy of this spec. Default: of all.
        last : int, optional
            Only the last `last` ones, >= 0. Default: all.
        sites : collection of str, optional
            Only of jobs at the sites of these names. Default: at all.

        Notes
        -----
        **Ties**: runs follow each other as they were recorded; jobs that ended at one instant by start,
        then position.
        **Cost**: O(n log n) for the n jobs of those runs.
        """
        if last is not None and last < 0:
            raise InputError(f"must be at least 0, got {last}", field="last")
        order = (jobs.c.experiment, jobs.c.end_time, jobs.c.start_time, jobs.c.job)
        asked = (
            select(
                *(jobs.c.user_name, jobs.c.queue_name, applications.c.name, jobs.c.nodes),
                *(jobs.c.waiting_jobs, jobs.c.waiting_work, jobs.c.mpl),
                *(jobs.c.deliver_time, jobs.c.start_time, jobs.c.end_time),
            )
            .join(experiments, jobs.c.experiment == experiments.c.id)
            .join(policies, experiments.c.policy == policies.c.id)
            .join(applications, jobs.c.application == applications.c.id)
            .where(experiments.c.valid)
            .where(experiments.c.platform == platform if platform is not None else true())
            .where(policies.c.name == policy if policy is not None else true())
            .where(jobs.c.site.in_(sites) if sites is not None else true())
            .order_by(*(column.desc() for column in order))
            .limit(last)
        )
        with self._database.reading() as connection:
            rows = connection.execute(asked).all()
        return [
            Experience._make((*row[:7], start - joined, end - start, end))
            for row in reversed(rows)
            for joined, start, end in [row[7:]]
        ]

    def experiments(self) -> list[Experiment]:
        """Return the runs it holds, in the order in which they were recorded."""
        count = select(func.count()).where(jobs.c.experiment == experiments.c.id).scalar_subquery()
        asked = (
            select(
                *(experiments.c[name] for name in ("id", "recorded_at", "workload", "platform")),
                *(policies.c.name, experiments.c.estimator, experiments.c.settings),
                *(experiments.c.seed, experiments.c.valid, count),
            )
            .join(policies, experiments.c.policy == policies.c.id)
            .order_by(experiments.c.id)
        )
        with self._database.reading() as connection:
            return [Experiment._make(row) for row in connection.execute(asked)]

    def mark(self, experiment: int, *, is_valid: bool) -> None:
        """Set whether estimators may learn from a run.

        Raises
        ------
        InputError
            If the run does not exist.
        """
        with self._database.writing() as connection:
            self._check(connection, experiment)
            chosen = experiments.c.id == experiment
            connection.execute(update(experiments).where(chosen).values(valid=is_valid))

    def forget(self, experiment: int) -> None:
        """Remove a run and its jobs; nodes, applications and policies stay.

        Raises
        ------
        InputError
            If the run does not exist.
        """
        with self._database.writing() as connection:
            self._check(connection, experiment)
            for table in (queue_at_arrive, job_nodes, forecasts, jobs):
                connection.execute(delete(table).where(table.c.experiment == experiment))
            connection.execute(delete(experiments).where(experiments.c.id == experiment))

    def _check(self, connection: Connection, experiment: int) -> None:
        # Databases refuse to compare with numbers out of their range.
        there = 0 < experiment < 2**31
        chosen = select(experiments.c.id).where(experiments.c.id == experiment)
        if not there or connection.execute(chosen).first() is None:
            raise InputError(f"holds no experiment {experiment}", file=self.address)


def _record_jobs(connection: Connection, number: int, schedule: Schedule, *, queue_places: int) -> None:
    """Insert the rows of the jobs of the experiment `number`."""
    experiences, stays, platform = experiences_of(schedule), Stays.of(schedule), schedule.instance.platform
    # A log may have thousands of applications; only those named by these jobs are selected.
    profiles = application_rows(schedule, experiences)
    names = {one.application for one in experiences}
    ran = numbers_of(connection, applications, profiles, among=applications.c.name.in_(names), key=6)
    fill(connection, jobs, number, job_rows(schedule, experiences, stays, ran))
    fill(connection, forecasts, number, forecast_rows(schedule.forecasts))
    if platform is not None and schedule.places is not None:
        there = node_rows(platform)
        numbers = numbers_of(
            connection, nodes, there, among=nodes.c.platform == platform.name, key=len(there[0])
        )
        fill(connection, job_nodes, number, job_node_rows(schedule.places, stays, platform, numbers))
    fill(connection, queue_at_arrive, number, queue_rows(stays, places=queue_places))
